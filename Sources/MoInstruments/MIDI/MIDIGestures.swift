import MIDICore
import MoCore
import MoDSP
import MoMIDI
import MoMu

/// Turns movement into MIDI messages and sends them, by the rules of a mapping.
///
/// ```swift
/// let gestures = try MoMIDI.gestures("tilt-roll -> cc11\njerk -> strike 0.3..1")
/// try MoAccel.addCallback { gestures.move($0) }
/// ```
///
/// The targets of a rule are `cc0` to `cc119` and `pressure`, 0…127; `note`, `strike` and `gate`; and `bend` in
/// semitones, -2…2. Only changes are sent, at most 3,125 bytes a second, the rate of a MIDI cable.
///
/// - Thread: any.
public final class MIDIGestures: Sendable {
  private struct State {
    var mapper: MotionMapper
    var output: MIDIGestureOutput
  }

  private let state: Locked<State>

  init(_ mapping: Mapping, _ output: MIDIGestureOutput) {
    state = Locked(State(mapper: MotionMapper(mapping), output: output))
  }

  /// The rules by which movement becomes MIDI messages; you may replace them at any time.
  public var mapping: Mapping {
    get { state.withLock { $0.mapper.mapping } }
    set { state.withLock { $0.mapper.mapping = newValue } }
  }

  /// Applies the mapping to a motion and sends the resulting messages.
  public func move(_ motion: Motion) {
    state.withLock { state in
      state.mapper.read(motion, state.output)
      state.output.flush(at: motion.time)
    }
  }

  /// Reads a mapping from a file and uses it from now on, in place of the previous mapping.
  ///
  /// - Throws: `MappingError`; the previous mapping then stays.
  public func readMapping(file path: String) throws(MappingError) {
    mapping = try Mapping(file: path, parameters: MIDIGestureOutput.names, isMIDI: true)
  }
}

extension MoMIDI {
  /// The default mapping of `momu midi gestures` and `Examples/TiltToMIDI`.
  ///
  /// Tilt sets expression (controller 11), bend, and the pitch of the notes that strikes play.
  public static let usualGestures = """
    tilt-roll -45..45 -> cc11
    tilt-pitch -60..60 -> bend
    tilt-roll -45..45 -> note A3..A5 in minor-pentatonic A3
    jerk -> strike 0.3..1
    """

  /// Creates gestures that turn movement into MIDI messages, by a mapping.
  ///
  /// - Parameters:
  ///   - mapping: one rule per line; see `MIDIGestures` for the targets.
  ///   - channel: the MIDI channel, 1…16; nil for the channel of `--midi-channel`, or 1 without this option.
  /// - Throws: `MappingError`, or `MIDIError` if the output cannot be opened.
  public static func gestures(_ mapping: String, channel: Int? = nil) throws -> MIDIGestures {
    try gestures(Mapping(mapping, parameters: MIDIGestureOutput.names, isMIDI: true), channel: channel)
  }

  /// Creates gestures that turn movement into MIDI messages, by a mapping from a file.
  ///
  /// - Parameters:
  ///   - path: the file, with one rule per line; see `MIDIGestures` for the targets.
  ///   - channel: the MIDI channel, 1…16; nil for the channel of `--midi-channel`, or 1 without this option.
  /// - Throws: `MappingError`, or `MIDIError` if the output cannot be opened.
  public static func gestures(mappingFile path: String, channel: Int? = nil) throws -> MIDIGestures {
    try gestures(Mapping(file: path, parameters: MIDIGestureOutput.names, isMIDI: true), channel: channel)
  }

  private static func gestures(_ mapping: Mapping, channel: Int?) throws -> MIDIGestures {
    let run = Run.current
    let number = channel ?? run.options.midiChannel ?? 1
    guard let channel = MIDIChannel(exactly: number - 1) else { throw MIDIError.badChannel(number) }
    let server = MIDIServer.shared
    try server.startOutput(in: run)
    return MIDIGestures(
      mapping,
      MIDIGestureOutput(channel) { order, time in
        try? server.send(order, at: server.leaving(at: time, heardAt: nil, in: run), in: run)
      })
  }
}
