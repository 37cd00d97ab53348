import MoCore
import MoNetwork
import MoOSC
import MoRuntime
import Synchronization
import Testing

@Suite("Everything at the same time")
struct NetStressTests {
  @Test(
    "counts stay exact while callbacks, servers and messages of all kinds come and go"
  )
  func everything() throws {
    let wire = try Wire()
    let tcp = try freePort()
    let heard = Atomic<Int>(0)
    let goesOn = Atomic<Bool>(true)
    let target = "127.0.0.1:\(wire.port)"
    let workers: [@Sendable (Int) -> Void] = [
      { round in
        let token = wire.on(["/a", "/a/*", "//b"][round % 3], [.every, .latest, .ordered][round % 3]) {
          _, _ in
          heard.wrappingAdd(1, ordering: .relaxed)
          return .taken
        }
        if round % 2 == 0 { MoThread.sleep(until: SystemClock().now.advanced(bySeconds: 0.0002)) }
        token.cancel()
      },
      { round in
        wire.server.stop()
        try? wire.server.listen(port: wire.port, in: wire.run)
        try? wire.server.listenTCP(port: tcp, in: wire.run)
      },
      { [sender = NetServer()] round in
        var batch = NetBatch(sender.outbound)
        for number in 0..<64 {
          try? batch.send(number % 2 == 0 ? "/a" : "/a/b", number, Float(round), to: target)
          try? batch.send(
            .bundle(
              OSCBundle(
                OSCTimeTag(nanosecondsSince1970: Int64(number) << 55), messages: [OSCMessage("/a", [])])),
            to: target)
        }
        try? sender.outbound.send(batch)
      },
      { [sender = NetServer()] round in
        try? sender.outbound.send(
          .message(OSCMessage("/a/b", [.int32(Int32(round))])), to: "tcp:127.0.0.1:\(tcp)")
        if round % 10 == 9 { sender.stop() }
      },
      { _ in
        let statistics = wire.server.statistics
        let counts = statistics.counts
        let settled = counts.dispatched + counts.unmatched + counts.mismatched + counts.dropped
        #expect(counts.received == settled + statistics.waiting)
      },
    ]
    let threads = try workers.map { work in
      try MoThread(name: "stress") { _ in
        var round = 0
        while goesOn.load(ordering: .relaxed) {
          work(round)
          round += 1
        }
      }
    }
    // It runs until enough messages have come; the timeout is for a failure only.
    let hasHeard = wire.wait { heard.load(ordering: .relaxed) > 500 }
    goesOn.store(false, ordering: .relaxed)
    for thread in threads { thread.join() }
    #expect(hasHeard)
    wire.server.stop()
    let counts = wire.server.statistics.counts
    #expect(wire.server.statistics.waiting == 0)
    #expect(counts.received == counts.dispatched + counts.unmatched + counts.mismatched + counts.dropped)
  }

  private func freePort() throws -> Int {
    let probe = NetServer()
    try probe.listen(port: 0, in: Run(RunOptions()))
    defer { probe.stop() }
    return try #require(probe.port)
  }
}
