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
    let room = Mailroom()
    room.listen("/a")
    room.listen("/b")
    room.listen("/a")
    try room.arrive(.message(OSCMessage("/a", [1])))
    try room.arrive(.message(OSCMessage("/c", [1])))
    try room.arrive(.message(OSCMessage("/a/b", [1])))
    room.deliver()
    #expect(room.take() == ["/a 1.0", "/a 1.0"])
    #expect(room.counts == NetCounts(received: 3, dispatched: 1, unmatched: 2))
  }

  @Test("match registered patterns and received patterns, once each")
  func patterns() throws {
    let room = Mailroom()
    room.listen("/drum/*")
    room.listen("/drum/kick")
    room.listen("/piano/c4")
    for _ in 0..<3 {
      try room.arrive(.message(OSCMessage("/drum/kick", [1])))
      room.deliver()
      #expect(room.take() == ["/drum/kick 1.0", "/drum/kick 1.0"])
      try room.arrive(.message(OSCMessage("/{drum,piano}/[ck]*", [2])))
      room.deliver()
      #expect(room.take() == ["/{drum,piano}/[ck]* 2.0", "/{drum,piano}/[ck]* 2.0"])
    }
    try room.arrive(.message(OSCMessage("/drum/snare/rim", [1])))
    try room.arrive(.message(OSCMessage("/[", [1])))
    room.deliver()
    #expect(room.take() == [])
    #expect(room.counts.unmatched == 2)
  }

  @Test("count as unmatched each time, if a pattern is registered that does not match their address")
  func unmatchedAgain() throws {
    let room = Mailroom()
    room.listen("/drum/*")
    for _ in 0..<3 {
      try room.arrive(.message(OSCMessage("/piano/c4", [1])))
      try room.arrive(.message(OSCMessage("/{piano,organ}/c4", [1])))
      room.deliver()
    }
    #expect(room.take() == [])
    #expect(room.counts == NetCounts(received: 6, unmatched: 6))
  }

  @Test("match whatever the length of their address, but the longest addresses are not cached")
  func longAddresses() throws {
    let room = Mailroom()
    let got = Atomic<Int>(0)
    _ = room.on("//*", .every, .play) { _, _ in
      got.wrappingAdd(1, ordering: .relaxed)
      return .taken
    }
    let tail = String(repeating: "x", count: 60_000)
    for number in 0..<100 {
      try room.arrive(.message(OSCMessage("/\(number)/\(tail)", [1])))
      room.deliver()
    }
    #expect(got.load(ordering: .relaxed) == 100)
    #expect(room.server.inbound.remembered == 0)
    // 255 bytes, and one more.
    try room.arrive(.message(OSCMessage("/" + tail.prefix(254), [1])))
    try room.arrive(.message(OSCMessage("/" + tail.prefix(255), [1])))
    room.deliver()
    #expect(got.load(ordering: .relaxed) == 102)
    #expect(room.server.inbound.remembered == 1)
  }

  @Test("reach callbacks added later, and not cancelled ones, although addresses are cached")
  func remembered() throws {
    let room = Mailroom()
    let first = room.listen("/x/*")
    try room.arrive(.message(OSCMessage("/x/1", [1])))
    room.deliver()
    room.listen("//1")
    try room.arrive(.message(OSCMessage("/x/1", [2])))
    room.deliver()
    first.cancel()
    try room.arrive(.message(OSCMessage("/x/1", [3])))
    room.deliver()
    #expect(room.take() == ["/x/1 1.0", "/x/1 2.0", "/x/1 2.0", "/x/1 3.0"])
  }

  @Test("are not passed to a callback that was cancelled while they waited")
  func cancelledWhileWaiting() throws {
    let room = Mailroom()
    let token = room.listen("/x")
    try room.arrive(.message(OSCMessage("/x", [1])))
    token.cancel()
    room.deliver()
    #expect(room.take() == [])
    #expect(room.counts.dropped == 1 && room.isBalanced)
  }

  @Test("may cancel their own callback from within, for which that call is the last")
  func cancelsItself() throws {
    let room = Mailroom()
    let token = Locked<MoToken?>(nil)
    let made = room.on("/x", .every, .play) { _, _ in
      room.note("called")
      token.withLock { $0 }?.cancel()
      return .taken
    }
    token.withLock { $0 = made }
    for _ in 0..<2 { try room.arrive(.message(OSCMessage("/x", []))) }
    room.deliver()
    #expect(room.take() == ["called"])
  }

  @Test("drops malformed packets and warns once per sender")
  func malformed() throws {
    let room = Mailroom()
    room.listen("/a")
    let good = try OSCMessage("/a", [1]).encoded()
    // The second element of the bundle has a size larger than the packet.
    let bundle = Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 12] + good + [0, 0, 0, 99]
    for _ in 0..<3 { room.arrive(bytes: bundle) }
    room.arrive(bytes: [])
    room.arrive(bytes: Array("/a\0".utf8))
    room.deliver()
    #expect(room.take() == [])
    #expect(room.counts == NetCounts(malformed: 5))
  }

  @Test("of a bundle are delivered except those of an unknown type; if a size is wrong, none is")
  func unknownTypes() throws {
    let room = Mailroom()
    room.listen("/a")
    // 'r' is a colour.
    let unknown = [UInt8]("/a\0\0,r\0\0".utf8) + [1, 2, 3, 4]
    var bundle = [UInt8]("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1]
    for element in [try OSCMessage("/a", [1]).encoded(), unknown, try OSCMessage("/a", [2]).encoded()] {
      bundle += [0, 0, 0, UInt8(element.count)] + element
    }
    room.arrive(bytes: bundle)
    room.deliver()
    #expect(room.take() == ["/a 1.0", "/a 2.0"])
    #expect(room.counts == NetCounts(received: 3, dispatched: 2, mismatched: 1) && room.isBalanced)
    room.arrive(bytes: bundle + [0, 0, 0, 99])
    room.arrive(bytes: unknown)
    room.deliver()
    #expect(room.take() == [])
    #expect(room.counts == NetCounts(received: 3, dispatched: 2, mismatched: 1, malformed: 2))
  }

  @Test("wait for their time tags and are delivered then, never before, the earliest first")
  func future() throws {
    let room = Mailroom()
    room.listen("/a")
    for (seconds, value) in [(0.3, 3), (0.1, 1), (0.2, 2), (0.1, 4)] {
      try room.arrive(
        .bundle(OSCBundle(room.tag(in: seconds), messages: [OSCMessage("/a", [.int32(Int32(value))])])))
    }
    let start = room.clock.now
    room.deliver()
    #expect(room.take() == [])
    // A tag counts in 2^-32 s, so a time is known to a quarter of a nanosecond.
    for (moment, expected) in [
      (0.099999998, []), (0.1, ["/a 1.0", "/a 4.0"]), (0.2, ["/a 2.0"]), (0.299999998, []), (0.3, ["/a 3.0"]),
    ] as [(Double, [String])] {
      room.clock.advance(to: start.advanced(bySeconds: moment))
      room.deliver()
      #expect(room.take() == expected)
    }
    #expect(room.counts.dispatched == 4 && room.isBalanced)
  }

  @Test("have the time of the innermost bundle, and play immediately if that is immediate")
  func nested() throws {
    let room = Mailroom()
    room.listen("//*")
    let inner = OSCBundle(room.tag(in: 2), messages: [OSCMessage("/inner", [])])
    try room.arrive(
      .bundle(OSCBundle(room.tag(in: 1), [.message(OSCMessage("/outer", [])), .bundle(inner)])))
    try room.arrive(.bundle(OSCBundle(.immediate, messages: [OSCMessage("/now", [])])))
    room.deliver()
    #expect(room.take() == ["/now "])
    room.clock.advance(by: .seconds(1))
    room.deliver()
    #expect(room.take() == ["/outer "])
    room.clock.advance(by: .seconds(1))
    room.deliver()
    #expect(room.take() == ["/inner "])
  }

  @Test("reach callbacks that want them ahead immediately with their time, and the others when they are due")
  func ahead() throws {
    let room = Mailroom()
    let moments = Locked<[HostTime]>([])
    let token = room.on("/a", .every, .play, isAhead: true) { _, context in
      moments.withLock { $0.append(context.time) }
      return .taken
    }
    room.listen("/a")
    let due = room.clock.now.advanced(bySeconds: 0.5)
    try room.arrive(.bundle(OSCBundle(room.tag(in: 0.5), messages: [OSCMessage("/a", [])])))
    room.deliver()
    #expect(moments.withLock { $0 }.map { abs($0.nanoseconds - due.nanoseconds) <= 1 } == [true])
    #expect(room.take() == [] && room.counts.dispatched == 0)
    room.clock.advance(by: .seconds(1))
    room.deliver()
    #expect(room.take() == ["/a "])
    #expect(moments.withLock { $0.count } == 1 && room.counts.dispatched == 1 && room.isBalanced)
    token.cancel()
  }

  @Test("that are late play or are dropped, by the policy of their address, and are counted")
  func late() throws {
    let room = Mailroom()
    room.listen("/play")
    room.listen("/drop", late: .drop)
    room.listen("/patient", late: .dropAfter(0.1))
    for address in ["/play", "/drop", "/patient"] {
      for seconds in [-0.05, -0.15] {
        try room.arrive(.bundle(OSCBundle(room.tag(in: seconds), messages: [OSCMessage(address, [])])))
      }
    }
    room.deliver()
    #expect(room.take() == ["/play ", "/play ", "/patient "])
    #expect(room.counts == NetCounts(received: 6, dispatched: 3, dropped: 3, late: 6))
  }

  @Test("beyond the horizon are dropped, and the warning names the sender's clock")
  func horizon() throws {
    let log = LogCapture()
    let room = Mailroom()
    room.listen("/a")
    try room.arrive(.bundle(OSCBundle(room.tag(in: 312.5), messages: [OSCMessage("/a", [])])))
    try room.arrive(.bundle(OSCBundle(room.tag(in: 59.9), messages: [OSCMessage("/a", [])])))
    room.clock.advance(by: .seconds(400))
    room.deliver()
    #expect(room.counts == NetCounts(received: 2, dispatched: 1, dropped: 1))
    let text =
      "the clock of 192.168.0.7:57120 is 312 s ahead of this machine's: its bundles are dropped. Set both clocks "
      + "(timedatectl set-ntp true), or send them with the time tag 'immediately'"
    #expect(log.texts.filter { $0.contains("192.168.0.7:57120 is 312 s") } == [text])
  }

  @Test("that wait move with the wall clock if it is set, or if the machine has slept")
  func clockSet() throws {
    let room = Mailroom()
    room.listen("/a")
    try room.arrive(.bundle(OSCBundle(room.tag(in: 10), messages: [OSCMessage("/a", [])])))
    // Asleep for 7 s: the host clock stopped, but the wall clock continued.
    room.wall.offset.add(7_000_000_000, ordering: .relaxed)
    room.clock.advance(by: .seconds(2.9))
    room.deliver()
    #expect(room.take() == [])
    room.clock.advance(by: .seconds(0.2))
    room.deliver()
    #expect(room.take() == ["/a "])
  }

  @Test("with `latest`, only the newest of an address is delivered, whatever comes between")
  func latest() throws {
    let room = Mailroom()
    room.listen("/fader/*", .latest)
    room.listen("/note")
    for value in 1...1000 {
      try room.arrive(.message(OSCMessage("/fader/1", [.int32(Int32(value))])))
      if value == 500 { try room.arrive(.message(OSCMessage("/note", [1]))) }
      try room.arrive(
        .message(
          OSCMessage("/fader/2", [.int32(Int32(-value)), .string(String(repeating: "x", count: value))])))
    }
    room.deliver()
    #expect(Set(room.take()) == ["/fader/1 1000.0", "/note 1.0", "/fader/2 -1000.0 -"])
    #expect(room.counts == NetCounts(received: 2001, dispatched: 3, dropped: 1998))
  }

  @Test("with `ordered`, never go back in time")
  func ordered() throws {
    let room = Mailroom()
    room.listen("/a", .ordered)
    room.listen("/b")
    for (seconds, host) in [(-0.3, "10.0.0.1"), (-0.1, "10.0.0.1"), (-0.2, "10.0.0.1"), (-0.2, "10.0.0.2")] {
      for address in ["/a", "/b"] {
        let message = OSCMessage(address, [.double(seconds)])
        try room.arrive(.bundle(OSCBundle(room.tag(in: seconds), messages: [message])), from: host)
      }
    }
    room.deliver()
    #expect(
      room.take() == ["/a -0.3", "/b -0.3", "/a -0.1", "/b -0.1", "/b -0.2", "/a -0.2", "/b -0.2"])
    #expect(room.counts.dropped == 1 && room.isBalanced)
  }

  @Test("beyond the capacity are dropped and counted; the first ones stay, and later there is room again")
  func bounded() throws {
    let room = Mailroom()
    room.listen("/a")
    for round in 1...3 {
      for value in 0..<20_000 { try room.arrive(.message(OSCMessage("/a", [.int32(Int32(value))]))) }
      #expect(room.server.statistics.waiting == 8192)
      room.deliver()
      #expect(room.take() == (0..<8192).map { "/a \(Double($0))" })
      #expect(room.counts.dropped == round * (20_000 - 8192) && room.isBalanced)
    }
    let large = OSCMessage("/a", [.blob([UInt8](repeating: 7, count: 60_000))])
    for _ in 0..<1000 { try room.arrive(.message(large)) }
    // 8 MiB of messages, and not a byte more.
    #expect(room.server.statistics.waiting == (8 << 20) / (59 * 1024))
    room.deliver()
    #expect(room.take().count == (8 << 20) / (59 * 1024) && room.isBalanced)
  }

  @Test("for the future leave memory for large messages that are due, and do not stop TCP connections")
  func boundedLargeFuture() throws {
    let room = Mailroom()
    room.listen("/a")
    let large = OSCMessage("/a", [.blob([UInt8](repeating: 7, count: 60_000))])
    for _ in 0..<200 { try room.arrive(.bundle(OSCBundle(room.tag(in: 50), messages: [large]))) }
    let most = (4 << 20) / (59 * 1024)
    #expect(room.server.statistics.waiting == most && room.counts.dropped == 200 - most)
    #expect(!room.server.inbound.isBusy)
    for _ in 0..<30 { try room.arrive(.message(large)) }
    #expect(room.counts.dropped == 200 - most && !room.server.inbound.isBusy)
    for _ in 0..<10 { try room.arrive(.message(large)) }
    #expect(room.counts.dropped == 200 - most && room.server.inbound.isBusy)
    room.deliver()
    #expect(room.take().count == 40 && !room.server.inbound.isBusy)
    room.clock.advance(by: .seconds(51))
    room.deliver()
    #expect(room.take().count == most && room.isBalanced)
    // The memory is free again.
    for _ in 0..<1000 { try room.arrive(.message(large)) }
    #expect(room.server.statistics.waiting == (8 << 20) / (59 * 1024))
  }

  @Test("for the future are limited, too")
  func boundedFuture() throws {
    let room = Mailroom()
    room.listen("/a")
    for _ in 0..<10_000 {
      try room.arrive(.bundle(OSCBundle(room.tag(in: 5), messages: [OSCMessage("/a", [])])))
    }
    #expect(room.server.statistics.waiting == 4096 && room.counts.dropped == 10_000 - 4096)
    room.clock.advance(by: .seconds(6))
    room.deliver()
    #expect(room.take().count == 4096 && room.isBalanced)
  }

  @Test("are counted by sender, for 256 senders separately")
  func senders() throws {
    let room = Mailroom()
    room.listen("/a")
    try room.arrive(.message(OSCMessage("/a", [])), from: "10.0.0.1")
    try room.arrive(.message(OSCMessage("/b", [])), from: "10.0.0.1")
    try room.arrive(.message(OSCMessage("/a", [])), from: "fe80::1", port: 9)
    room.deliver()
    let first = room.server.statistics.senders
    #expect(first.map { $0.address?.description } == ["10.0.0.1:57120", "[fe80::1]:9"])
    #expect(
      first.map(\.counts) == [
        NetCounts(received: 2, dispatched: 1, unmatched: 1), NetCounts(received: 1, dispatched: 1),
      ])
    for port in 1...10_000 { try room.arrive(.message(OSCMessage("/b", [])), from: "10.0.0.9", port: port) }
    let all = room.server.statistics.senders
    #expect(all.count == 257 && all[0].address == nil)
    #expect(all.reduce(0) { $0 + $1.counts.received } == 10_003)
  }

  @Test("of a week, with all possible cases, leave nothing behind")
  func week() throws {
    let room = Mailroom()
    let got = Atomic<Int>(0)
    _ = room.on("/sensor/*", .latest, .play) { _, _ in
      got.wrappingAdd(1, ordering: .relaxed)
      return .taken
    }
    _ = room.on("/note", .every, .drop) { _, _ in .taken }
    // A week of minutes; in each, a sample of a busy rig's messages, from ever new ports and addresses.
    for minute in 0..<(7 * 24 * 60) {
      let host = "10.\(minute / 65536 % 256).\(minute / 256 % 256).\(minute % 256)"
      try room.arrive(.message(OSCMessage("/sensor/\(minute)", [1])), from: host)
      try room.arrive(.message(OSCMessage("/{note,n\(minute)}", [1])), from: host)
      try room.arrive(.bundle(OSCBundle(room.tag(in: 30), messages: [OSCMessage("/note", [])])), from: host)
      try room.arrive(.bundle(OSCBundle(room.tag(in: -1), messages: [OSCMessage("/note", [])])), from: host)
      room.arrive(bytes: [1, 2, 3], from: host)
      room.clock.advance(by: .seconds(60))
      room.deliver()
      #expect(room.server.statistics.waiting == 0)
    }
    #expect(got.load(ordering: .relaxed) == 7 * 24 * 60 && room.isBalanced)
    // Ten thousand addresses that were matched against patterns have been forgotten again.
    #expect(room.server.inbound.remembered <= 4096 + 1)
    #expect(room.server.statistics.senders.count == 257)
  }
}
