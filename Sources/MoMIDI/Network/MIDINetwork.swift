import CMoSystem
import Glibc
import MIDICore
import MoCore
import MoMu
import Synchronization

/// A network session (RTP-MIDI) as a sequencer: the peers that have joined are its ports.
///
/// The messages of all peers are read together, and each sent message goes to all peers. A message from a peer is not
/// passed on to the other peers.
///
/// - Thread: one owner, the driving thread, which calls `receive`. From any thread: `sessionName`, `hasChanged`,
///   `onChange`, `want`, `outcome`, `hasFound`, `missing`, `text` and `trouble`.
/// - Real-time safe: the path of a message from the socket to `receive`'s closure is, except for SysEx.
package final class MIDINetwork: MIDISequencer, @unchecked Sendable {
  // Unchecked: `orders` and `outcomes` are guarded; the rest belongs to the driving thread.
  package let name = "net"
  package let address = MIDIAddress(0, 0)
  /// The maximum speed of SysEx messages, in bytes per second: the speed of a MIDI cable, because a peer may pass the
  /// bytes on to a cable.
  package let bytesPerSecond: Double? = 3125
  /// The session's name, as other programs show it.
  package let sessionName: String
  /// The first of the session's two UDP ports, for control messages; the second port, for MIDI, has the next number.
  package let port: Int

  private let usesAvahi: Bool
  private let sockets: NetPortPair
  private let clock: any TimeSource
  private let note: @Sendable (String) -> Void
  private var session: AppleMIDISession
  private var peers: [Peer] = []
  private var calls: MIDINetworkCalls
  private var isOpen = true
  /// The results of calls (joined, refused, unanswered), which `receive` handles after all other events.
  private var answers: [AppleMIDISession.Event] = []

  private let orders = Locked<[Order]>([])
  private let hasOrders = Atomic<Bool>(false)
  private let outcomes = Locked<[MIDINetworkName: Outcome]>([:])
  /// The sessions that Avahi has found; any thread may read them.
  private let found = Locked<Set<MIDINetworkPlace>>([])
  /// An event that is raised when a result of `outcome(of:)` has changed.
  let hasChanged = WakeEvent()
  private let finding = Locked<Finding?>(nil)
  private let waker = Locked<(@Sendable () -> Void)?>(nil)
  /// The time at which to check whether Avahi announces the session; nil if no check is planned.
  private var lookAtAvahi: HostTime?

  private struct Finding: Sendable {
    var avahi: AvahiFinding<MIDINetworkPlace>
    var isAnnounced: Bool
  }

  private struct Peer {
    var address: MIDIAddress
    var name: String
    var control: MIDIEndpoint
  }

  private enum Order {
    case want(MIDINetworkName, host: MIDIEndpoint?)
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

  /// The first ports of the pairs that are tried, in this order: 5004 (AppleMIDI's default), 5006, 5008 and so on, up
  /// to 5018.
  private static let usualPorts = stride(from: 5004, through: 5018, by: 2)
  private static let avahiPatience = Duration.milliseconds(1500)

  /// Opens a session without peers.
  ///
  /// - Parameters:
  ///   - program: the program's name; the session's name consists of this name and the machine's name.
  ///   - port: the first port of the pair; nil for the first free pair from 5004 on.
  ///   - accepts: whether the session accepts peers that it has not called.
  ///   - usesAvahi: whether Avahi may announce this session and find others.
  ///   - note: receives texts for the user.
  /// - Throws: `MIDIError.portsTaken` if another program uses the ports; `MIDIError.network` for other failures.
  package init(
    program: String, port: Int?, accepts: Bool, usesAvahi: Bool = true, clock: any TimeSource,
    note: @escaping @Sendable (String) -> Void
  ) throws(MIDIError) {
    sockets = try Self.open(port)
    (self.port, self.usesAvahi, self.clock, self.note) = (sockets.port, usesAvahi, clock, note)
    sessionName = "\(program) (\(Self.hostName))".printable.shortened(toBytes: 63)
    session = AppleMIDISession(name: sessionName, seed: UInt64.random(in: .min ... .max))
    calls = MIDINetworkCalls()
    peers.reserveCapacity(AppleMIDISession.mostPeers)
    session.acceptsInvitations = accepts
  }

  private static func open(_ port: Int?) throws(MIDIError) -> NetPortPair {
    var first: MIDIError?
    for number in port.map({ [$0] }) ?? Array(usualPorts) {
      do throws(NetError) {
        return try NetPortPair(number)
      } catch {
        guard case .portTaken(_, let program) = error else { throw .network("\(error)") }
        first = first ?? .portsTaken(number, by: program)
      }
    }
    throw first ?? .network("no UDP port")
  }

  private static let hostName: String = {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return "Linux" }
    let name = String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return String(name.prefix { $0 != "." })
  }()

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
      var address = momu_address()
      guard momu_address_resolve(host, UInt16(port), &address) == 0 else {
        throw .network("\(NetError.unknownHost(host))")
      }
      endpoint = MIDIEndpoint(address)
    }
    add(.want(name, host: endpoint))
    switch name {
    case .session: seek(announces: true)
    case .named: seek(announces: false)
    case .host: break
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
        take: { [weak self] findings in self?.add(.findings(findings)) })
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
  var trouble: AvahiTrouble? { finding.withLock { $0 }?.avahi.trouble }

  private func add(_ order: Order) {
    orders.withLock { $0.append(order) }
    hasOrders.store(true, ordering: .releasing)
    waker.withLock { $0 }?()
  }

  // MARK: As a sequencer

  package var descriptor: Int32? { sockets.descriptor }

  package var nextTime: HostTime? {
    let next = min(session.nextTick, lookAtAvahi ?? .distantFuture)
    return next == .distantFuture ? nil : next
  }

  package func ports() -> [MIDIPort] {
    peers.map { MIDIPort($0.address, client: $0.name, name: "") }
  }

  package func connect(from port: MIDIAddress) throws(MIDIError) {}
  package func connect(to port: MIDIAddress) throws(MIDIError) {}

  package func receive(_ take: (MIDISequencerEvent) -> Void) {
    guard isOpen else { return }
    if hasOrders.exchange(false, ordering: .acquiringAndReleasing) { carryOut() }
    sockets.receive { bytes, sender, isData in
      session.receive(bytes.span, from: MIDIEndpoint(sender), on: isData ? .data : .control, at: clock.now)
      passOn(take)
    }
    let now = clock.now
    if session.nextTick <= now {
      session.tick(at: now)
      passOn(take)
    }
    if !answers.isEmpty { settle() }
    if let look = lookAtAvahi, look <= now { tellAvahi() }
    post()
  }

  package func send(_ message: MIDIMessage, at time: HostTime) -> Bool {
    session.send(message, at: time)
    return true
  }

  package func sendSysEx(_ piece: UnsafeBufferPointer<UInt8>, at time: HostTime) -> Bool {
    session.send(sysEx: piece.span, at: time)
    return true
  }

  package func flush(at now: HostTime) {
    session.flush(at: now)
    post()
  }

  package func close(at time: HostTime) {
    guard isOpen else { return }
    isOpen = false
    flush(at: time)
    session.leave(at: time)
    post()
    finding.withLock { $0 }?.avahi.stop()
  }

  // MARK: Its own thread

  private func passOn(_ take: (MIDISequencerEvent) -> Void) {
    session.takeEvents { event in
      switch event {
      case .received(let peer, let message, let time, _):
        take(.message(message, from: Self.address(peer), at: time))
      case .sysEx(let peer, let bytes, let time):
        bytes.withUnsafeBufferPointer { take(.sysEx($0, from: Self.address(peer), at: time)) }
      case .joined(let peer, let name, let control):
        let shown = name.isEmpty ? control.text : name.printable
        peers.append(Peer(address: Self.address(peer), name: shown, control: control))
        answers.append(event)
        take(.portsChanged)
      case .left(let peer, _):
        peers.removeAll { $0.address == Self.address(peer) }
        take(.portGone(Self.address(peer)))
      case .refused, .unanswered: answers.append(event)
      }
    }
  }

  private static func address(_ peer: UInt32) -> MIDIAddress { MIDIAddress(Int32(bitPattern: peer), 0) }

  private func post() {
    session.takeOutgoing { [sockets] bytes, to, from in
      sockets.send(bytes, to: to.native, fromSecond: from == .data)
    }
  }

  private func carryOut() {
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
          if usesAvahi { lookAtAvahi = clock.now + Self.avahiPatience }
        }
      case .findings(let findings): calls.take(findings)
      }
    }
    found.withLock { $0 = calls.places }
    follow()
  }

  private func settle() {
    let taken = answers
    answers.removeAll(keepingCapacity: true)
    for event in taken {
      switch event {
      case .joined(_, _, let control): say(.joined, of: control)
      case .refused(let control): say(.refused(calls.text(of: control)), of: control)
      case .unanswered(let control):
        say(.unanswered(calls.text(of: control)), of: control)
        calls.tryNext(after: control)
      default: break
      }
    }
    follow()
  }

  private func say(_ outcome: Outcome, of control: MIDIEndpoint) {
    for name in calls.names(of: control) { outcomes.withLock { $0[name] = outcome } }
    hasChanged.raise()
  }

  /// Invites the network sessions that are newly wanted, and ends the connections to sessions that are no longer
  /// wanted.
  private func follow() {
    calls.settle { [session] in session.hasJoined($0) }
    let now = clock.now
    for control in calls.takeEnded() { session.endCall(control) }
    for control in calls.takeBegun() {
      if session.hasJoined(control) { say(.joined, of: control) }
      if !session.call(control, at: now) {
        note(
          "\(AppleMIDISession.mostPeers) network peers are the most: \(calls.text(of: control)) is not called"
        )
      }
    }
    post()
  }

  private func tellAvahi() {
    lookAtAvahi = nil
    guard let trouble else { return }
    let address = NetInterface.likeliestAddress() ?? "ADDRESS"
    note("The session is not announced, for \(trouble.reason). Others join it as \(address):\(port).")
  }
}
