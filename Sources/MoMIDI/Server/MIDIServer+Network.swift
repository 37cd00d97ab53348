import MIDICore
import MoCore
import MoRuntime

extension MIDIServer {
  /// The network session, and the pump whose thread drives the session.
  struct NetworkPart {
    var session: MIDINetwork
    var pump: MIDIPump
    /// The number of calls of `join` for the session, without those for which `finish` has failed.
    var users = 0
  }

  /// A use of the network session that has begun: `finish` waits for the peer.
  struct Joining {
    var name: MIDINetworkName
    var part: NetworkPart
    /// Whether the session is read; if false, messages are sent to it.
    var reads: Bool
  }

  /// The timeouts for Avahi to find a session, and for the session to answer; both begin when the program begins to
  /// wait.
  private static let timeouts = (finding: Duration.seconds(4), answer: Duration.seconds(8))

  /// Opens the program's network session for input or output; call it with the lock held.
  ///
  /// After the caller has released the lock, it calls `finish`. A program has a single network session, which input and
  /// output share.
  ///
  /// - Parameter reads: whether to read from the session; if false, to send to it.
  /// - Throws: `MIDIError`.
  func join(_ name: MIDINetworkName, _ run: Run, reads: Bool) throws(MIDIError) -> Joining {
    let isNew = state.network == nil
    var part = try networkPart(name, run)
    let (pump, now) = (part.pump, run.clock.now)
    pump.perform {
      // A port that is not there is waited for, so that nothing is thrown.
      if reads {
        pump.isDeaf = false
        try? pump.connections.read(.keyboards, waits: true, at: now)
      } else {
        try? pump.connections.send(.keyboards, waits: true, at: now)
      }
    }
    if isNew { try pump.start() }
    part.users += 1
    state.network = part
    return Joining(name: name, part: part, reads: reads)
  }

  /// Calls the peer that `join` was called for; for `net:NAME` and `net:HOST:PORT`, waits for that peer.
  ///
  /// The wait ends when the peer has accepted the connection, or when the server is stopped. A program that accepts
  /// missing devices, such as a rig, does not wait. The lock is not held meanwhile, since the wait may last seconds.
  ///
  /// - Throws: `MIDIError`.
  func finish(_ joining: Joining, _ run: Run) throws(MIDIError) {
    let (session, pump) = (joining.part.session, joining.part.pump)
    do throws(MIDIError) {
      try session.want(joining.name)
      if !run.waitsForDevices { try wait(for: joining.name, session) }
    } catch {
      let isUnused = withLock { () -> Bool in
        guard isOpen(session) else { return false }
        if joining.reads { state.hasInput = false }
        state.network?.users -= 1
        guard state.network?.users == 0 else { return false }
        stopped = earlierPumps() + [pump.ending]
        state.network = nil
        return true
      }
      if isUnused { pump.stop() }
      throw error
    }
    guard !joining.reads else { return }
    withLock {
      guard isOpen(session) else { return }
      sending.withLock { $0 = Sending(sender: pump.sender, wake: { [weak pump] in pump?.wake() }, run: run) }
    }
  }

  /// Whether the session is the server's present session; call it with the lock held.
  private func isOpen(_ session: MIDINetwork) -> Bool { state.network?.session === session }

  private func networkPart(_ name: MIDINetworkName, _ run: Run) throws(MIDIError) -> NetworkPart {
    if let part = state.network { return part }
    guard let receiver = state.receiver else { throw .noThread(reason: "the server has stopped") }
    var (port, accepts) = (Int?.none, false)
    if case .session(let number) = name { (port, accepts) = (number, true) }
    let session = try MIDINetwork(
      program: clientName, port: port, accepts: accepts, usesAvahi: usesAvahi, clock: run.clock,
      note: { run.notice($0) })
    let pump = MIDIPump(session, receiver, clock: run.clock, after: earlierPumps()) { [weak self] event in
      self?.notify(event, run)
    }
    pump.isDeaf = true
    session.onChange { [weak pump] in pump?.wake() }
    if accepts {
      run.notice(
        "MIDI network session \"\(session.sessionName)\", UDP ports \(session.port) and \(session.port + 1).")
    }
    return NetworkPart(session: session, pump: pump)
  }

  private func wait(for name: MIDINetworkName, _ session: MIDINetwork) throws(MIDIError) {
    if case .session = name { return }
    let start = SystemClock().now
    while true {
      guard withLock({ isOpen(session) }) else { throw .noThread(reason: "the server has stopped") }
      let waited = SystemClock().now.nanoseconds(since: start)
      switch session.outcome(of: name) {
      case .joined?: return
      case .refused(let peer)?: throw .refused(peer)
      case .unanswered(let peer)?: throw .noAnswer(peer)
      case nil: break
      }
      if case .named(let text) = name, !session.hasFound(text) {
        if waited > 1_500_000_000, let problem = session.problem { throw .noAvahi(reason: problem.reason) }
        if waited > Self.timeouts.finding.nanoseconds { throw session.missing(text) }
      }
      if waited > Self.timeouts.answer.nanoseconds { throw .noAnswer(session.text(of: name)) }
      session.hasChanged.wait(for: .milliseconds(50))
    }
  }
}
