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
///   `onChange`, `want`, `outcome`, `hasFound`, `missing`, `text` and `problem`.
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

  let usesAvahi: Bool
  private let sockets: NetPortPair
  let clock: any TimeSource
  let note: @Sendable (String) -> Void
  var session: AppleMIDISession
  private var peers: [Peer] = []
  var calls: MIDINetworkCalls
  private var isOpen = true
  /// The results of calls (joined, refused, unanswered), which `receive` handles after all other events.
  var answers: [AppleMIDISession.Event] = []

  let orders = Locked<[Order]>([])
  let hasOrders = Atomic<Bool>(false)
  let outcomes = Locked<[MIDINetworkName: Outcome]>([:])
  /// The sessions that Avahi has found; any thread may read them.
  let found = Locked<Set<MIDINetworkPlace>>([])
  /// An event that is raised when a result of `outcome(of:)` has changed.
  let hasChanged = WakeEvent()
  let finding = Locked<Finding?>(nil)
  /// The repeated lookups of the names in `net:HOST:PORT`; nil after `close`.
  let lookups = Locked<[MIDINetworkName: MIDINameLookup]?>([:])
  let waker = Locked<(@Sendable () -> Void)?>(nil)
  /// The time at which to check whether Avahi announces the session; nil if no check is planned.
  var lookAtAvahi: HostTime?

  private struct Peer {
    var address: MIDIAddress
    var name: String
    var control: MIDIEndpoint
  }

  /// The first ports of the pairs that are tried, in this order: 5004 (AppleMIDI's default), 5006, 5008 and so on, up
  /// to 5018.
  private static let usualPorts = stride(from: 5004, through: 5018, by: 2)

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

  package func receive(_ emit: (MIDISequencerEvent) -> Void) {
    guard isOpen else { return }
    if hasOrders.exchange(false, ordering: .acquiringAndReleasing) { carryOut() }
    sockets.receive { bytes, sender, isData in
      session.receive(bytes.span, from: MIDIEndpoint(sender), on: isData ? .data : .control, at: clock.now)
      passOn(emit)
    }
    let now = clock.now
    if session.nextTick <= now {
      session.tick(at: now)
      passOn(emit)
    }
    if !answers.isEmpty { handleResults() }
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
    let ending = lookups.withLock { lookups in
      defer { lookups = nil }
      return lookups ?? [:]
    }
    for lookup in ending.values { lookup.stop() }
  }

  // MARK: Its own thread

  private func passOn(_ emit: (MIDISequencerEvent) -> Void) {
    session.takeEvents { event in
      switch event {
      case .received(let peer, let message, let time, _):
        emit(.message(message, from: Self.address(peer), at: time))
      case .sysEx(let peer, let bytes, let time):
        bytes.withUnsafeBufferPointer { emit(.sysEx($0, from: Self.address(peer), at: time)) }
      case .joined(let peer, let name, let control):
        let shown = name.isEmpty ? control.text : name.printable
        peers.append(Peer(address: Self.address(peer), name: shown, control: control))
        answers.append(event)
        emit(.portsChanged)
      case .left(let peer, _):
        let gone = peers.first { $0.address == Self.address(peer) }
        if let gone { changeLookups(of: gone.control) { $0.follow(isJoined: false) } }
        peers.removeAll { $0.address == Self.address(peer) }
        emit(.portGone(Self.address(peer)))
      case .refused, .unanswered: answers.append(event)
      case .duplicateID(let control, let peer):
        let name = peers.first { $0.address == Self.address(peer) }?.name ?? "another peer"
        note(
          "\(control.text) cannot join now: it has the same ID (SSRC) as \(name). If it is the same device with "
            + "a new address, wait a minute. If these are two Arduino boards, call randomSeed with a "
            + "different number on each.")
      }
    }
  }

  private static func address(_ peer: UInt32) -> MIDIAddress { MIDIAddress(Int32(bitPattern: peer), 0) }

  /// Sends the packets of the session.
  func post() {
    session.takeOutgoing { [sockets] bytes, to, from in
      sockets.send(bytes, to: to.native, fromSecond: from == .data)
    }
  }
}
