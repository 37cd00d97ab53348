import Glibc
import MIDICore
import MoAudioDevices
import MoCore
import MoRuntime
import MoSensing

/// The server of `MoMIDI`: reads a source, sends to a target, calls the program's callbacks.
///
/// - Thread: any; callbacks run on `mo-midi`, or on the run's input thread for tapes, files and simulated players.
package final class MIDIServer: @unchecked Sendable {
  // Unchecked: `state` is guarded by `lock`.
  /// The server that `MoMIDI` uses.
  package static let shared = MIDIServer(open: { name throws(MIDIError) in try ALSASequencer(name: name) })

  /// A second server, for a bridge from the sequencer to a network session.
  package static let network = MIDIServer(open: { _ throws(MIDIError) in
    throw .noSequencer(reason: "this server only uses the network")
  })

  package let events = CallbackList<MIDIPortEvent>()
  private let callbacks = MIDICallbacks<MIDIEvent>()
  private let sysExCallbacks = MIDICallbacks<MIDISysEx>()
  private let makeClient: @Sendable (String) throws(MIDIError) -> any MIDISequencer
  private let playThrough: @Sendable () -> Double
  let lock = MoMutex()
  var state = State()
  /// The current sender; read without the lock that starting and stopping hold.
  let sending = Locked<Sending?>(nil)
  private let name = Locked<String?>(nil)
  /// The shared beat by which files are played in a room; nil before one was joined.
  private let partBeat = Locked<(@Sendable () -> BeatClock)?>(nil)
  /// The run that has ended: nothing may start in it any more.
  private let ended = Locked<ObjectIdentifier?>(nil)

  struct State {
    /// The port events to report after the lock is released, since a callback may call the server.
    var news: [MIDIPortEvent] = []
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

  struct Sending: Sendable {
    var sender: MIDISender
    var wake: @Sendable () -> Void
    var run: Run
  }

  /// Whether network sessions are announced and found by Avahi.
  let usesAvahi: Bool

  /// - Parameters:
  ///   - usesAvahi: whether network sessions are announced and found by Avahi.
  ///   - open: opens a client of the sequencer with the given name.
  ///   - playThrough: the seconds from a stroke to its sound.
  package init(
    usesAvahi: Bool = true, open: @escaping @Sendable (String) throws(MIDIError) -> any MIDISequencer,
    playThrough: @escaping @Sendable () -> Double = { MoAudio.playThrough }
  ) { (self.usesAvahi, makeClient, self.playThrough) = (usesAvahi, open, playThrough) }

  /// Creates a server beside the shared one, with a client of its own.
  package convenience init(clientName: String) {
    self.init(open: { name throws(MIDIError) in try ALSASequencer(name: name) })
    self.clientName = clientName
  }

  /// The name of the client and its port; at first `MoMu` and the program's name.
  package var clientName: String {
    get { name.withLock { $0 } ?? Self.programName }
    set { name.withLock { $0 = newValue } }
  }

  /// Whether the client is still named after the program.
  package var isDefaultName: Bool { name.withLock { $0 == nil } }

  /// The first device that sends, for programs that read none; nil without a sequencer.
  package func firstKeyboard() -> String? {
    guard access("/dev/snd/seq", R_OK | W_OK) == 0 else { return nil }
    return (try? ports())?.first { $0.isDevice && $0.sends }?.fullName
  }

  private static let programName: String = {
    let path = CommandLine.arguments.first ?? ""
    let last = path.split(separator: "/").last.map(String.init) ?? ""
    return last.isEmpty || last == "momu" ? "MoMu" : "MoMu \(last)"
  }()

  // MARK: Callbacks

  package func onEvent(_ body: @escaping @Sendable (MIDIEvent) -> Void) -> MoToken {
    callbacks.add { event in body(copy event) }
  }

  package func onSysEx(_ body: @escaping @Sendable (MIDISysEx) -> Void) -> MoToken {
    sysExCallbacks.add { message in body(copy message) }
  }

  // MARK: Starting

  /// The names of the current sources.
  var sourceNames: [String] {
    lock.withLock {
      guard state.hasInput else { return [] }
      if let input = state.input { return [input.name] }
      return [state.pump, state.network?.pump].compactMap { $0 }.flatMap { pump in
        pump.perform { pump.isDeaf ? [] : pump.connections.names }
      }
    }
  }

  /// Starts to read; does nothing if it already reads.
  ///
  /// - Parameter source: as `--midi` names it, which overrides it; nil for all keyboards, or a simulated player if there is
  ///   no sequencer.
  /// - Throws: `MIDIError`, or `SensorError` for a tape.
  package func startInput(source: String? = nil, in run: Run) throws {
    defer { tellNews(run) }
    try lock.withLock {
      guard !state.hasInput, !hasEnded(run) else { return }
      try begin(in: run)
      let asked = run.options.midi ?? source
      let name = try asked.map { (text) throws(MIDIError) in try MIDISourceName(text) }
      try openInput(name, text: asked ?? "", run)
      state.hasInput = true
    }
  }

  /// Starts to send; does nothing if it already sends.
  ///
  /// - Parameter target: as `--midi-out` names it, which overrides it; nil for whatever is connected to our port.
  /// - Throws: `MIDIError`.
  package func startOutput(target: String? = nil, in run: Run) throws {
    guard sending.withLock({ $0 == nil }) else { return }
    defer { tellNews(run) }
    try lock.withLock {
      guard sending.withLock({ $0 == nil }), !hasEnded(run) else { return }
      try begin(in: run)
      let asked = run.options.midiOut ?? target
      let name = try asked.map { (text) throws(MIDIError) in try MIDITargetName(text) }
      try openOutput(name, text: asked ?? "", run)
    }
  }

  /// Stops reading and sending, and releases held notes at both ends; callbacks stay for the next start.
  package func stop() {
    let ending = lock.withLock {
      defer { state = State() }
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

  /// Whether a run has ended, in which a sensor's thread may still send.
  private func hasEnded(_ run: Run) -> Bool { ended.withLock { $0 == ObjectIdentifier(run) } }

  /// Whether messages wait to be sent.
  package var isSending: Bool {
    let (pumps, output) = lock.withLock { ([state.pump, state.network?.pump], state.output) }
    for case let pump? in pumps where pump.perform({ pump.sender.hasWaiting }) { return true }
    return output?.isBusy ?? false
  }

  /// Closes the ports and leaves sent notes as they are, such as a note-on that was sent alone.
  package func leave() {
    let pumps = lock.withLock { [state.pump, state.network?.pump] }
    for case let pump? in pumps { pump.perform { pump.sender.forget() } }
    stop()
  }

  /// Returns the messages and the duration of a tape, a file or a simulated player, as `--midi` names it.
  ///
  /// - Throws: `MIDIError`, `SensorError`.
  package static func steps(source: String) throws -> (steps: [MIDIScore.Step], nanoseconds: Int64) {
    switch try MIDISourceName(source) {
    case .tape(let path):
      let tape = try MIDITape.steps(path)
      return (tape.steps, tape.nanoseconds)
    case .file(let path, let track):
      return try MIDIFileScore.steps(of: try MIDIFileScore.read(path), track: track, path: path)
    case .simulated(let player): return SimulatedMIDI.steps(of: player)
    case .keyboards, .port, .network, .nothing: return ([], 0)
    }
  }

  private func begin(in run: Run) throws {
    guard state.receiver == nil else { return }
    let channel = run.options.midiChannel.flatMap { MIDIChannel(exactly: $0 - 1) }
    state.receiver = MIDIReceiver(channel: channel, callbacks, sysExCallbacks)
    state.run = run
    run.atEnd(of: self) { [weak run] server in
      if let run { server.ended.withLock { $0 = ObjectIdentifier(run) } }
      server.stop()
    }
  }

  private func tellNews(_ run: Run) {
    let events = lock.withLock {
      defer { state.news = [] }
      return state.news
    }
    for event in events { tell(event, run) }
  }

  func tell(_ event: MIDIPortEvent, _ run: Run) {
    switch event {
    case .using(let name): run.notice("Reading MIDI from \(name).")
    case .sending(let name): run.notice("Sending MIDI to \(name).")
    case .lost(let name): MoLog.log(.warning, "\(name) is gone; its notes were released")
    case .lostOutput(let name): MoLog.log(.warning, "\(name) is gone; nothing is sent to it until it is back")
    case .overrun: MoLog.log(.warning, "MIDI came faster than it was read; held notes were released")
    case .outputEnded(let reason): MoLog.log(.warning, reason)
    }
    events.call(event)
  }

  private func openInput(_ name: MIDISourceName?, text: String, _ run: Run) throws {
    switch name {
    case nil where run.isOffline: try play(.simulated(.scale), text: "sim:scale", run)
    case nil:
      do throws(MIDIError) {
        try read(.keyboards, run)
      } catch {
        run.notice("\(error). Until then a simulated player plays.")
        try play(.simulated(.scale), text: "sim:scale", run)
      }
    case .keyboards? where run.isOffline, .port? where run.isOffline, .network? where run.isOffline:
      throw MIDIError.notOffline(text, option: "midi")
    case .keyboards?: try read(.keyboards, run)
    case .port(let port)?: try read(.named(port), run)
    case .network(let name)?: try join(name, run, reads: true)
    case .nothing?: break
    case let other?: try play(other, text: text, run)
    }
    try record(text, run)
  }

  private func read(_ wish: MIDIConnections.Wish, _ run: Run) throws(MIDIError) {
    let pump = try pump(run)
    let waits = run.waitsForDevices
    let (now, failure) = (run.clock.now, Locked<MIDIError?>(nil))
    let count = pump.perform {
      do throws(MIDIError) {
        pump.isDeaf = false
        try pump.connections.read(wish, waits: waits, at: now)
      } catch {
        failure.withLock { $0 = error }
      }
      return pump.connections.names.count
    }
    if let error = failure.withLock({ $0 }) {
      endUnused()
      throw error
    }
    if count == 0 {
      run.notice(
        "No MIDI keyboard is connected; one that is plugged in is used, or connect one to \"\(clientName)\".")
    }
  }

  /// Closes a pump without users.
  private func endUnused() {
    guard !state.hasInput, sending.withLock({ $0 == nil }) else { return }
    state.pump?.stop()
    state.pump = nil
  }

  private func play(_ name: MIDISourceName, text: String, _ run: Run) throws {
    guard let receiver = state.receiver else { return }
    let steps: [MIDIScore.Step]
    let (length, loops): (Int64, Bool)
    switch name {
    case .tape(let path): (steps, length, loops) = try MIDITape.steps(path)
    case .file(let path, let track):
      let file = try MIDIFileScore.read(path)
      for remark in file.remarks { MoLog.log(.warning, "\(path): \(remark)") }
      if try playByBeat(file, track: track, path: path, text: text, run) { return }
      (steps, length) = try MIDIFileScore.steps(of: file, track: track, path: path)
      loops = false
    case .simulated(let player):
      (steps, length) = SimulatedMIDI.steps(of: player)
      loops = true
    default: return
    }
    let input = MIDIInput(name: text, steps, nanoseconds: length, loops: loops, receiver, run)
    state.input = input
    try input.begin()
    state.news.append(.using(name: text))
  }

  /// Plays a file by the room's beat, if a room is named; returns false if none is, or the file has no beats.
  private func playByBeat(_ file: MIDIFile, track: Int?, path: String, text: String, _ run: Run) throws
    -> Bool
  {
    guard run.options.given.contains("room"), let receiver = state.receiver else { return false }
    guard let (steps, length) = try MIDIFileScore.beatSteps(of: file, track: track, path: path) else {
      run.notice("\(path) is in time code, without beats: it is played at once, not by the room's beat")
      return false
    }
    let input = MIDIInput(
      name: text, steps, length: length,
      beat: { [partBeat] in partBeat.withLock { $0 }?() ?? BeatClock(clock: .init(), timeline: nil) },
      // The other members of the room need to know a note before it is due.
      lead: { MoAudio.soundLead + (run.isOffline ? 0.005 : 0.35) }, receiver, run)
    state.input = input
    try input.begin()
    run.notice("\(text) plays by the room's beat, from the first bar line on.")
    return true
  }

  /// Sets the shared beat by which files are played in a room.
  package func playFiles(by beat: @escaping @Sendable () -> BeatClock) { partBeat.withLock { $0 = beat } }

  private func openOutput(_ name: MIDITargetName?, text: String, _ run: Run) throws(MIDIError) {
    switch name {
    case nil where run.isOffline, .nothing?: try send(to: NoMIDIDestination(), run)
    case nil:
      do throws(MIDIError) {
        try send(through: .none, run)
      } catch {
        run.notice("\(error). Until then nothing is sent.")
        try send(to: NoMIDIDestination(), run)
      }
    case .port? where run.isOffline, .network? where run.isOffline:
      throw .notOffline(text, option: "midi-out")
    case .network(let name)?: try join(name, run, reads: false)
    case .port(let port)?: try send(through: .named(port), run)
    case .file(let path)?:
      let file = try MIDIFileDestination(
        path: path, start: run.isOffline ? .zero : run.clock.now, grows: !run.isOffline
      ) { [weak self] reason in self?.tell(.outputEnded(reason: reason), run) }
      try send(to: file, run)
      state.news.append(.sending(name: text))
    case .subscribers?: try send(through: .none, run)
    }
  }

  private func send(through wish: MIDIConnections.Wish, _ run: Run) throws(MIDIError) {
    let pump = try pump(run)
    let waits = run.waitsForDevices
    let (now, failure) = (run.clock.now, Locked<MIDIError?>(nil))
    pump.perform {
      do throws(MIDIError) {
        try pump.connections.send(wish, waits: waits, at: now)
      } catch {
        failure.withLock { $0 = error }
      }
    }
    if let error = failure.withLock({ $0 }) {
      endUnused()
      throw error
    }
    sending.withLock { $0 = Sending(sender: pump.sender, wake: { [weak pump] in pump?.wake() }, run: run) }
  }

  private func send(to destination: any MIDIDestination, _ run: Run) throws(MIDIError) {
    let output = MIDIOutputInput(MIDISender(destination), run)
    state.output = output
    try output.begin()
    sending.withLock { $0 = Sending(sender: output.sender, wake: { run.input.lookAgain() }, run: run) }
  }

  private func pump(_ run: Run) throws(MIDIError) -> MIDIPump {
    if let pump = state.pump { return pump }
    guard let receiver = state.receiver else { throw .noThread(reason: "the server has stopped") }
    let pump = MIDIPump(try makeClient(clientName), receiver, clock: run.clock) { [weak self] event in
      self?.tell(event, run)
    }
    // Until it is read, so that two threads do not call the callbacks.
    pump.isDeaf = true
    try pump.start()
    state.pump = pump
    return pump
  }

  private func record(_ source: String, _ run: Run) throws {
    guard let receiver = state.receiver else { return }
    let tape = try SensorTape.open(
      in: run, from: run.clock.now, source: "midi \(source)", report: { MoLog.log(.warning, $0) })
    guard let tape else { return }
    state.tape = tape
    receiver.record { message, time in tape.record(message.message, at: time) }
  }

  // MARK: Sending

  /// Sends a message at its time.
  ///
  /// - Throws: `MIDIError.queueFull`, or what starting throws.
  package func send(_ order: MIDISender.Order, at time: HostTime, in run: Run) throws {
    try startOutput(in: run)
    guard let sending = sending.withLock({ $0 }) else { return }
    guard sending.sender.add(order, at: time) else { throw MIDIError.queueFull }
    sending.wake()
  }

  /// Sends a SysEx message at its time.
  package func sendSysEx(_ bytes: [UInt8], at time: HostTime, in run: Run) throws {
    try startOutput(in: run)
    guard let sending = sending.withLock({ $0 }) else { return }
    guard sending.sender.addSysEx(bytes, at: time) else { throw MIDIError.queueFull }
    sending.wake()
  }

  /// Leads gear by MIDI clock from now on.
  ///
  /// - Parameter beat: the shared beat.
  /// - Throws: `MIDIError.clockTaken`, or what starting throws.
  package func lead(_ beat: @escaping @Sendable () -> BeatClock, in run: Run) throws {
    try startOutput(in: run)
    try lock.withLock {
      guard state.clock == nil else { throw MIDIError.clockTaken(port: run.options.midiOut ?? clientName) }
      // Another program may name the same port differently.
      let ports = state.pump.map { pump in pump.perform { pump.connections.targetNames } } ?? []
      let leases = try ports.map { port throws(MIDIError) in
        guard let lease = ClockLease(port: port) else { throw .clockTaken(port: port) }
        return lease
      }
      let start = run.isOffline ? HostTime.zero : run.clock.now
      let output = MIDIClockOutput(from: start, trim: run.options.midiTrim * 1e-3, beat) {
        [weak self] message, time in try? self?.send(.message(message), at: time, in: run)
      }
      do {
        try run.input.add(output) { _ in }
      } catch {
        throw MIDIError.noThread(reason: "\(error)")
      }
      state.clock = (output, leases, run)
    }
  }

  /// Follows the clock of gear from now on.
  ///
  /// - Throws: as `startInput`.
  package func follow(in run: Run) throws -> MIDIClockInput {
    let input = MIDIClockInput()
    _ = onEvent { input.take($0) }
    try startInput(in: run)
    return input
  }

  /// Returns the send time of a message that was played, or is to be heard, at a given time.
  ///
  /// Gear sounds together with the loudspeaker. A played message is heard `MoAudio.playThrough` later, and is sent
  /// then.
  package func leaving(at played: HostTime?, heardAt heard: HostTime?, in run: Run) -> HostTime {
    let time = heard ?? (played ?? run.clock.now).advanced(bySeconds: playThrough())
    return time.advanced(bySeconds: run.options.midiTrim * 1e-3)
  }

  /// Checks that a target can be sent to now.
  ///
  /// - Throws: `MIDIError`.
  package func check(target: String) throws(MIDIError) {
    guard case .port(let name) = try MIDITargetName(target) else { return }
    let ports = try ports().filter(\.receives)
    guard !name.matches(in: ports).isEmpty else { throw name.error(option: "midi-out", ports: ports) }
  }

  /// Returns the ports of other clients, for lists.
  ///
  /// - Throws: `MIDIError` if there is no sequencer.
  package func ports() throws(MIDIError) -> [MIDIPort] { try makeClient(clientName).ports() }
}
