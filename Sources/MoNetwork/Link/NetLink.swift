import CMoSystem
import Glibc
import MoCore
import MoOSC

/// A link to a single target with its own socket, so that all error reports of the network concern this target.
///
/// A target that is switched off fills only the buffer of its own socket, and messages to other targets do not wait.
/// Broadcasts and multicast groups use the program's common socket, since no report can tell which of many receivers is
/// missing.
///
/// - Thread: any; `find` and `poll` from one thread at a time.
package final class NetLink: Sendable {
  private let text: String
  private let parse: @Sendable (String) throws(NetError) -> NetTarget
  private let target: NetTarget
  private let state: Locked<State>

  private struct State {
    var address: NetAddress?
    var socket: NetSocket?
    var stream: NetLinkStream?
  }

  /// Creates a link to a target such as `192.168.0.5:8888`, without a socket yet.
  ///
  /// - Parameter parse: parses the text; `find` calls it again.
  /// - Throws: `NetError.badTarget`, `noInterface`.
  package init(
    _ text: String,
    parse: @escaping @Sendable (String) throws(NetError) -> NetTarget = { (text) throws(NetError) in
      try NetTarget(text)
    }
  ) throws(NetError) {
    (self.text, self.parse) = (text, parse)
    target = try parse(text)
    state = Locked(State())
  }

  deinit { close() }

  /// Closes the socket; for a TCP connection, the result counts the messages that did not arrive, or may not have
  /// arrived.
  @discardableResult
  package func close() -> NetLinkEvent {
    state.withLock { state in
      var event = NetLinkEvent()
      state.socket = nil
      state.stream?.end()
      state.stream?.popLosses(&event)
      state.stream = nil
      return event
    }
  }

  /// Whether the network can report that a message did not arrive: true for a single machine, false for a broadcast or
  /// a multicast group.
  package var isToOne: Bool {
    if case .broadcast = target.host { return false }
    if case .address(let address) = target.host, address.isMulticast { return false }
    return true
  }

  /// Looks up the target's host name, which may take seconds, or the number of the interface in the target's address.
  ///
  /// - Throws: `NetError.unknownHost`, `noNetwork`, `noInterface`.
  package func find() throws(NetError) {
    guard isToOne else {
      _ = try NetServer.shared.outbound.ends(of: target, later: { _ in })
      return
    }
    let found: NetAddress
    // An interface that disappeared and came back has another number, which is part of the address.
    switch try parse(text).host {
    case .broadcast: return
    case .address(let address): found = address
    case .name(let name):
      var native = momu_address()
      guard momu_address_resolve(name, 0, &native) == 0 else { throw .unknownHost(name) }
      found = NetAddress(native).with(port: target.port)
    }
    let transport = target.transport
    state.withLock { state in
      if state.address?.isIPv6 != found.isIPv6 { state.socket = nil }
      state.address = found
      if transport == .udp { return }
      if state.stream == nil { state.stream = NetLinkStream(isSlip: transport == .slip) }
      state.stream?.peer = found
    }
  }

  /// Passes a packet to the kernel, without waiting.
  ///
  /// - Throws: `NetError` if the packet is certainly lost.
  package func send(_ packet: UnsafeRawBufferPointer) throws(NetError) {
    guard isToOne else { return try NetServer.shared.outbound.send([UInt8](packet), to: target) }
    let target = target
    let failure = state.withLock { state -> NetError? in
      do throws(NetError) {
        guard let address = state.address else { throw .noRoute(target.description) }
        if target.transport == .udp {
          try NetLink.sendDatagram(packet, address, &state)
        } else {
          try state.stream?.send([UInt8](packet), as: target.description)
        }
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  private static func sendDatagram(
    _ packet: UnsafeRawBufferPointer, _ address: NetAddress, _ state: inout State
  ) throws(NetError) {
    guard packet.count <= NetSender.longestDatagram else {
      throw .tooLong(bytes: packet.count, most: NetSender.longestDatagram)
    }
    if state.socket == nil { state.socket = try NetSocket.open(isV6: address.isIPv6, port: 0) }
    guard let socket = state.socket else { return }
    var item = momu_outgoing(
      bytes: packet.baseAddress?.assumingMemoryBound(to: UInt8.self), length: UInt32(packet.count),
      interface: 0, peer: address.native)
    var result = momu_send(socket.descriptor, &item, 1)
    // An error report for an earlier datagram makes the next call fail; that call sent nothing and is repeated.
    for _ in 0..<4 where result < 0 && NetLink.isReported(-result) {
      result = momu_send(socket.descriptor, &item, 1)
    }
    guard result <= 0 else { return }
    throw NetError(sendingTo: address.description, bytes: packet.count, errno: -result)
  }

  private static func isReported(_ error: Int32) -> Bool {
    [ECONNREFUSED, EHOSTUNREACH, EHOSTDOWN, ENOPROTOOPT, EPROTO, ENONET].contains(error)
  }

  /// Returns the network's reports since the last call; also establishes and maintains the connection of a TCP target.
  package func poll(now: HostTime) -> NetLinkEvent {
    guard isToOne else { return NetLinkEvent() }
    var (event, address) = state.withLock { state -> (NetLinkEvent, NetAddress?) in
      var event = NetLinkEvent()
      if let socket = state.socket { NetLink.read(socket, state.address, &event) }
      state.stream?.poll(&event, now: now)
      return (event, state.address)
    }
    if let address, !address.isLoopback { event.neighbour = NetLink.neighbour(address) }
    return event
  }

  private static func read(_ socket: NetSocket, _ address: NetAddress?, _ event: inout NetLinkEvent) {
    for _ in 0..<4096 {
      let error = momu_report(socket.descriptor)
      if error == 0 { break }
      if error == ECONNREFUSED { event.refused += 1 } else if error > 0 { event.unreachable += 1 }
    }
    var bytes = [UInt8](repeating: 0, count: 2048)
    for _ in 0..<64 {
      var peer = momu_address()
      let count = momu_receive(socket.descriptor, &bytes, bytes.count, &peer)
      if count == -ECONNREFUSED || count == -EHOSTUNREACH { continue }
      guard count >= 0 else { break }
      // Any program can send to the port; only packets from the target count.
      if NetAddress(peer).with(port: 0) == address?.with(port: 0) {
        event.packets.append(Array(bytes[..<Int(count)]))
      }
    }
  }

  private static func neighbour(_ address: NetAddress) -> NetLinkEvent.Neighbour {
    var native = address.native
    let found = momu_neighbour_of(&native)
    let age = max(0, Double(found.confirmed_ms)) / 1000
    switch found.state {
    case momu_neighbour_answers, momu_neighbour_old: return .answers(secondsAgo: age)
    case momu_neighbour_asked: return .asked
    case momu_neighbour_failed: return .silent
    default: return .unknown
    }
  }
}

/// The reports of the network and of the target's machine about a `NetLink` since the last call of `poll`.
package struct NetLinkEvent: Sendable {
  /// The knowledge that this machine's kernel has of the target's machine, if both machines are on the same network.
  package enum Neighbour: Sendable, Equatable {
    /// Nothing is known: the path goes through a router, or nothing was sent yet.
    case unknown
    /// The machine last answered the given number of seconds ago.
    case answers(secondsAgo: Double)
    /// The kernel has asked the machine for its hardware address, and has no answer yet.
    case asked
    /// The machine did not answer the kernel's requests for its hardware address.
    case silent
  }

  /// The state of a TCP connection.
  package enum Connection: Sendable, Equatable {
    case open
    /// The connection is closed or could not be made, with the reason.
    case closed(reason: String)
  }

  /// The number of datagrams that the target's machine refused, because no program listens on the port.
  package var refused = 0
  /// The number of datagrams that the network reported as undeliverable, because the target's machine could not be
  /// reached.
  package var unreachable = 0
  /// The state of the target's machine in the kernel's table of neighbours (ARP or NDP).
  package var neighbour = Neighbour.unknown
  /// The state of the TCP connection; nil for a UDP target, and during the first attempt to connect.
  package var connection: Connection?
  /// The number of messages that a connection accepted and that surely did not arrive: this machine's kernel had not
  /// sent them, or the other end had closed the connection.
  package var lost = 0
  /// The number of messages that a connection sent, and that were not acknowledged when the connection failed, such as
  /// by a timeout: each of them either arrived or is lost.
  package var doubtful = 0
  /// The number of messages that a connection accepted and the other end has not acknowledged yet.
  package var pending = 0
  /// The time of the last acknowledgement on a connection to the target, even if this connection is closed now; nil
  /// before the first acknowledgement.
  package var acknowledged: HostTime?
  /// The number of TCP connections to the target that were made so far.
  package var connections = 0
  /// The packets that the target has sent back.
  package var packets: [[UInt8]] = []

  package init() {}
}
