import MIDICore
import MoInstruments
import MoMIDI

/// A MIDI message in words, as `momu midi listen` prints it and `momu midi send` takes it.
enum MIDIWords {
  /// The words of a message without its channel: `note-on C4 100`.
  static func text(_ message: MIDIMessage) -> String {
    switch message {
    case .noteOn(_, let key, let velocity): "note-on \(name(key)) \(velocity.value)"
    case .noteOff(_, let key, let velocity): "note-off \(name(key)) \(velocity.value)"
    case .keyPressure(_, let key, let value): "key-pressure \(name(key)) \(value.value)"
    case .control(_, let number, let value): "cc \(number.value) \(value.value)"
    case .program(_, let number): "program \(number.value)"
    case .pressure(_, let value): "pressure \(value.value)"
    case .bend(_, let place): "bend \(Int(place.value) - 8192)"
    case .quarterFrame(let value): "quarter-frame \(value.value)"
    case .songPosition(let place): "position \(place.value)"
    case .songSelect(let number): "song \(number.value)"
    case .tuneRequest: "tune"
    case .clock: "clock"
    case .start: "start"
    case .continue: "continue"
    case .stop: "stop"
    case .activeSensing: "sensing"
    case .reset: "reset"
    }
  }

  private static func name(_ key: MIDIUInt7) -> String { NoteText.name(Float(key.value)) }

  /// The parsed words of a `momu midi send` command: a message, a note with a length, or SysEx.
  enum Order: Equatable {
    /// A MIDI message other than SysEx, to be sent as it is.
    case message(MIDIMessage)
    /// A note: its key (0 to 127), its velocity (1 to 127) and its length, in seconds.
    case note(Int, velocity: Int, seconds: Double)
    /// A SysEx message, from F0 to F7.
    case sysEx([UInt8])
  }

  static let forms = """
    note C4 [VELOCITY] [SECONDS], note-on C4 [VELOCITY], note-off C4, cc NUMBER VALUE, program N, bend -8192..8191, \
    pressure V, key-pressure C4 V, start, stop, continue, clock, position N, song N, tune, reset, mmc stop, \
    sysex F0 ... F7, hex 90 3C 64
    """

  /// Parses the words of a message, such as `note C4 100`.
  ///
  /// - Throws: `MIDIWordsError`.
  static func order(_ words: [String], channel: MIDIChannel) throws(MIDIWordsError) -> Order {
    var reader = Reader(rest: words[...])
    let verb = try reader.word()
    let order = try reader.order(verb, channel)
    if let word = reader.rest.first { throw MIDIWordsError("\"\(word)\" is too much behind \(verb)") }
    return order
  }

  private struct Reader {
    var rest: ArraySlice<String>

    mutating func word() throws(MIDIWordsError) -> String {
      guard let word = rest.popFirst() else { throw MIDIWordsError("a word is missing") }
      return word
    }

    mutating func order(_ verb: String, _ channel: MIDIChannel) throws(MIDIWordsError) -> Order {
      switch verb {
      case "note":
        let key = try key()
        let velocity = rest.isEmpty ? 100 : try number(1...127, "a velocity")
        guard let text = rest.popFirst() else {
          return .note(Int(key.value), velocity: velocity, seconds: 0.5)
        }
        guard let seconds = Double(text), seconds > 0, seconds <= 600 else {
          throw MIDIWordsError("\"\(text)\" is not a length: write seconds above 0 to 600")
        }
        return .note(Int(key.value), velocity: velocity, seconds: seconds)
      case "sysex": return .sysEx(try dump())
      case "mmc": return .sysEx(try machine())
      case "hex": return .message(try hex())
      default: return .message(try message(verb, channel))
      }
    }

    private mutating func message(
      _ verb: String, _ channel: MIDIChannel
    ) throws(MIDIWordsError) -> MIDIMessage {
      switch verb {
      case "note-on":
        return .noteOn(
          channel, try key(),
          velocity: MIDIUInt7(clamping: rest.isEmpty ? 100 : try number(0...127, "a velocity")))
      case "note-off":
        return .noteOff(
          channel, try key(),
          velocity: MIDIUInt7(clamping: rest.isEmpty ? 64 : try number(0...127, "a velocity")))
      case "key-pressure": return .keyPressure(channel, try key(), try value("a pressure"))
      case "cc": return .control(channel, try value("a controller"), try value("a value"))
      case "program": return .program(channel, try value("a program"))
      case "pressure": return .pressure(channel, try value("a pressure"))
      case "bend": return .bend(channel, MIDIUInt14(clamping: try number(-8192...8191, "a bend") + 8192))
      case "quarter-frame": return .quarterFrame(try value("a quarter frame"))
      case "position": return .songPosition(MIDIUInt14(clamping: try number(0...16383, "a position")))
      case "song": return .songSelect(try value("a song"))
      case "tune": return .tuneRequest
      case "clock": return .clock
      case "start": return .start
      case "continue": return .continue
      case "stop": return .stop
      case "sensing": return .activeSensing
      case "reset": return .reset
      default: throw MIDIWordsError("\"\(verb)\" is not a message")
      }
    }

    private mutating func key() throws(MIDIWordsError) -> MIDIUInt7 {
      let text = try word()
      guard let pitch = NoteText.pitch(text), pitch == pitch.rounded() else {
        throw MIDIWordsError("\"\(text)\" is not a key: write C4, F#3 or 0 to 127")
      }
      return MIDIUInt7(clamping: Int(pitch))
    }

    private mutating func value(_ what: String) throws(MIDIWordsError) -> MIDIUInt7 {
      MIDIUInt7(clamping: try number(0...127, what))
    }

    private mutating func number(_ range: ClosedRange<Int>, _ what: String) throws(MIDIWordsError) -> Int {
      let text = try word()
      guard let number = Int(text), range.contains(number) else {
        throw MIDIWordsError(
          "\"\(text)\" is not a number for \(what): write \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }

    private mutating func bytes() throws(MIDIWordsError) -> [UInt8] {
      var bytes: [UInt8] = []
      while let text = rest.popFirst() {
        guard let byte = UInt8(text, radix: 16) else {
          throw MIDIWordsError("\"\(text)\" is not a byte: write two hexadecimal digits, such as 7F")
        }
        bytes.append(byte)
      }
      return bytes
    }

    private mutating func dump() throws(MIDIWordsError) -> [UInt8] {
      let bytes = try bytes()
      let whole = bytes.first == 0xF0 ? bytes : [0xF0] + bytes + [0xF7]
      guard MIDITapeMessage.isSysEx(whole) else {
        throw MIDIWordsError("a SysEx message is F0, bytes from 00 to 7F, and F7")
      }
      return whole
    }

    private mutating func hex() throws(MIDIWordsError) -> MIDIMessage {
      let bytes = try bytes()
      guard let status = bytes.first, MIDIMessage.dataCount(ofStatus: status) == bytes.count - 1,
        let message = MIDIMessage(
          status: status, bytes.count > 1 ? bytes[1] : 0, bytes.count > 2 ? bytes[2] : 0)
      else { throw MIDIWordsError("these bytes are no MIDI message; a note-on is hex 90 3C 64") }
      return message
    }

    private mutating func machine() throws(MIDIWordsError) -> [UInt8] {
      let text = try word()
      guard let command = MoMIDI.MachineCommand.allCases.first(where: { "\($0)" == text }) else {
        let names = MoMIDI.MachineCommand.allCases.map { "\($0)" }.joined(separator: ", ")
        throw MIDIWordsError("\"\(text)\" is not a command: write \(names)")
      }
      return [0xF0, 0x7F, 0x7F, 0x06, command.rawValue, 0xF7]
    }
  }
}

/// The reason why words do not form a MIDI message.
struct MIDIWordsError: Error, CustomStringConvertible, Equatable {
  let description: String
  init(_ what: String) { description = "\(what). A message is: \(MIDIWords.forms)" }
}
