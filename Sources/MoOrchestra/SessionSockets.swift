import CMoSystem
import Glibc
import MoCore
import MoMu
import MoSessionCore
import Synchronization

/// A session's sockets for IPv4 and IPv6: its own, and those that all sessions of a machine share.
///
/// All datagrams leave from the session's own sockets, where answers arrive. Multicast arrives at the shared sockets.
///
/// - Thread: any, but only one thread at a time sends, and only one thread reads.
package final class SessionSockets: @unchecked Sendable {
  // Unchecked: descriptors and an inbox; `SessionServer` coordinates their use.
  /// The port of the multicast messages by which members find each other: the number after MoNet's port 6449.
  package static let port: UInt16 = 6450
  /// The IPv4 multicast group, in the block that RFC 2365 leaves to an organisation's own use.
  package static let group = "239.255.64.50"
  /// The IPv6 multicast group: link-local and transient (RFC 4291, 2.7), with the IPv4 group's number.
  package static let groupIPv6 = "ff12::efff:4032"

  /// The session's own sockets for IPv4 and IPv6; nil for IPv6 if the system has no IPv6.
  package let own: (four: NetSocket, six: NetSocket?)
  private let shared: (four: NetSocket, six: NetSocket?)
  /// The descriptor that becomes readable when network interfaces appear or disappear.
  let watch: Int32
  private let inbox: OpaquePointer
  private let groups: (four: NetAddress, six: NetAddress)
  /// The interfaces and addresses to which multicast and broadcast datagrams are sent.
  private let networks = Locked((links: [SessionLink](), broadcasts: [momu_address]()))
  /// Whether this machine is on a network that can have other members.
  var hasNetwork: Bool { isOnNetwork.load(ordering: .relaxed) }
  private let isOnNetwork = Atomic<Bool>(false)
  /// The kind of link by which this machine is on the network.
  var kind: MemberHealth.Link { MemberHealth.Link(rawValue: kindNumber.load(ordering: .relaxed)) ?? .unknown }
  private let kindNumber = Atomic<Int32>(0)
  /// The number of datagrams that the system refused to send.
  private(set) var unsent = 0

  /// Opens the sockets.
  ///
  /// - Throws: `SessionError.sockets`.
  package init() throws(SessionError) {
    let (four, error) = NetSocket.open(isV6: false, port: Self.port, isShared: true)
    guard let four else { throw .port(Self.port, String(cString: strerror(error))) }
    let (six, errorIPv6) = NetSocket.open(isV6: true, port: Self.port, isShared: true)
    guard six != nil || errorIPv6 != EADDRINUSE else {
      throw .port(Self.port, String(cString: strerror(EADDRINUSE)))
    }
    let own = try Self.openOwn(withIPv6: six != nil)
    guard let inbox = momu_inbox_new(64, 2048), let group = NetAddress(ip: Self.group, port: Int(Self.port)),
      let groupIPv6 = NetAddress(ip: Self.groupIPv6, port: Int(Self.port))
    else { throw .sockets("no memory") }
    (self.own, shared, self.inbox, groups) = (own, (four, six), inbox, (group, groupIPv6))
    watch = momu_interface_watch()
    for socket in [own.four, own.six] { if let socket { Self.mark(socket.descriptor) } }
    lookAtInterfaces()
  }

  /// Opens a socket for each of IPv4 and IPv6 on the same port, since a directory lists one port for both.
  private static func openOwn(withIPv6 isWanted: Bool) throws(SessionError) -> (
    four: NetSocket, six: NetSocket?
  ) {
    var last: Int32 = 0
    // A program that holds the same port only for IPv6 is rarely met twice.
    for _ in 0..<8 {
      let (four, error) = NetSocket.open(isV6: false, port: 0)
      guard let four else { throw .sockets(String(cString: strerror(error))) }
      guard isWanted else { return (four, nil) }
      let (six, errorIPv6) = NetSocket.open(isV6: true, port: UInt16(clamping: four.port))
      if let six { return (four, six) }
      last = errorIPv6
    }
    throw .sockets(String(cString: strerror(last)))
  }

  /// The traffic class of all datagrams: expedited forwarding (RFC 3246), the class of telephone calls (RFC 4594).
  ///
  /// Wi-Fi sends this class before web pages and downloads. It uses the access category of voice (RFC 8325), or of
  /// video if it reads only the highest three bits. Pings have the same class as played events, since they measure the
  /// delay of played events.
  package static let trafficClass: Int32 = 46 << 2
  /// The priority of datagrams in this machine's send queue: Linux's `TC_PRIO_INTERACTIVE`, the highest priority
  /// without privilege.
  package static let priority: Int32 = 6

  /// Asks networks to forward a socket's datagrams first; if the system refuses, the datagrams travel unmarked.
  static func mark(_ socket: Int32) {
    var (trafficClass, priority) = (trafficClass, priority)
    let size = socklen_t(MemoryLayout<Int32>.size)
    // An IPv4 socket refuses the second, and an IPv6 socket may refuse the first.
    _ = setsockopt(socket, Int32(IPPROTO_IP), IP_TOS, &trafficClass, size)
    _ = setsockopt(socket, Int32(IPPROTO_IPV6), IPV6_TCLASS, &trafficClass, size)
    // After the traffic class, since that sets the priority, too.
    _ = setsockopt(socket, SOL_SOCKET, SO_PRIORITY, &priority, size)
  }

  /// The port of the session's own sockets.
  var port: UInt16 { UInt16(clamping: own.four.port) }

  /// The sockets to read from.
  var readable: [Int32] { [own.four, own.six, shared.four, shared.six].compactMap { $0?.descriptor } }

  deinit {
    if watch >= 0 { close(watch) }
    momu_inbox_free(inbox)
  }

  /// Joins the multicast groups on all interfaces that allow it, and stores the interfaces by which multicast is sent.
  ///
  /// Another thread may send at the same time.
  package func lookAtInterfaces() {
    let all = NetInterface.all().filter(\.isUp)
    isOnNetwork.store(all.contains { !$0.isLoopback && !$0.addresses.isEmpty }, ordering: .relaxed)
    kindNumber.store(MemberHealth.Link(all).rawValue, ordering: .relaxed)
    let before = networks.withLock { $0.links }
    let links = SessionLink.all(in: all)
    for link in links {
      // The system refuses a group that was joined before; that is harmless.
      // A member that receives IPv4 multicast but cannot answer by IPv4 would be only half reachable.
      shared.four.multicast(join: link.hasIPv4, groups.four, interface: Int(link.interface))
      guard link.hasIPv6, let six = shared.six else { continue }
      // An interface forgets its groups with its last address, and the socket is not notified.
      let isNew = !before.contains { $0.interface == link.interface && $0.hasIPv6 }
      if isNew { six.multicast(join: false, groups.six, interface: Int(link.interface)) }
      six.multicast(join: true, groups.six, interface: Int(link.interface))
    }
    // Two interfaces on the same network have the same address, and the system chooses the interface.
    let texts = Set(all.flatMap(\.broadcasts))
    let broadcasts = texts.compactMap { NetAddress(ip: $0, port: Int(Self.port))?.native }
    // Only the exchange holds the lock, since the system takes a while to list its interfaces.
    networks.withLock { $0 = (links, broadcasts) }
  }

  /// Discards the waiting notifications of `watch`, so that it is no longer readable.
  func drainWatch() {
    var bytes = [UInt8](repeating: 0, count: 8192)
    while recv(watch, &bytes, bytes.count, 0) > 0 {}
  }

  /// Sends datagrams; a multicast or broadcast datagram is sent on each suitable interface.
  package func send(_ list: [Outgoing]) {
    guard !list.isEmpty else { return }
    let (links, broadcasts) = networks.withLock { $0 }
    for outgoing in list {
      outgoing.datagram.withUnsafeBufferPointer { bytes in
        switch outgoing.destination {
        case .one(let endpoint): send(bytes, to: endpoint.native, by: 0)
        case .multicast, .members:
          for link in links {
            send(bytes, to: link.hasIPv4 ? groups.four.native : groups.six.native, by: link.interface)
          }
        case .multicastIPv6:
          for link in links where link.hasIPv4 && link.hasIPv6 {
            send(bytes, to: groups.six.native, by: link.interface)
          }
        case .broadcast: for each in broadcasts { send(bytes, to: each, by: 0) }
        }
      }
    }
  }

  private func send(_ bytes: UnsafeBufferPointer<UInt8>, to peer: momu_address, by interface: UInt32) {
    guard let socket = peer.is_v6 != 0 ? own.six?.descriptor : own.four.descriptor else {
      unsent += 1
      return
    }
    var item = momu_outgoing(
      bytes: bytes.baseAddress, length: UInt32(bytes.count), interface: interface, peer: peer)
    var sent = momu_send(socket, &item, 1)
    // The system reports an error of an earlier datagram at the next one, which is unaffected: send it again.
    if sent == -ECONNREFUSED || sent == -EHOSTUNREACH || sent == -EINTR { sent = momu_send(socket, &item, 1) }
    if sent != 1 { unsent += 1 }
  }

  /// Reads up to 64 datagrams from a socket; returns their number, including datagrams that are dropped as too long.
  func read(_ socket: Int32, _ body: ([UInt8], SessionEndpoint, HostTime?) -> Void) -> Int {
    while momu_inbox_report(inbox, socket) > 0 {}
    let count = momu_inbox_receive(inbox, socket)
    guard count > 0 else { return 0 }
    let offset = SystemClock().wallClock(of: .zero)
    for index in 0..<count {
      guard let item = momu_inbox_item(inbox, index)?.pointee, !item.truncated else { continue }
      let stamp =
        item.realtime_ns == 0 ? nil : HostTime(nanoseconds: item.realtime_ns &- offset)
      body(
        Array(UnsafeBufferPointer(start: item.bytes, count: Int(item.length))), SessionEndpoint(item.peer),
        stamp)
    }
    return Int(count)
  }
}

/// An interface through which multicast datagrams are sent.
struct SessionLink: Hashable {
  var interface: UInt32
  /// Whether multicast over IPv4 is sent through the interface; `hasIPv6` is the same for IPv6.
  var hasIPv4: Bool
  var hasIPv6: Bool
  /// Returns the interfaces that are up; only the loopback if there is no other.
  static func all(in interfaces: [NetInterface]) -> [SessionLink] {
    let open = interfaces.filter { $0.isMulticast && !$0.isLoopback }
    // Programs on a machine without a network still play together; the loopback carries IPv4 multicast only.
    guard !open.isEmpty else {
      return interfaces.filter(\.isLoopback).map {
        SessionLink(interface: UInt32($0.index), hasIPv4: true, hasIPv6: false)
      }
    }
    return open.map { each in
      let hasIPv6 = each.addresses.contains { $0.contains(":") }
      let hasIPv4 = each.addresses.contains { !$0.contains(":") }
      return SessionLink(interface: UInt32(each.index), hasIPv4: hasIPv4 || !hasIPv6, hasIPv6: hasIPv6)
    }
  }
}

extension SessionEndpoint {
  init(_ native: momu_address) {
    let (high, low) = withUnsafeBytes(of: native.bytes) {
      (
        $0.loadUnaligned(as: UInt64.self).bigEndian,
        $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian
      )
    }
    self.init(high: high, low: low, scope: native.scope, port: native.port, isIPv6: native.is_v6 != 0)
  }

  var native: momu_address {
    var native = momu_address()
    withUnsafeMutableBytes(of: &native.bytes) {
      $0.storeBytes(of: high.bigEndian, as: UInt64.self)
      $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    (native.scope, native.port, native.is_v6) = (scope, port, isIPv6 ? 1 : 0)
    return native
  }

  /// The address and the port, in the notation that users type.
  public var text: String { NetAddress(native).description }
}
