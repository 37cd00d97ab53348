@_exported import MIDICore
import MoCore
import MoRuntime

/// MIDI: keyboards and controllers in, notes and controllers out.
///
/// ```swift
/// try MoMIDI.onNote { note in print(note.key, note.velocity) }
/// try MoMIDI.playNote(60, velocity: 0.8, length: .seconds(1))
/// ```
///
/// `MoMIDI` starts at its first use, with the ports that `--midi` and `--midi-out` name. By default it reads all
/// keyboards, also those that are connected later. It sends to all receivers that are connected to its own port,
/// which has a name such as `MoMu Piano`. Without the kernel's sequencer, a simulated player replaces the keyboards.
///
/// All functions that send have two parameters for the time. `time` is the moment at which a message was played, such
/// as the time of a motion; the default is now. The message is sent `MoAudio.playThrough` later, so that gear sounds
/// together with the loudspeaker. `heard`, in place of `time`, is the moment at which gear is to sound. The option
/// `--midi-trim` shifts the moment of sending in both cases.
///
/// However the program ends, `MoMIDI` releases the held notes that it has received, and those that it has sent.
///
/// - Thread: any but the audio callback. Callbacks run on the thread `mo-midi`, or on the thread `mo-input` for
///   tapes, files and simulated players. Callbacks of `onEvent` also run on the thread that starts MIDI.
public enum MoMIDI {
  /// Calls `callback` with every message but SysEx.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Throws: `MIDIError`, or `SensorError` for a tape, if the source cannot be opened.
  @discardableResult
  public static func addCallback(_ callback: @escaping @Sendable (MIDIEvent) -> Void) throws -> MoToken {
    try started(MIDIServer.shared.onEvent(callback))
  }

  /// Calls `callback` with every key that is pressed or released.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Throws: `MIDIError`, or `SensorError` for a tape, if the source cannot be opened.
  @discardableResult
  public static func onNote(_ callback: @escaping @Sendable (MIDINote) -> Void) throws -> MoToken {
    try addCallback { event in if let note = MIDINote(event) { callback(note) } }
  }

  /// Calls `callback` with the new values of a controller.
  ///
  /// - Parameters:
  ///   - number: the controller, 0…127; nil for all.
  ///   - callback: receives each new value.
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Throws: `MIDIError` if the controller does not exist; `MIDIError`, or `SensorError` for a tape, if the
  ///   source cannot be opened.
  @discardableResult
  public static func onControl(
    _ number: Int? = nil, _ callback: @escaping @Sendable (MIDIControl) -> Void
  ) throws -> MoToken {
    if let number { _ = try MIDIUInt7(number, "controller") }
    return try addCallback { event in
      if let control = MIDIControl(event), number == nil || control.number == number { callback(control) }
    }
  }

  /// Calls `callback` with the pitch wheel's new positions.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Throws: `MIDIError`, or `SensorError` for a tape, if the source cannot be opened.
  @discardableResult
  public static func onBend(_ callback: @escaping @Sendable (MIDIBend) -> Void) throws -> MoToken {
    try addCallback { event in if let bend = MIDIBend(event) { callback(bend) } }
  }

  /// Calls `callback` with the pressure on held keys (aftertouch).
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Throws: `MIDIError`, or `SensorError` for a tape, if the source cannot be opened.
  @discardableResult
  public static func onPressure(_ callback: @escaping @Sendable (MIDIPressure) -> Void) throws -> MoToken {
    try addCallback { event in if let pressure = MIDIPressure(event) { callback(pressure) } }
  }

  /// Calls `callback` with program changes.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Throws: `MIDIError`, or `SensorError` for a tape, if the source cannot be opened.
  @discardableResult
  public static func onProgram(_ callback: @escaping @Sendable (MIDIProgram) -> Void) throws -> MoToken {
    try addCallback { event in if let program = MIDIProgram(event) { callback(program) } }
  }

  /// Calls `callback` with SysEx messages of up to 128 KiB; longer messages are dropped.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Throws: `MIDIError`, or `SensorError` for a tape, if the source cannot be opened.
  @discardableResult
  public static func onSysEx(_ callback: @escaping @Sendable (MIDISysEx) -> Void) throws -> MoToken {
    try started(MIDIServer.shared.onSysEx(callback))
  }

  /// Calls `callback` when a port or source is opened or disappears, and when messages are lost.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Thread: the callback also runs on the thread that starts MIDI.
  @discardableResult
  public static func onEvent(
    _ callback: @escaping @Sendable (MIDIPortEvent) -> Void
  ) -> MoToken { MIDIServer.shared.events.add(callback) }

  /// Starts reading and, if a target is given, sending.
  ///
  /// You need this call only to choose the source or the target, or to start again after `stop()`. A source or target
  /// that is already open stays open: to change it, call `stop()` first.
  ///
  /// - Parameters:
  ///   - source: `all`, a port's name, `net`, `net:NAME`, `net:HOST:PORT`, `tape:FILE`, `file:SONG.mid`, `sim:scale`,
  ///     `sim:chords` or `none`; the option `--midi` overrides it. Nil for all keyboards.
  ///   - target: a port's name, `net`, `net:NAME`, `net:HOST:PORT`, `file:TAKE.mid` or `none`; the option
  ///     `--midi-out` overrides it. Nil to leave the output closed until something is sent.
  /// - Throws: `MIDIError`, or `SensorError` for a tape; the text says what to type.
  public static func start(source: String? = nil, target: String? = nil) throws {
    try MIDIServer.shared.start(source: source, target: target, in: .current)
  }

  /// Stops reading and sending, releases all held notes (received notes as well as sent notes), and closes the ports.
  ///
  /// The callbacks are not removed; the next start uses them again.
  public static func stop() { MIDIServer.shared.stop() }

  /// The names of the sources that are read now; empty while `MoMIDI` is stopped.
  public static var sources: [String] { MIDIServer.shared.sourceNames }

  private static func started(_ token: MoToken) throws -> MoToken {
    do {
      try start()
    } catch {
      token.cancel()
      throw error
    }
    return token
  }
}

/// A change of a MIDI port or source.
public enum MIDIPortEvent: Hashable, Sendable {
  /// This port or source is read from now on.
  case using(name: String)
  /// This port disappeared or was disconnected; its held notes were released.
  case lost(name: String)
  /// Messages are sent to this port or file from now on.
  case sending(name: String)
  /// This port, to which messages were sent, disappeared.
  case lostOutput(name: String)
  /// The kernel dropped messages that were not read in time; held notes were released.
  case overrun
  /// Messages are no longer sent, or are missing in the file that records them, for this reason.
  case outputEnded(reason: String)
  /// Messages are missing in the recording (`--record-tape`), or it ended early, for this reason.
  ///
  /// Only the input that opened the tape, the first that started, reports this event: a sensor, or MIDI.
  case recordingEnded(reason: String)
}
