import MIDICore
import MoCore
import MoDSP
import MoMIDI
import MoMu

/// A converter of movement to MIDI messages, which it sends, by the rules of a mapping.
///
/// ```swift
/// let gestures = try MoMIDI.gestures("tilt-roll -> cc11\njerk -> strike 0.3..1")
/// try MoAccel.addCallback { gestures.move($0) }
/// ```
///
/// The targets of a rule are `cc0` to `cc119` and `pressure`, 0…127; `note`, `strike` and `gate`; and `bend` in
/// semitones, -2…2. Of controllers, pressure and bend, only changes are sent, at most 3,125 bytes a second, notes
/// included: the rate of a MIDI cable. Notes are sent immediately.
///
/// - Thread: any.
public final class MIDIGestures: Sendable {
  private struct State {
    var mapper: MotionMapper
    var output: MIDIGestureOutput
  }

  private let state: Locked<State>

  package init(_ mapping: Mapping, _ output: MIDIGestureOutput) {
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
  /// Only the first 1,048,576 bytes are read.
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

/// Sends the actions of a mapping as MIDI messages: only changes, and not faster than a MIDI cable.
///
/// A value that trembles between two neighbouring MIDI values is sent once; see `MIDIValueStream`.
///
/// - Thread: any, but one at a time.
package final class MIDIGestureOutput: MappingTarget, @unchecked Sendable {
  // Unchecked: one thread at a time, as `MIDIGestures` sees to.
  let parameters: [Parameter] = MIDIGestureOutput.names.map { name in
    Parameter(name, 0...127, default: 0, smoothing: 0, step: 0, about: "MIDI")
  }
  private let channel: MIDIChannel
  private let send: @Sendable (MIDISender.Order, HostTime) -> Void
  private var values: MIDIValueStream
  private var gates: [Int32: MIDIUInt7] = [:]

  /// The MIDI values that a mapping sets like the parameters of an instrument: `cc0` to `cc119` and `pressure`.
  package static let names = (0...119).map { "cc\($0)" } + ["pressure"]
  /// The bend at either end of the pitch wheel, in semitones.
  private static let bendRange: Float = 2

  package init(_ channel: MIDIChannel, _ send: @escaping @Sendable (MIDISender.Order, HostTime) -> Void) {
    (self.channel, self.send) = (channel, send)
    values = MIDIValueStream(channel)
  }

  func index(of name: String) -> Int? { Self.names.firstIndex(of: name) }

  func map(_ action: MappingAction, at time: HostTime) {
    switch action {
    case .set(let place, let value):
      values.set(place < 120 ? .control(place) : .pressure, to: value)
    case .event(.bend(let semitones)):
      let part = max(-1, min(semitones / Self.bendRange, 1))
      values.set(.bend, to: 8192 + part * (part < 0 ? 8192 : 8191))
    case .event(.strike(let force)): play(60, force, .milliseconds(250), at: time)
    case .note(let pitch, let velocity, let length): play(pitch, velocity, length, at: time)
    case .event(.noteOn(let note)):
      let key = Self.key(note.pitch)
      gates[note.id] = key
      emit(.message(.noteOn(channel, key, velocity: Self.velocity(note.velocity))), bytes: 3, at: time)
    case .event(.noteMove(let note)):
      guard let old = gates[note.id], old != Self.key(note.pitch) else { return }
      map(.event(.noteOff(note)), at: time)
      map(.event(.noteOn(note)), at: time)
    case .event(.noteOff(let note)):
      guard let key = gates.removeValue(forKey: note.id) else { return }
      emit(.message(.noteOff(channel, key, velocity: 64)), bytes: 3, at: time)
    case .event: break
    }
  }

  /// Sends the values that have changed since the last call, at no more than the rate of a MIDI cable.
  func flush(at time: HostTime) { values.send(at: time) { send(.message($0), time) } }

  private func play(_ pitch: Float, _ velocity: Float, _ length: Duration, at time: HostTime) {
    let key = Self.key(pitch)
    emit(
      .note(channel, key, Self.velocity(velocity), nanoseconds: length.nanoseconds), bytes: 3, at: time)
    // The release of the note.
    values.spend(bytes: 3, at: time + length)
  }

  /// Sends a note message, which the rate limit of `flush` does not delay; the bytes of the message count towards this
  /// limit.
  private func emit(_ order: MIDISender.Order, bytes: Int, at time: HostTime) {
    values.spend(bytes: bytes, at: time)
    send(order, time)
  }

  private static func key(_ pitch: Float) -> MIDIUInt7 {
    MIDIUInt7(clamping: pitch.isFinite ? Int(max(0, min(pitch, 127)).rounded()) : 60)
  }

  private static func velocity(_ force: Float) -> MIDIUInt7 {
    MIDIUInt7(clamping: force.isFinite ? max(1, Int((max(0, min(force, 1)) * 127).rounded())) : 1)
  }
}
