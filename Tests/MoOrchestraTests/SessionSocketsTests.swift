import Glibc
import MoCore
import MoOrchestra
import MoSessionCore
import Testing

@Suite("A session's sockets")
struct SessionSocketsTests {
  private func option(_ socket: Int32, _ level: Int32, _ name: Int32) -> Int32 {
    var value: Int32 = -1
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(socket, level, name, &value, &size)
    return value
  }

  @Test("marks datagrams as expedited, with the highest priority that needs no privilege")
  func marked() throws {
    let sockets = try SessionSockets()
    // EF is the code point 46 (RFC 3246), in the upper six bits of the byte.
    #expect(option(sockets.own.four.descriptor, Int32(IPPROTO_IP), IP_TOS) == 0xB8)
    #expect(option(sockets.own.four.descriptor, SOL_SOCKET, SO_PRIORITY) == 6)
  }

  @Test("a thread may send to all interfaces while another thread reads the list of interfaces again")
  func changed() throws {
    let sockets = try SessionSockets()
    let reader = try MoThread(name: "reader") { body in
      while !body.isCancelled { sockets.lookAtInterfaces() }
    }
    // A machine without a network has no interface for such a datagram, so other tests receive nothing.
    for _ in 0..<2000 { sockets.send([Outgoing(destination: .multicastIPv6, datagram: [0])]) }
    reader.cancel()
    reader.join()
  }
}
