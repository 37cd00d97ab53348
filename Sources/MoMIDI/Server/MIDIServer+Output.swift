import MIDICore
import MoCore
import MoRuntime

extension MIDIServer {
  /// Opens the target, unless it is nil, and then the source.
  ///
  /// In the other order, a callback that sends a first message could open the default target before the given target.
  ///
  /// - Throws: the errors of `startOutput` and `startInput`.
  package func start(source: String? = nil, target: String? = nil, in run: Run) throws {
    if let target { try startOutput(target: target, in: run) }
    try startInput(source: source, in: run)
  }

  /// Opens the MIDI target; does nothing if a target is open already, or if `run` has ended.
  ///
  /// - Parameter target: a target in the form of the option `--midi-out`; if the option is given, it replaces this
  ///   value. Nil means all receivers that are connected to this program's port; offline, it means no receiver.
  /// - Throws: `MIDIError`.
  package func startOutput(target: String? = nil, in run: Run) throws {
    guard sending.withLock({ $0 == nil }) else { return }
    defer { notifyPortEvents(run) }
    let joining = try withLock { () -> Joining? in
      guard sending.withLock({ $0 == nil }), !hasEnded(run) else { return nil }
      try begin(in: run)
      let asked = run.options.midiOut ?? target
      let name = try asked.map { (text) throws(MIDIError) in try MIDITargetName(text) }
      return try openOutput(name, text: asked ?? "", run)
    }
    if let joining { try finish(joining, run) }
  }

  /// Opens a target; call it with the lock held.
  ///
  /// - Returns: for a network session, the call to finish; else nil.
  func openOutput(_ name: MIDITargetName?, text: String, _ run: Run) throws(MIDIError) -> Joining? {
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
    case .network(let name)?: return try join(name, run, reads: false)
    case .port(let port)?: try send(through: .named(port), run)
    case .file(let path)?:
      let file = try MIDIFileDestination(
        path: path, start: run.isOffline ? .zero : run.clock.now, grows: !run.isOffline
      ) { [weak self] reason in self?.notify(.outputEnded(reason: reason), run) }
      try send(to: file, run)
      state.pendingEvents.append(.sending(name: text))
    case .subscribers?: try send(through: .none, run)
    }
    return nil
  }

  func send(through request: MIDIConnections.Request, _ run: Run) throws(MIDIError) {
    let pump = try pump(run)
    let waits = run.waitsForDevices
    let (now, failure) = (run.clock.now, Locked<MIDIError?>(nil))
    pump.perform {
      do throws(MIDIError) {
        try pump.connections.send(request, waits: waits, at: now)
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

  func send(to destination: any MIDIDestination, _ run: Run) throws(MIDIError) {
    let output = MIDIOutputInput(MIDISender(destination), run)
    state.output = output
    try output.begin()
    sending.withLock { $0 = Sending(sender: output.sender, wake: { run.input.wakeUp() }, run: run) }
  }

  /// Puts an order, such as a message to send, into the sender's queue until `time`; opens the MIDI target first if
  /// necessary.
  ///
  /// - Throws: `MIDIError.queueFull`, or the errors of `startOutput`.
  package func send(_ order: MIDISender.Order, at time: HostTime, in run: Run) throws {
    try startOutput(in: run)
    guard let sending = sending.withLock({ $0 }) else { return }
    guard sending.sender.add(order, at: time) else { throw MIDIError.queueFull }
    sending.wake()
  }

  /// Puts a SysEx message into the sender's queue until `time`; opens the MIDI target first if necessary.
  ///
  /// - Parameter bytes: the message, from F0 to F7.
  /// - Throws: `MIDIError.queueFull`, or the errors of `startOutput`.
  package func sendSysEx(_ bytes: [UInt8], at time: HostTime, in run: Run) throws {
    try startOutput(in: run)
    guard let sending = sending.withLock({ $0 }) else { return }
    guard sending.sender.addSysEx(bytes, at: time) else { throw MIDIError.queueFull }
    sending.wake()
  }

  /// Returns the time at which to send a message that was played at `played`, or that is to be heard at `heard`.
  ///
  /// A message with a time `played` is sent `MoAudio.playThrough` later, so that gear sounds together with the
  /// loudspeaker. If both times are nil, the present time stands for `played`. In all cases `--midi-trim` is added.
  package func leaving(at played: HostTime?, heardAt heard: HostTime?, in run: Run) -> HostTime {
    let time = heard ?? (played ?? run.clock.now).advanced(bySeconds: playThrough())
    return time.advanced(bySeconds: run.options.midiTrim * 1e-3)
  }

  /// Throws an error if the target is a port that does not exist now; other targets, such as files, are not checked.
  ///
  /// - Parameter target: a target in the form of `--midi-out`.
  /// - Throws: `MIDIError`.
  package func check(target: String) throws(MIDIError) {
    guard case .port(let name) = try MIDITargetName(target) else { return }
    let ports = try ports().filter(\.receives)
    guard !name.matches(in: ports).isEmpty else { throw name.error(option: "midi-out", ports: ports) }
  }
}
