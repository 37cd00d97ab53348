import MIDICore
import MoCore
import MoOSC
import MoRuntime
import MoSensing

/// Reads the MIDI messages of a tape.
enum MIDITape {
  /// The most messages that are played; further messages of the tape are not played.
  private static let most = 2_000_000

  /// Returns the MIDI messages of a tape (`/momu/midi`), the tape's duration, and whether the tape is to loop.
  ///
  /// - Parameter text: the path of the tape, which may be followed by `?speed=2` or `?loop`.
  /// - Throws: `SensorError.tape` if the tape cannot be read, or has no MIDI message.
  static func steps(
    _ text: String
  ) throws -> (steps: [MIDIScore.Step], nanoseconds: Int64, loops: Bool) {
    let playing = try TapePlaying(text)
    var steps: [MIDIScore.Step] = []
    var end: Int64 = 0
    do throws(OSCTapeError) {
      let tape = try OSCTapeReader(path: playing.path)
      while let entry = try tape.next() {
        end = playing.nanoseconds(entry.nanoseconds)
        guard entry.message.address == MIDITapeMessage.address,
          let message = MIDITapeMessage(arguments: entry.message.arguments)
        else { continue }
        guard steps.count < most else { break }
        steps.append(MIDIScore.Step(nanoseconds: end, message: message))
      }
      if let warning = tape.warning { MoLog.log(.warning, warning) }
    } catch {
      throw SensorError.tape(error.text(recordedBy: "--record-tape"))
    }
    guard !steps.isEmpty else {
      throw SensorError.tape(
        "\(playing.path) has no MIDI messages (\(MIDITapeMessage.address)): record another tape with --midi and "
          + "--record-tape")
    }
    return (steps, end, playing.loops)
  }
}

/// A MIDI message on a tape or in the network: `/momu/midi`.
///
/// Its arguments are the bytes as whole numbers, such as `144 60 100`, and then the port's name. For a SysEx message, a
/// single blob holds the bytes.
package enum MIDITapeMessage: Hashable, Sendable {
  /// A message that is not SysEx, and the name of the port that sent it.
  case message(MIDIMessage, port: String)
  /// The bytes of a SysEx message, from F0 to F7, and the name of the port that sent it.
  case sysEx([UInt8], port: String)

  package static let address = "/momu/midi"

  /// The message in the form of OSC.
  package var message: OSCMessage {
    switch self {
    case .message(let message, let port):
      let bytes = message.bytes
      let numbers = [bytes.status, bytes.first, bytes.second].prefix(bytes.count)
      return OSCMessage(Self.address, numbers.map { .int32(Int32($0)) } + [.string(port)])
    case .sysEx(let bytes, let port): return OSCMessage(Self.address, [.blob(bytes), .string(port)])
    }
  }

  /// Parses a message from OSC arguments; nil if they are not MIDI.
  package init?(arguments: [OSCArgument]) {
    var rest = arguments[...]
    var port = ""
    if case .string(let name)? = rest.last {
      port = name
      rest.removeLast()
    }
    if case .blob(let bytes)? = rest.first, rest.count == 1 {
      guard MIDITapeMessage.isSysEx(bytes) else { return nil }
      self = .sysEx(bytes, port: port)
      return
    }
    var bytes: [UInt8] = []
    for argument in rest {
      guard case .int32(let number) = argument, let byte = UInt8(exactly: number) else { return nil }
      bytes.append(byte)
    }
    guard let status = bytes.first, MIDIMessage.dataCount(ofStatus: status) == bytes.count - 1,
      let message = MIDIMessage(
        status: status, bytes.count > 1 ? bytes[1] : 0, bytes.count > 2 ? bytes[2] : 0)
    else { return nil }
    self = .message(message, port: port)
  }

  /// Whether bytes form exactly one SysEx message.
  package static func isSysEx(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 2 && bytes.first == 0xF0 && bytes.last == 0xF7
      && bytes.dropFirst().dropLast().allSatisfy { $0 < 0x80 }
  }
}
