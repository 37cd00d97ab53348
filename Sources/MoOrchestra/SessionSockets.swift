import CMoSystem
import Glibc
import MoMu
import MoSessionCore
import MoTime
import Synchronization

/// A session's two sockets: its own, which all its datagrams leave from and answers come back to, and the one that all
/// sessions of a machine share, where calls to everybody arrive.
///
/// - Thread: one at a time sends; one reads.
package final class SessionSockets: @unchecked Sendable {
  // Unchecked: descriptors and an inbox; `SessionServer` sees to who uses them.
  /// Where calls to everybody go, beside MoNet's 6449.
  package static let port: UInt16 = 6450
  /// In the block that RFC 2365 leaves to an organisation's own use.
  package static let group = "239.255.64.50"

  let own: Int32
  let shared: Int32
  /// Becomes readable when interfaces come and go.
  let watch: Int32
  private let inbox: OpaquePointer
  private let groupAddress: NetAddress
  private var multicastInterfaces: [UInt32] = []
  private var broadcasts: [momu_address] = []
  /// Whether this machine is on any network that members can be found on.
  var hasNetwork: Bool { isOnNetwork.load(ordering: .relaxed) }
  private let isOnNetwork = Atomic<Bool>(false)
  /// Datagrams that the system did not take.
  private(set) var unsent = 0

  /// - Throws: `SessionError.sockets`.
  init() throws(SessionError) {
    own = momu_udp_open(false, 0, false)
    guard own >= 0 else { throw .sockets(String(cString: strerror(-own))) }
    let shared = momu_udp_open(false, Self.port, true)
    guard shared >= 0 else {
      close(own)
      throw .port(Self.port, String(cString: strerror(-shared)))
    }
    guard let inbox = momu_inbox_new(64, 2048), let group = NetAddress(ip: Self.group, port: Int(Self.port))
    else {
      close(own)
      close(shared)
      throw .sockets("no memory")
    }
    self.shared = shared
    self.inbox = inbox
    groupAddress = group
    watch = momu_interface_watch()
    lookAtInterfaces()
  }

  /// The port of one's own.
  var port: UInt16 { UInt16(clamping: momu_socket_port(own)) }

  deinit {
    close(own)
    close(shared)
    if watch >= 0 { close(watch) }
    momu_inbox_free(inbox)
  }

  /// Joins the group wherever it can be joined, and notes where calls to everybody leave.
  func lookAtInterfaces() {
    let all = NetInterface.all().filter(\.isUp)
    let open = all.filter { $0.isMulticast && !$0.isLoopback }
    let isThere = all.contains { !$0.isLoopback && $0.addresses.contains { !$0.contains(":") } }
    isOnNetwork.store(isThere, ordering: .relaxed)
    // A machine without any network still plays with itself.
    let multicast = open.isEmpty ? all.filter(\.isLoopback) : open
    multicastInterfaces = multicast.map { UInt32($0.index) }
    var group = groupAddress.native
    // What has been joined already is refused, which is as good.
    for interface in multicastInterfaces { _ = momu_multicast(shared, true, &group, interface) }
    broadcasts = all.flatMap(\.broadcasts).compactMap { NetAddress(ip: $0, port: Int(Self.port))?.native }
  }

  /// Throws away what the watch says.
  func drainWatch() {
    var bytes = [UInt8](repeating: 0, count: 8192)
    while recv(watch, &bytes, bytes.count, 0) > 0 {}
  }

  /// Sends datagrams, each by all the ways it is meant for.
  func send(_ list: [Outgoing]) {
    for outgoing in list {
      outgoing.datagram.withUnsafeBufferPointer { bytes in
        switch outgoing.destination {
        case .one(let endpoint): send(bytes, to: endpoint.native, by: 0)
        case .multicast: for each in multicastInterfaces { send(bytes, to: groupAddress.native, by: each) }
        case .broadcast: for each in broadcasts { send(bytes, to: each, by: 0) }
        }
      }
    }
  }

  private func send(_ bytes: UnsafeBufferPointer<UInt8>, to peer: momu_address, by interface: UInt32) {
    var item = momu_outgoing(
      bytes: bytes.baseAddress, length: UInt32(bytes.count), interface: interface, peer: peer)
    var sent = momu_send(own, &item, 1)
    // An error reported for an earlier datagram comes up at the next, which is none the worse for it.
    if sent == -ECONNREFUSED || sent == -EHOSTUNREACH || sent == -EINTR { sent = momu_send(own, &item, 1) }
    if sent != 1 { unsent += 1 }
  }

  /// Reads what a socket has, a batch at most; how many there were.
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

  /// Reads an address as people type it, `192.168.0.5` or `192.168.0.5:6450`; nil where it is none.
  public init?(typed text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    // All four numbers: of fewer the system makes an address that nobody meant.
    guard parts.count <= 2, parts[0].split(separator: ".", omittingEmptySubsequences: false).count == 4,
      let port = parts.count == 2 ? UInt16(parts[1]) : SessionSockets.port, port > 0,
      let address = NetAddress(ip: String(parts[0]), port: Int(port))
    else { return nil }
    self.init(address.native)
  }

  /// The address and the port, as people write them.
  public var text: String { NetAddress(native).description }
}
