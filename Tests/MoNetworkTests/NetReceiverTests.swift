import MoCore
import MoNetwork
import MoOSC
import MoRuntime
import MoTesting
import Synchronization
import Testing

@Suite("Incoming messages")
struct NetInboundTests {
  @Test("reach the callbacks of their address, in the order they were added, and no others")
  func addresses() throws {
    let net = OfflineNetServer()
    net.listen("/a")
    net.listen("/b")
    net.listen("/a")
    try net.arrive(.message(OSCMessage("/a", [1])))
    try net.arrive(.message(OSCMessage("/c", [1])))
    try net.arrive(.message(OSCMessage("/a/b", [1])))
    net.deliver()
    #expect(net.popMessages() == ["/a 1.0", "/a 1.0"])
    #expect(net.counts == NetCounts(received: 3, dispatched: 1, unmatched: 2))
  }

  @Test("match registered patterns and received patterns, once each")
  func patterns() throws {
    let net = OfflineNetServer()
    net.listen("/drum/*")
    net.listen("/drum/kick")
    net.listen("/piano/c4")
    for _ in 0..<3 {
      try net.arrive(.message(OSCMessage("/drum/kick", [1])))
      net.deliver()
      #expect(net.popMessages() == ["/drum/kick 1.0", "/drum/kick 1.0"])
      try net.arrive(.message(OSCMessage("/{drum,piano}/[ck]*", [2])))
      net.deliver()
      #expect(net.popMessages() == ["/{drum,piano}/[ck]* 2.0", "/{drum,piano}/[ck]* 2.0"])
    }
    try net.arrive(.message(OSCMessage("/drum/snare/rim", [1])))
    try net.arrive(.message(OSCMessage("/[", [1])))
    net.deliver()
    #expect(net.popMessages() == [])
    #expect(net.counts.unmatched == 2)
  }

  @Test("count as unmatched each time, if a pattern is registered that does not match their address")
  func unmatchedAgain() throws {
    let net = OfflineNetServer()
    net.listen("/drum/*")
    for _ in 0..<3 {
      try net.arrive(.message(OSCMessage("/piano/c4", [1])))
      try net.arrive(.message(OSCMessage("/{piano,organ}/c4", [1])))
      net.deliver()
    }
    #expect(net.popMessages() == [])
    #expect(net.counts == NetCounts(received: 6, unmatched: 6))
  }

  @Test("match whatever the length of their address, but the longest addresses are not cached")
  func longAddresses() throws {
    let net = OfflineNetServer()
    let got = Atomic<Int>(0)
    _ = net.on("//*", .every, .play) { _, _ in
      got.wrappingAdd(1, ordering: .relaxed)
      return .taken
    }
    let tail = String(repeating: "x", count: 60_000)
    for number in 0..<100 {
      try net.arrive(.message(OSCMessage("/\(number)/\(tail)", [1])))
      net.deliver()
    }
    #expect(got.load(ordering: .relaxed) == 100)
    #expect(net.server.inbound.remembered == 0)
    // 255 bytes, and one more.
    try net.arrive(.message(OSCMessage("/" + tail.prefix(254), [1])))
    try net.arrive(.message(OSCMessage("/" + tail.prefix(255), [1])))
    net.deliver()
    #expect(got.load(ordering: .relaxed) == 102)
    #expect(net.server.inbound.remembered == 1)
  }

  @Test("reach callbacks added later, and not cancelled ones, although addresses are cached")
  func remembered() throws {
    let net = OfflineNetServer()
    let first = net.listen("/x/*")
    try net.arrive(.message(OSCMessage("/x/1", [1])))
    net.deliver()
    net.listen("//1")
    try net.arrive(.message(OSCMessage("/x/1", [2])))
    net.deliver()
    first.cancel()
    try net.arrive(.message(OSCMessage("/x/1", [3])))
    net.deliver()
    #expect(net.popMessages() == ["/x/1 1.0", "/x/1 2.0", "/x/1 2.0", "/x/1 3.0"])
  }

  @Test("are not passed to a callback that was cancelled while they waited")
  func cancelledWhileWaiting() throws {
    let net = OfflineNetServer()
    let token = net.listen("/x")
    try net.arrive(.message(OSCMessage("/x", [1])))
    token.cancel()
    net.deliver()
    #expect(net.popMessages() == [])
    #expect(net.counts.dropped == 1 && net.isBalanced)
  }

  @Test("may cancel their own callback from within, for which that call is the last")
  func cancelsItself() throws {
    let net = OfflineNetServer()
    let token = Locked<MoToken?>(nil)
    let made = net.on("/x", .every, .play) { _, _ in
      net.record("called")
      token.withLock { $0 }?.cancel()
      return .taken
    }
    token.withLock { $0 = made }
    for _ in 0..<2 { try net.arrive(.message(OSCMessage("/x", []))) }
    net.deliver()
    #expect(net.popMessages() == ["called"])
  }

  @Test("drops malformed packets and warns once per sender")
  func malformed() throws {
    let net = OfflineNetServer()
    net.listen("/a")
    let good = try OSCMessage("/a", [1]).encoded()
    // The second element of the bundle has a size larger than the packet.
    let bundle = Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 12] + good + [0, 0, 0, 99]
    for _ in 0..<3 { net.arrive(bytes: bundle) }
    net.arrive(bytes: [])
    net.arrive(bytes: Array("/a\0".utf8))
    net.deliver()
    #expect(net.popMessages() == [])
    #expect(net.counts == NetCounts(malformed: 5))
  }

  @Test("of a bundle are delivered except those of an unknown type; if a size is wrong, none is")
  func unknownTypes() throws {
    let net = OfflineNetServer()
    net.listen("/a")
    // 'r' is a colour.
    let unknown = [UInt8]("/a\0\0,r\0\0".utf8) + [1, 2, 3, 4]
    var bundle = [UInt8]("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1]
    for element in [try OSCMessage("/a", [1]).encoded(), unknown, try OSCMessage("/a", [2]).encoded()] {
      bundle += [0, 0, 0, UInt8(element.count)] + element
    }
    net.arrive(bytes: bundle)
    net.deliver()
    #expect(net.popMessages() == ["/a 1.0", "/a 2.0"])
    #expect(net.counts == NetCounts(received: 3, dispatched: 2, mismatched: 1) && net.isBalanced)
    net.arrive(bytes: bundle + [0, 0, 0, 99])
    net.arrive(bytes: unknown)
    net.deliver()
    #expect(net.popMessages() == [])
    #expect(net.counts == NetCounts(received: 3, dispatched: 2, mismatched: 1, malformed: 2))
  }

  @Test("wait for their time tags and are delivered then, never before, the earliest first")
  func future() throws {
    let net = OfflineNetServer()
    net.listen("/a")
    for (seconds, value) in [(0.3, 3), (0.1, 1), (0.2, 2), (0.1, 4)] {
      try net.arrive(
        .bundle(OSCBundle(net.tag(in: seconds), messages: [OSCMessage("/a", [.int32(Int32(value))])])))
    }
    let start = net.clock.now
    net.deliver()
    #expect(net.popMessages() == [])
    // A tag counts in 2^-32 s, so a time is known to a quarter of a nanosecond.
    for (moment, expected) in [
      (0.099999998, []), (0.1, ["/a 1.0", "/a 4.0"]), (0.2, ["/a 2.0"]), (0.299999998, []), (0.3, ["/a 3.0"]),
    ] as [(Double, [String])] {
      net.clock.advance(to: start.advanced(bySeconds: moment))
      net.deliver()
      #expect(net.popMessages() == expected)
    }
    #expect(net.counts.dispatched == 4 && net.isBalanced)
  }

  @Test("have the time of the innermost bundle, and play immediately if that is immediate")
  func nested() throws {
    let net = OfflineNetServer()
    net.listen("//*")
    let inner = OSCBundle(net.tag(in: 2), messages: [OSCMessage("/inner", [])])
    try net.arrive(
      .bundle(OSCBundle(net.tag(in: 1), [.message(OSCMessage("/outer", [])), .bundle(inner)])))
    try net.arrive(.bundle(OSCBundle(.immediate, messages: [OSCMessage("/now", [])])))
    net.deliver()
    #expect(net.popMessages() == ["/now "])
    net.clock.advance(by: .seconds(1))
    net.deliver()
    #expect(net.popMessages() == ["/outer "])
    net.clock.advance(by: .seconds(1))
    net.deliver()
    #expect(net.popMessages() == ["/inner "])
  }

  @Test("reach callbacks that want them ahead immediately with their time, and the others when they are due")
  func ahead() throws {
    let net = OfflineNetServer()
    let moments = Locked<[HostTime]>([])
    let token = net.on("/a", .every, .play, isAhead: true) { _, context in
      moments.withLock { $0.append(context.time) }
      return .taken
    }
    net.listen("/a")
    let due = net.clock.now.advanced(bySeconds: 0.5)
    try net.arrive(.bundle(OSCBundle(net.tag(in: 0.5), messages: [OSCMessage("/a", [])])))
    net.deliver()
    #expect(moments.withLock { $0 }.map { abs($0.nanoseconds - due.nanoseconds) <= 1 } == [true])
    #expect(net.popMessages() == [] && net.counts.dispatched == 0)
    net.clock.advance(by: .seconds(1))
    net.deliver()
    #expect(net.popMessages() == ["/a "])
    #expect(moments.withLock { $0.count } == 1 && net.counts.dispatched == 1 && net.isBalanced)
    token.cancel()
  }

  @Test("that are late play or are dropped, by the policy of their address, and are counted")
  func late() throws {
    let net = OfflineNetServer()
    net.listen("/play")
    net.listen("/drop", late: .drop)
    net.listen("/patient", late: .dropAfter(0.1))
    for address in ["/play", "/drop", "/patient"] {
      for seconds in [-0.05, -0.15] {
        try net.arrive(.bundle(OSCBundle(net.tag(in: seconds), messages: [OSCMessage(address, [])])))
      }
    }
    net.deliver()
    #expect(net.popMessages() == ["/play ", "/play ", "/patient "])
    #expect(net.counts == NetCounts(received: 6, dispatched: 3, dropped: 3, late: 6))
  }

  @Test("beyond the horizon are dropped, and the warning names the sender's clock")
  func horizon() throws {
    let log = LogCapture()
    let net = OfflineNetServer()
    net.listen("/a")
    try net.arrive(.bundle(OSCBundle(net.tag(in: 312.5), messages: [OSCMessage("/a", [])])))
    try net.arrive(.bundle(OSCBundle(net.tag(in: 59.9), messages: [OSCMessage("/a", [])])))
    net.clock.advance(by: .seconds(400))
    net.deliver()
    #expect(net.counts == NetCounts(received: 2, dispatched: 1, dropped: 1))
    let text =
      "the clock of 192.168.0.7:57120 is 312 s ahead of this machine's: its bundles are dropped. Set both clocks "
      + "(timedatectl set-ntp true), or send them with the time tag 'immediately'"
    #expect(log.texts.filter { $0.contains("192.168.0.7:57120 is 312 s") } == [text])
  }

  @Test("that wait move with the wall clock if it is set, or if the machine has slept")
  func clockSet() throws {
    let net = OfflineNetServer()
    net.listen("/a")
    try net.arrive(.bundle(OSCBundle(net.tag(in: 10), messages: [OSCMessage("/a", [])])))
    // Asleep for 7 s: the host clock stopped, but the wall clock continued.
    net.wall.offset.add(7_000_000_000, ordering: .relaxed)
    net.clock.advance(by: .seconds(2.9))
    net.deliver()
    #expect(net.popMessages() == [])
    net.clock.advance(by: .seconds(0.2))
    net.deliver()
    #expect(net.popMessages() == ["/a "])
  }

  @Test("with `latest`, only the newest of an address is delivered, whatever comes between")
  func latest() throws {
    let net = OfflineNetServer()
    net.listen("/fader/*", .latest)
    net.listen("/note")
    for value in 1...1000 {
      try net.arrive(.message(OSCMessage("/fader/1", [.int32(Int32(value))])))
      if value == 500 { try net.arrive(.message(OSCMessage("/note", [1]))) }
      try net.arrive(
        .message(
          OSCMessage("/fader/2", [.int32(Int32(-value)), .string(String(repeating: "x", count: value))])))
    }
    net.deliver()
    #expect(Set(net.popMessages()) == ["/fader/1 1000.0", "/note 1.0", "/fader/2 -1000.0 -"])
    #expect(net.counts == NetCounts(received: 2001, dispatched: 3, dropped: 1998))
  }

  @Test("with `ordered`, never go back in time")
  func ordered() throws {
    let net = OfflineNetServer()
    net.listen("/a", .ordered)
    net.listen("/b")
    for (seconds, host) in [(-0.3, "10.0.0.1"), (-0.1, "10.0.0.1"), (-0.2, "10.0.0.1"), (-0.2, "10.0.0.2")] {
      for address in ["/a", "/b"] {
        let message = OSCMessage(address, [.double(seconds)])
        try net.arrive(.bundle(OSCBundle(net.tag(in: seconds), messages: [message])), from: host)
      }
    }
    net.deliver()
    #expect(
      net.popMessages() == ["/a -0.3", "/b -0.3", "/a -0.1", "/b -0.1", "/b -0.2", "/a -0.2", "/b -0.2"])
    #expect(net.counts.dropped == 1 && net.isBalanced)
  }

  @Test("beyond the capacity are dropped and counted; the first ones stay, and later there is room again")
  func bounded() throws {
    let net = OfflineNetServer()
    net.listen("/a")
    for round in 1...3 {
      for value in 0..<20_000 { try net.arrive(.message(OSCMessage("/a", [.int32(Int32(value))]))) }
      #expect(net.server.statistics.waiting == 8192)
      net.deliver()
      #expect(net.popMessages() == (0..<8192).map { "/a \(Double($0))" })
      #expect(net.counts.dropped == round * (20_000 - 8192) && net.isBalanced)
    }
    let large = OSCMessage("/a", [.blob([UInt8](repeating: 7, count: 60_000))])
    for _ in 0..<1000 { try net.arrive(.message(large)) }
    // 8 MiB of messages, and not a byte more.
    #expect(net.server.statistics.waiting == (8 << 20) / (59 * 1024))
    net.deliver()
    #expect(net.popMessages().count == (8 << 20) / (59 * 1024) && net.isBalanced)
  }

  @Test("for the future leave memory for large messages that are due, and do not stop TCP connections")
  func boundedLargeFuture() throws {
    let net = OfflineNetServer()
    net.listen("/a")
    let large = OSCMessage("/a", [.blob([UInt8](repeating: 7, count: 60_000))])
    for _ in 0..<200 { try net.arrive(.bundle(OSCBundle(net.tag(in: 50), messages: [large]))) }
    let most = (4 << 20) / (59 * 1024)
    #expect(net.server.statistics.waiting == most && net.counts.dropped == 200 - most)
    #expect(!net.server.inbound.isBusy)
    for _ in 0..<30 { try net.arrive(.message(large)) }
    #expect(net.counts.dropped == 200 - most && !net.server.inbound.isBusy)
    for _ in 0..<10 { try net.arrive(.message(large)) }
    #expect(net.counts.dropped == 200 - most && net.server.inbound.isBusy)
    net.deliver()
    #expect(net.popMessages().count == 40 && !net.server.inbound.isBusy)
    net.clock.advance(by: .seconds(51))
    net.deliver()
    #expect(net.popMessages().count == most && net.isBalanced)
    // The memory is free again.
    for _ in 0..<1000 { try net.arrive(.message(large)) }
    #expect(net.server.statistics.waiting == (8 << 20) / (59 * 1024))
  }

  @Test("for the future are limited, too")
  func boundedFuture() throws {
    let net = OfflineNetServer()
    net.listen("/a")
    for _ in 0..<10_000 {
      try net.arrive(.bundle(OSCBundle(net.tag(in: 5), messages: [OSCMessage("/a", [])])))
    }
    #expect(net.server.statistics.waiting == 4096 && net.counts.dropped == 10_000 - 4096)
    net.clock.advance(by: .seconds(6))
    net.deliver()
    #expect(net.popMessages().count == 4096 && net.isBalanced)
  }

  @Test("are counted by sender, for 256 senders separately")
  func senders() throws {
    let net = OfflineNetServer()
    net.listen("/a")
    try net.arrive(.message(OSCMessage("/a", [])), from: "10.0.0.1")
    try net.arrive(.message(OSCMessage("/b", [])), from: "10.0.0.1")
    try net.arrive(.message(OSCMessage("/a", [])), from: "fe80::1", port: 9)
    net.deliver()
    let first = net.server.statistics.senders
    #expect(first.map { $0.address?.description } == ["10.0.0.1:57120", "[fe80::1]:9"])
    #expect(
      first.map(\.counts) == [
        NetCounts(received: 2, dispatched: 1, unmatched: 1), NetCounts(received: 1, dispatched: 1),
      ])
    for port in 1...10_000 { try net.arrive(.message(OSCMessage("/b", [])), from: "10.0.0.9", port: port) }
    let all = net.server.statistics.senders
    #expect(all.count == 257 && all[0].address == nil)
    #expect(all.reduce(0) { $0 + $1.counts.received } == 10_003)
  }

  @Test("of a week, with all possible cases, leave nothing behind")
  func week() throws {
    let net = OfflineNetServer()
    let got = Atomic<Int>(0)
    _ = net.on("/sensor/*", .latest, .play) { _, _ in
      got.wrappingAdd(1, ordering: .relaxed)
      return .taken
    }
    _ = net.on("/note", .every, .drop) { _, _ in .taken }
    // A week of minutes; in each, a sample of a busy rig's messages, from ever new ports and addresses.
    for minute in 0..<(7 * 24 * 60) {
      let host = "10.\(minute / 65536 % 256).\(minute / 256 % 256).\(minute % 256)"
      try net.arrive(.message(OSCMessage("/sensor/\(minute)", [1])), from: host)
      try net.arrive(.message(OSCMessage("/{note,n\(minute)}", [1])), from: host)
      try net.arrive(.bundle(OSCBundle(net.tag(in: 30), messages: [OSCMessage("/note", [])])), from: host)
      try net.arrive(.bundle(OSCBundle(net.tag(in: -1), messages: [OSCMessage("/note", [])])), from: host)
      net.arrive(bytes: [1, 2, 3], from: host)
      net.clock.advance(by: .seconds(60))
      net.deliver()
      #expect(net.server.statistics.waiting == 0)
    }
    #expect(got.load(ordering: .relaxed) == 7 * 24 * 60 && net.isBalanced)
    // Ten thousand addresses that were matched against patterns have been forgotten again.
    #expect(net.server.inbound.remembered <= 4096 + 1)
    #expect(net.server.statistics.senders.count == 257)
  }
}
