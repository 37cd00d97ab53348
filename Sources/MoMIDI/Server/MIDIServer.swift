import Glibc
import MIDICore
import MoAudioDevices
import MoCore
import MoRuntime
import MoSensing

/// The server of `MoMIDI`: reads a source, sends to a target, calls the program's callbacks.
///
/// - Thread: any; callbacks run on `mo-midi`. For tapes, files and simulated players they run on `mo-input` or,
///   offline, on the renderer's thread.
package final class MIDIServer: @unchecked Sendable {
  // Unchecked: `state` and `stopped` are guarded by `lock`.
  /// The server that `MoMIDI` uses.
  package static let shared = MIDIServer(open: { name throws(MIDIError) in try ALSASequencer(name: name) })

  /// The server of `momu midi bridge` for the network session; `shared` then serves the ports of the sequencer.
  package static let network = MIDIServer(open: { _ throws(MIDIError) in
    throw .noSequencer(reason: "this server only uses the network")
  })

  package let events = CallbackList<MIDIPortEvent>()
  private let callbacks = MIDICallbacks<MIDIEvent>()
  private let sysExCallbacks = MIDICallbacks<MIDISysEx>()
  private let makeClient: @Sendable (String) throws(MIDIError) -> any MIDISequencer
  let playThrough: @Sendable () -> Double
  let lock = MoMutex()
  var state = State()
  /// The sender for the open MIDI target; nil if no target is open.
  ///
  /// The property has a lock of its own, so that sending does not wait while another thread starts or stops the server.
  let sending = Locked<Sending?>(nil)
  private let name = Locked<String?>(nil)
  /// The shared beat by which files are played in a room; nil before `playFiles(by:)`.
  let partBeat = Locked<(@Sendable () -> BeatClock)?>(nil)
  /// The identity of the `Run` that ended last, for `hasEnded`; nil if none has ended.
  private let ended = Locked<ObjectIdentifier?>(nil)

  struct State {
    /// The port events that wait until `lock` is released; only then are they reported, since a callback may call the
    /// server.
    var pendingEvents: [MIDIPortEvent] = []
    var receiver: MIDIReceiver?
    var pump: MIDIPump?
    var network: NetworkPart?
    var input: MIDIInput?
    var hasInput = false
    var output: MIDIOutputInput?
    var tape: SensorTape?
    var run: Run?
    var clock: (output: MIDIClockOutput, leases: [ClockLease], run: Run)?
  }

  /// The ends of the pumps that were stopped and whose threads may still run; guarded by `lock`.
  var stopped: [MIDIPump.End] = []

  /// Returns the ends of the pumps that were stopped and whose threads may still run callbacks; call it with the lock
  /// held.
  func earlierPumps() -> [MIDIPump.End] {
    stopped.removeAll { $0.isReached }
    return stopped
  }

  struct Sending: Sendable {
    var sender: MIDISender
    var wake: @Sendable () -> Void
    var run: Run
  }

  /// Whether Avahi announces this program's network session, and finds the sessions of other machines.
  let usesAvahi: Bool

  /// - Parameters:
  ///   - usesAvahi: whether Avahi announces this program's network session, and finds the sessions of other machines.
  ///   - open: opens a client of the sequencer with the given name.
  ///   - playThrough: returns the seconds from a strike to its sound on the loudspeaker.
  package init(
    usesAvahi: Bool = true, open: @escaping @Sendable (String) throws(MIDIError) -> any MIDISequencer,
    playThrough: @escaping @Sendable () -> Double = { MoAudio.playThrough }
  ) { (self.usesAvahi, makeClient, self.playThrough) = (usesAvahi, open, playThrough) }

  /// Creates a server that is independent of the shared server, with its own client of the sequencer.
  package convenience init(clientName: String) {
    self.init(open: { name throws(MIDIError) in try ALSASequencer(name: name) })
    self.clientName = clientName
  }

  /// The name of this program's client of the sequencer, and of the client's port.
  ///
  /// The default is `MoMu` and the program's name, such as `MoMu Piano`; for the program `momu`, it is `MoMu`.
  package var clientName: String {
    get { name.withLock { $0 } ?? Self.programName }
    set { name.withLock { $0 = newValue } }
  }

  /// Whether `clientName` still has its default.
  package var isDefaultName: Bool { name.withLock { $0 == nil } }

  /// Returns the name of the first device that sends MIDI; nil if there is none, or no sequencer.
  ///
  /// A program that does not read MIDI shows this name to the user.
  package func firstKeyboard() -> String? {
    guard access("/dev/snd/seq", R_OK | W_OK) == 0 else { return nil }
    return (try? ports())?.first { $0.isDevice && $0.sends }?.fullName
  }

  private static let programName: String = {
    let path = CommandLine.arguments.first ?? ""
    let last = path.split(separator: "/").last.map(String.init) ?? ""
    return last.isEmpty || last == "momu" ? "MoMu" : "MoMu \(last)"
  }()

  package func onEvent(_ body: @escaping @Sendable (MIDIEvent) -> Void) -> MoToken {
    callbacks.add { event in body(copy event) }
  }

  package func onSysEx(_ body: @escaping @Sendable (MIDISysEx) -> Void) -> MoToken {
    sysExCallbacks.add { message in body(copy message) }
  }

  /// Runs `body` with `lock` held; see `MIDIPump.acquire`.
  func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    MIDIPump.acquire(lock)
    defer { lock.release() }
    return try body()
  }

  /// The names of the sources that are read now; empty if none is read.
  package var sourceNames: [String] {
    withLock {
      guard state.hasInput else { return [] }
      if let input = state.input { return [input.name] }
      return [state.pump, state.network?.pump].compactMap { $0 }.flatMap { pump in
        pump.perform { pump.isDeaf ? [] : pump.connections.names }
      }
    }
  }

  /// The number of received SysEx messages that were dropped: cut off, too long, or without a beginning.
  ///
  /// The number is 0 after `stop`.
  package var droppedSysEx: Int { withLock { state.receiver?.droppedSysEx ?? 0 } }

  /// Stops reading and sending, and releases the held notes, received notes as well as sent notes.
  ///
  /// The callbacks are not removed; the next start uses them again.
  package func stop() {
    let ending = withLock {
      defer { state = State() }
      stopped = earlierPumps() + [state.pump, state.network?.pump].compactMap { $0?.ending }
      return state
    }
    if let clock = ending.clock {
      clock.run.input.remove(clock.output)
      clock.output.close(at: clock.run.clock.now)
    }
    // Outside the lock, since the callback that it waits for may call `stop` itself.
    // The output closes last, so that messages from callbacks on the releases are still sent.
    if let input = ending.input { input.close() }
    ending.pump?.stop()
    ending.network?.pump.stop()
    if let output = ending.output { output.close() }
    sending.withLock { sending in
      let own = [ending.pump?.sender, ending.network?.pump.sender, ending.output?.sender]
      let isOwn = sending.map { sending in own.contains { $0 === sending.sender } }
      if isOwn ?? false { sending = nil }
    }
    ending.tape?.close()
  }

  /// Whether a run of the program has ended; after the end, no source and no target of the run may be opened.
  ///
  /// This check is needed because a sensor's thread may still try to send after the end, which would open the target
  /// again.
  func hasEnded(_ run: Run) -> Bool { ended.withLock { $0 == ObjectIdentifier(run) } }

  /// Whether messages wait to be sent.
  package var isSending: Bool {
    let (pumps, output) = withLock { ([state.pump, state.network?.pump], state.output) }
    for case let pump? in pumps where pump.perform({ pump.sender.hasWaiting }) { return true }
    return output?.isBusy ?? false
  }

  /// Stops reading and sending as `stop` does, but does not release sent notes: a note-on that was sent alone continues
  /// to sound.
  package func leave() {
    let pumps = withLock { [state.pump, state.network?.pump] }
    for case let pump? in pumps { pump.perform { pump.sender.forget() } }
    stop()
  }

  func begin(in run: Run) throws {
    guard state.receiver == nil else { return }
    let channel = run.options.midiChannel.flatMap { MIDIChannel(exactly: $0 - 1) }
    state.receiver = MIDIReceiver(channel: channel, callbacks, sysExCallbacks)
    state.run = run
    run.atEnd(of: self) { [weak run] server in
      if let run { server.ended.withLock { $0 = ObjectIdentifier(run) } }
      server.stop()
    }
  }

  /// Returns the pump, whose thread reads from and sends to the sequencer; the first call starts the thread.
  func pump(_ run: Run) throws(MIDIError) -> MIDIPump {
    if let pump = state.pump { return pump }
    guard let receiver = state.receiver else { throw .noThread(reason: "the server has stopped") }
    let pump = MIDIPump(
      try makeClient(clientName), receiver, clock: run.clock, after: earlierPumps()
    ) { [weak self] event in self?.notify(event, run) }
    // Until it is read, so that two threads do not call the callbacks.
    pump.isDeaf = true
    try pump.start()
    state.pump = pump
    return pump
  }

  /// Closes the pump if neither input nor output uses it.
  func endUnused() {
    guard !state.hasInput, sending.withLock({ $0 == nil }) else { return }
    state.pump?.stop()
    state.pump = nil
  }

  func notifyPortEvents(_ run: Run) {
    let events = withLock {
      defer { state.pendingEvents = [] }
      return state.pendingEvents
    }
    for event in events { notify(event, run) }
  }

  func notify(_ event: MIDIPortEvent, _ run: Run) {
    switch event {
    case .using(let name): run.notice("Reading MIDI from \(name).")
    case .sending(let name): run.notice("Sending MIDI to \(name).")
    case .lost(let name): MoLog.log(.warning, "\(name) is gone; its notes were released")
    case .lostOutput(let name): MoLog.log(.warning, "\(name) is gone; nothing is sent to it until it is back")
    case .overrun: MoLog.log(.warning, "MIDI came faster than it was read; held notes were released")
    case .outputEnded(let reason), .recordingEnded(let reason): MoLog.log(.warning, reason)
    }
    events.call(event)
  }

  /// Returns the sequencer ports of the other programs and of the devices, for lists such as `momu midi list`.
  ///
  /// - Throws: `MIDIError` if there is no sequencer.
  package func ports() throws(MIDIError) -> [MIDIPort] { try makeClient(clientName).ports() }
}
