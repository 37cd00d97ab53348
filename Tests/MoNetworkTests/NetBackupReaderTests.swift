import CMoSystem
import Glibc
import MoCore
import MoNetwork
import MoOSC
import Synchronization
import Testing

@Suite("Two threads that read in turn")
struct NetReliefTests {
  /// A clock that stops the second reader when it has read a message and not handed it on yet.
  private final class HoldingClock: TimeSource {
    /// The sockets' descriptors, set when the clock must stop the reader.
    let sockets = Locked<[Int32]>([])
    let isHeld = WakeEvent()
    let goesOn = WakeEvent()

    var now: HostTime {
      holdReader()
      return SystemClock().now
    }

    func sleep(until time: HostTime) { SystemClock().sleep(until: time) }

    private static var isSecond: Bool {
      guard let file = fopen("/proc/thread-self/comm", "r") else { return false }
      defer { fclose(file) }
      var name = [CChar](repeating: 0, count: 32)
      return fgets(&name, Int32(name.count), file) != nil && strcmp(name, "mo-backup\n") == 0
    }

    private func holdReader() {
      guard Self.isSecond else { return }
      var requests = sockets.withLock { $0.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) } }
      guard !requests.isEmpty, momu_poll(&requests, UInt(requests.count), 0) == 0 else { return }
      sockets.withLock { $0 = [] }
      isHeld.raise()
      _ = goesOn.wait(for: .seconds(30))
    }
  }

  @Test("delivers a message that one thread read while the other fell asleep, without waiting for the next")
  func handOver() throws {
    let server = NetServer()
    let sender = NetServer()
    let clock = HoldingClock()
    try server.sockets.openDatagrams(port: 0)
    server.inbound.open()
    let target = "127.0.0.1:\(try #require(server.sockets.port))"
    let isHeard = WakeEvent()
    func on(_ address: String, _ body: @escaping NetMethod.Body) throws {
      let pattern = try OSCAddressPattern(address)
      _ = server.inbound.add(
        NetMethod(pattern, policy: .every, late: .play, isAhead: false, wants: "anything", body))
    }
    try on("/slow") { _, _ in
      clock.sockets.withLock { $0 = server.sockets.watched.datagrams.map(\.descriptor) }
      try? sender.outbound.send(.message(OSCMessage("/next", [])), to: target)
      _ = clock.isHeld.wait(for: .seconds(30))
      return .taken
    }
    try on("/next") { _, _ in
      isHeard.raise()
      return .taken
    }
    let loop = try NetLoop(server: server, clock: clock)
    defer {
      loop.end()
      server.sockets.closeAll()
      sender.stop()
    }
    try sender.outbound.send(.message(OSCMessage("/slow", [])), to: target)
    #expect(wait { server.inbound.statistics.counts.dispatched == 1 })
    // Time enough for the first thread to sleep; with less, the test could not fail.
    MoThread.sleep(until: SystemClock().now.advanced(bySeconds: 0.05))
    clock.goesOn.raise()
    #expect(isHeard.wait(for: .seconds(30)))
  }

  private func wait(until isSo: () -> Bool) -> Bool {
    for _ in 0..<3000 {
      if isSo() { return true }
      MoThread.sleep(until: SystemClock().now.advanced(bySeconds: 0.01))
    }
    return isSo()
  }
}
