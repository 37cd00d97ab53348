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
