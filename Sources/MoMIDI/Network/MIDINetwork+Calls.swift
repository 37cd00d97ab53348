import CMoSystem
import MIDICore
import MoCore
import MoMu
import Synchronization

/// Functions that call other sessions: any thread requests the calls, and the driving thread makes them.
extension MIDINetwork {
  /// A search for sessions by Avahi, which may also announce this session.
  struct Finding: Sendable {
    var avahi: AvahiFinding<MIDINetworkPlace>
    var isAnnounced: Bool
  }

  /// A request to the driving thread.
  enum Order {
    case want(MIDINetworkName, host: MIDIEndpoint?)
    case resolved(MIDINetworkName, MIDIEndpoint)
    case findings([ServiceDirectory<MIDINetworkPlace>.Finding])
  }

  /// The result of calling a session that was passed to `want`.
  ///
  /// The text of `refused` and `unanswered` is the called address. If Avahi found the session, the text is the
  /// session's name with the address in brackets.
  enum Outcome: Hashable, Sendable {
    case joined
    case refused(String)
    case unanswered(String)
  }

  private static let avahiTimeout = Duration.milliseconds(1500)

  // MARK: From any thread

  /// Stores a function that wakes the driving thread; it is called whenever there is a change that the driving thread
  /// must handle.
  func onChange(_ wake: @escaping @Sendable () -> Void) { waker.withLock { $0 = wake } }

  /// Announces this session and accepts peers (`net`), or calls another session (`net:NAME`, `net:HOST:PORT`), from now
  /// on.
  ///
  /// - Throws: `MIDIError.network` if the host is unknown; looking it up may take some seconds.
  func want(_ name: MIDINetworkName) throws(MIDIError) {
    var endpoint: MIDIEndpoint?
    if case .host(let host, let port) = name {
      guard let address = Self.resolve(host, port) else { throw .network("\(NetError.unknownHost(host))") }
      endpoint = address
    }
    add(.want(name, host: endpoint))
    switch name {
    case .session: seek(announces: true)
    case .named: seek(announces: false)
    case .host(let host, let port): lookUpAgain(name, host, port)
    }
  }

  private static func resolve(_ host: String, _ port: Int) -> MIDIEndpoint? {
    var address = momu_address()
    return momu_address_resolve(host, UInt16(port), &address) == 0 ? MIDIEndpoint(address) : nil
  }

  /// Starts the repeated lookups of a host name; does nothing for an address, or if no thread can be started.
  private func lookUpAgain(_ name: MIDINetworkName, _ host: String, _ port: Int) {
    guard NetAddress(ip: host, port: port) == nil else { return }
    lookups.withLock { lookups in
      guard lookups != nil, lookups?[name] == nil else { return }
      lookups?[name] = try? MIDINameLookup(
        resolve: { Self.resolve(host, port) }, found: { [weak self] in self?.add(.resolved(name, $0)) })
    }
  }

  /// Starts Avahi's search for sessions; also lets Avahi announce this session if `announces` is true.
  private func seek(announces: Bool) {
    guard usesAvahi else { return }
    finding.withLock { finding in
      if let finding, finding.isAnnounced || !announces { return }
      finding?.avahi.stop()
      let own = announces ? (sessionName, port) : nil
      let avahi = try? AvahiFinding(
        MIDINetworkPlace.directory(own: own, now: clock.now), type: MIDINetworkPlace.type, strings: [],
        port: UInt16(port), clock: clock, isMissing: { _ in true },
        receive: { [weak self] findings in self?.add(.findings(findings)) })
      finding = avahi.map { Finding(avahi: $0, isAnnounced: announces) }
    }
  }

  /// Returns the result of calling a session that was passed to `want`; nil while the call has no result.
  func outcome(of name: MIDINetworkName) -> Outcome? { outcomes.withLock { $0[name] } }

  /// Whether Avahi has found a session with this name, or with a name that contains it.
  func hasFound(_ name: String) -> Bool { found.withLock { !MIDINetworkPlace.matches(name, in: $0).isEmpty } }

  /// Returns the error for a name that Avahi does not find.
  func missing(_ name: String) -> MIDIError {
    let names = Set(found.withLock { $0.map(\.name) }).sorted()
    let nearest = Spelling.nearest(to: name.lowercased(), among: names.map { $0.lowercased() })
    return .noSession(name, nearest: names.first { $0.lowercased() == nearest }, has: names)
  }

  /// Returns the text that names a session for the user: its name, or its host and port.
  func text(of name: MIDINetworkName) -> String {
    switch name {
    case .session: sessionName
    case .named(let name): name
    case .host(let host, let port): "\(host):\(port)"
    }
  }

  /// The reason why Avahi does not work; nil if it works, if its state is not known yet, or if it is not used.
  var problem: AvahiProblem? { finding.withLock { $0 }?.avahi.problem }

  private func add(_ order: Order) {
    orders.withLock { $0.append(order) }
    hasOrders.store(true, ordering: .releasing)
    waker.withLock { $0 }?()
  }

  // MARK: On the driving thread

  /// Carries out the requests of other threads.
  func carryOut() {
    let taken = orders.withLock { orders in
      defer { orders = [] }
      return orders
    }
    for order in taken {
      switch order {
      case .want(let name, let host):
        calls.want(name, host: host)
        if case .session = name {
          session.acceptsInvitations = true
          if usesAvahi { lookAtAvahi = clock.now + Self.avahiTimeout }
        }
      case .resolved(let name, let host): calls.move(name, to: host) { [session] in session.hasJoined($0) }
      case .findings(let findings): calls.add(findings)
      }
    }
    found.withLock { $0 = calls.places }
    follow()
  }

  /// Handles the results of calls.
  func handleResults() {
    let taken = answers
    answers.removeAll(keepingCapacity: true)
    for event in taken {
      switch event {
      case .joined(_, _, let control):
        report(.joined, of: control)
        // The peer may have left again meanwhile.
        if session.hasJoined(control) { changeLookups(of: control) { $0.follow(isJoined: true) } }
      case .refused(let control): report(.refused(calls.text(of: control)), of: control)
      case .unanswered(let control):
        report(.unanswered(calls.text(of: control)), of: control)
        calls.tryNext(after: control)
        changeLookups(of: control) { $0.wakeThread() }
      default: break
      }
    }
    follow()
  }

  private func report(_ outcome: Outcome, of control: MIDIEndpoint) {
    for name in calls.names(of: control) { outcomes.withLock { $0[name] = outcome } }
    hasChanged.raise()
  }

  /// Calls `body` with the lookup of each host name whose session is called at an address.
  func changeLookups(of control: MIDIEndpoint, _ body: (MIDINameLookup) -> Void) {
    for name in calls.names(of: control) {
      if let lookup = lookups.withLock({ $0?[name] }) { body(lookup) }
    }
  }

  /// Invites the network sessions that are newly wanted, and ends the connections to sessions that are no longer
  /// wanted.
  private func follow() {
    calls.update { [session] in session.hasJoined($0) }
    let now = clock.now
    for control in calls.takeEnded() { session.endCall(control) }
    for control in calls.takeBegun() {
      if session.hasJoined(control) { report(.joined, of: control) }
      if !session.call(control, at: now) {
        note(
          "\(AppleMIDISession.mostPeers) network peers are the most: \(calls.text(of: control)) is not called"
        )
      }
    }
    post()
  }

  /// Reports that Avahi does not announce the session, if that is so.
  func tellAvahi() {
    lookAtAvahi = nil
    guard let problem else { return }
    let address = NetInterface.likeliestAddress() ?? "ADDRESS"
    note("The session is not announced, for \(problem.reason). Others join it as \(address):\(port).")
  }
}
