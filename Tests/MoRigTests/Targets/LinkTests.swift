import Glibc
import MoCore
import MoNetwork
import Testing

@Suite("A link to one target")
struct LinkTests {
  private func socket(_ type: Int32) -> (descriptor: Int32, port: Int) {
    let descriptor = Glibc.socket(AF_INET, type, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = bind(descriptor, address, size)
        getsockname(descriptor, address, &size)
      }
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  private let packet: [UInt8] = Array("/a\0\0,\0\0\0".utf8)

  private func send(_ link: NetLink) -> NetError? {
    packet.withUnsafeBytes { bytes in
      do throws(NetError) {
        try link.send(bytes)
        return nil
      } catch {
        return error
      }
    }
  }

  @Test("each datagram to a port without a listener is reported once")
  func refused() throws {
    let (descriptor, port) = socket(Int32(SOCK_DGRAM.rawValue))
    close(descriptor)
    let link = try NetLink("127.0.0.1:\(port)")
    try link.find()
    var refused = 0
    for _ in 0..<20 {
      #expect(send(link) == nil)
      refused += link.poll(now: SystemClock().now).refused
    }
    #expect(until({ refused >= 20 }, doing: { refused += link.poll(now: SystemClock().now).refused }))
    #expect(refused == 20)
  }

  @Test("a link uses the present number of the interface in its target's address")
  func renumbered() throws {
    let receivers = (0..<2).map { _ in socket(Int32(SOCK_DGRAM.rawValue)) }
    defer { for receiver in receivers { close(receiver.descriptor) } }
    // The port stands for the number of the interface.
    let port = Locked(receivers[0].port)
    let link = try NetLink("[fe80::5%wlan0]:9") { (_) throws(NetError) in
      try NetTarget("127.0.0.1:\(port.withLock { $0 })")
    }
    for receiver in receivers {
      port.withLock { $0 = receiver.port }
      try link.find()
      #expect(send(link) == nil)
      var bytes = [UInt8](repeating: 0, count: 64)
      #expect(
        until({ recv(receiver.descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)) == packet.count }))
    }
  }

  @Test("each message on a connection arrives or is reported as not acknowledged")
  func connection() throws {
    let (listener, port) = socket(Int32(SOCK_STREAM.rawValue))
    defer { close(listener) }
    let link = try NetLink("tcp:127.0.0.1:\(port)")
    try link.find()
    // There is no listener yet, so no message is accepted.
    _ = link.poll(now: .zero)
    #expect(send(link) != nil)
    #expect(listen(listener, 1) == 0)
    var now = 1.0
    #expect(
      until(
        { link.poll(now: HostTime(seconds: now)).connection == .open },
        doing: { now += 10 }))
    let peer = accept(listener, nil, nil)
    var taken = 0
    for _ in 0..<1000 where send(link) == nil { taken += 1 }
    var arrived = 0
    var bytes = [UInt8](repeating: 0, count: 65_536)
    #expect(
      until(
        { arrived == taken * 12 },
        doing: { arrived += max(0, recv(peer, &bytes, bytes.count, Int32(MSG_DONTWAIT))) }))
    #expect(until({ link.poll(now: HostTime(seconds: now)).pending == 0 }))
    // The kernel reports how long ago that was, independent of the test's clock.
    let acknowledged = try #require(link.poll(now: HostTime(seconds: 1e6)).acknowledged)
    #expect(acknowledged <= HostTime(seconds: 1e6) && acknowledged > HostTime(seconds: 1e6 - 60))
    // The receiver closes; messages sent before the sender notices this are reported.
    // A process that another test starts at this moment has a copy of the descriptor; `close` alone leaves that open.
    shutdown(peer, Int32(SHUT_RDWR))
    close(peer)
    var later = 0
    for _ in 0..<100 where send(link) == nil { later += 1 }
    var (isOpen, lost) = (true, 0)
    #expect(
      until(
        { !isOpen },
        doing: {
          let event = link.poll(now: HostTime(seconds: now))
          (isOpen, lost) = (event.connection == .open, lost + event.lost)
        }))
    #expect(taken == 1000 && later > 0 && lost == later)
  }
}
