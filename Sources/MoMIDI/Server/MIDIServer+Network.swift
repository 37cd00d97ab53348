import MIDICore
import MoCore
import MoRuntime

extension MIDIServer {
  /// The network session, and the pump whose thread drives the session.
  struct NetworkPart {
    var session: MIDINetwork
    var pump: MIDIPump
  }

  /// The timeouts for Avahi to find a session, and for the session to answer; both begin when the program begins to
  /// wait.
  private static let patience = (finding: Duration.seconds(4), answer: Duration.seconds(8))

  /// Opens the program's network session for input or output; for `net:NAME` and `net:HOST:PORT`, waits for that peer.
  ///
  /// The wait ends when the peer has accepted the connection. A program that accepts missing devices, such as a rig,
  /// does not wait. A program has a single network session, which input and output share.
  ///
  /// - Parameter reads: whether to read from the session; if false, to send to it.
  /// - Throws: `MIDIError`.
  func join(_ name: MIDINetworkName, _ run: Run, reads: Bool) throws(MIDIError) {
    let part = try networkPart(name, run)
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
    let isNew = state.network == nil
    do throws(MIDIError) {
      if isNew { try pump.start() }
      state.network = part
      try part.session.want(name)
      if !run.waitsForDevices { try wait(for: name, part.session) }
    } catch {
      if isNew {
        pump.stop()
        state.network = nil
      }
      throw error
    }
    if !reads {
      sending.withLock { $0 = Sending(sender: pump.sender, wake: { [weak pump] in pump?.wake() }, run: run) }
    }
  }

  private func networkPart(_ name: MIDINetworkName, _ run: Run) throws(MIDIError) -> NetworkPart {
    if let part = state.network { return part }
    guard let receiver = state.receiver else { throw .noThread(reason: "the server has stopped") }
    var (port, accepts) = (Int?.none, false)
    if case .session(let number) = name { (port, accepts) = (number, true) }
    let session = try MIDINetwork(
      program: clientName, port: port, accepts: accepts, usesAvahi: usesAvahi, clock: run.clock,
      note: { run.notice($0) })
    let pump = MIDIPump(session, receiver, clock: run.clock, after: earlierPumps()) { [weak self] event in
      self?.tell(event, run)
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
      let waited = SystemClock().now.nanoseconds(since: start)
      switch session.outcome(of: name) {
      case .joined?: return
      case .refused(let peer)?: throw .refused(peer)
      case .unanswered(let peer)?: throw .noAnswer(peer)
      case nil: break
      }
      if case .named(let text) = name, !session.hasFound(text) {
        if waited > 1_500_000_000, let trouble = session.trouble { throw .noAvahi(reason: trouble.reason) }
        if waited > Self.patience.finding.nanoseconds { throw session.missing(text) }
      }
      if waited > Self.patience.answer.nanoseconds { throw .noAnswer(session.text(of: name)) }
      session.hasChanged.wait(for: .milliseconds(50))
    }
  }
}
