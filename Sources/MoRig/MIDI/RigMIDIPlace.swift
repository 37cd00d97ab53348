import MIDICore
import MoSensing

/// The MIDI controller, pressure, pitch wheel or key that a value of a sensor moves.
package enum RigMIDIPlace: Equatable, Sendable {
  /// The value moves nothing.
  case none
  /// A controller, the pressure, or the pitch wheel.
  case value(MIDIValueStream.Target)
  /// A key that is held while the value is in the upper half of its range.
  case key(MIDIUInt7)

  /// Parses a setting of a configuration: `cc0` to `cc119`, `pressure`, `bend`, `note0` to `note127`, or `-`.
  init(_ text: String) throws(RigMistake) {
    func number(after word: String) -> Int? {
      guard text.hasPrefix(word), let number = Int(text.dropFirst(word.count)) else { return nil }
      return number
    }
    if text == "-" {
      self = .none
    } else if text == "pressure" {
      self = .value(.pressure)
    } else if text == "bend" {
      self = .value(.bend)
    } else if let control = number(after: "cc"), (0...119).contains(control) {
      self = .value(.control(control))
    } else if let key = number(after: "note").flatMap({ MIDIUInt7(exactly: $0) }) {
      self = .key(key)
    } else {
      throw RigMistake(
        "\"\(text)\" is nothing that MIDI can move: write cc0 to cc119, pressure, bend, note0 to note127, or - for a "
          + "value that moves nothing")
    }
  }
}

extension RigStream {
  /// The prefix of a target that is a MIDI port.
  static let midiPrefix = "midi:"

  /// Returns whether a target is a MIDI port.
  static func isMIDI(_ target: String) -> Bool { target.hasPrefix(midiPrefix) }

  /// The targets in the network.
  var netTargets: [String] { targets.filter { !Self.isMIDI($0) } }

  /// The names of the MIDI ports to which the sensor's values are sent.
  var midiPorts: [String] {
    targets.filter(Self.isMIDI).map { String($0.dropFirst(Self.midiPrefix.count)) }
  }

  /// The mistake in the sensor's settings for MIDI; nil if there is none.
  var midiMistake: String? {
    guard !midiPorts.isEmpty else {
      return midi.isEmpty ? nil : "[\(title)] moves MIDI, but goes to no port: write to = midi:NAME under it"
    }
    guard kind.nature != .events else {
      return "[\(title)] cannot go to \(Self.midiPrefix)\(midiPorts[0]): its messages are no quantities"
    }
    guard !kind.hasChannels || channel != nil else {
      return kind == AnySensorKind(.host)
        ? "[\(title)] has many values, and MIDI needs one: write channel = temperature under it"
        : "[\(title)] may have many values, and MIDI needs one: write channel = NAME under it"
    }
    guard midi.contains(where: { $0 != .none }) else {
      return
        "[\(title)] goes to \(Self.midiPrefix)\(midiPorts[0]): write under it what its values move, such as "
        + "midi = cc11"
    }
    return nil
  }
}
