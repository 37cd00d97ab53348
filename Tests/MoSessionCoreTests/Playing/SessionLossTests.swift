import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

@Suite("Reports of lost messages")
struct SessionLossTests {
  /// Ada, who is present by her hellos, and our plays for her; she acknowledges only while the test allows it.
  private struct Pair {
    var core: SessionCore
    var now = HostTime(seconds: 100)
    var answers = false
    private(set) var events: [SessionEvent] = []
    private(set) var acknowledged = 0
    private var hello = HostTime(seconds: 100)
    /// Ada's receive window.
    private var received = ReceiveWindow()
    private let there = SessionEndpoint(high: 1 << 32, port: 6450)

    init() {
      core = SessionCore(
        SessionCore.Settings(room: "Lab", identity: Sample.identity(Sample.me, "Me")),
        now: HostTime(seconds: 100))
      pass(2)
    }

    mutating func pass(_ seconds: Double) {
      let end = now.advanced(bySeconds: seconds)
      while now < end {
        now = now.advanced(bySeconds: 0.02)
        if now >= hello {
          hello = now.advanced(bySeconds: 1)
          core.handshake(Sample.hello(), at: there, now: now)
        }
        core.tick(at: now)
        for outgoing in core.drainOutgoing() { answer(outgoing) }
        events += core.drainEvents()
      }
    }

    private mutating func answer(_ outgoing: Outgoing) {
      guard answers, let messages = try? SessionMessage.list(outgoing.datagram) else { return }
      for case .play(let message) in messages where message.stream > 0 {
        if message.play.address != .cells {
          acknowledged += received.receive(message).count
        } else {
          _ = received.receive(message)
        }
        received.prepareAck(of: message)
      }
      let list = received.popDueAcks().map { $0.ack(to: Sample.me, receivesMulticast: true) }
      guard !list.isEmpty else { return }
      let acks = Acks(from: Sample.other, to: Sample.me, list: list)
      core.receive(SessionMessage.got(acks).encoded(), from: there, at: now, now: now)
    }

    mutating func play(_ play: SessionPlay) throws {
      try core.play(play, to: .member(Sample.other), now: now)
    }

    var losses: [SessionLoss] {
      events.compactMap { event in
        guard case .undelivered(let loss) = event else { return nil }
        return loss
      }
    }

    var missed: Int? { core.roster(at: now).first { $0.identity.member == Sample.other }?.missed }
  }

  private static let hit = SessionPlay.hit(SessionHit(force: 1))

  @Test("a loss is reported once, with its count and address, when it is given up, and is in the roster")
  func reportedOnce() throws {
    var pair = Pair()
    #expect(pair.missed == 0)
    for _ in 0..<12 { try pair.play(Self.hit) }
    for pitch in 60..<63 { try pair.play(.note(SessionNote(pitch: Float(pitch)))) }
    // Cells are requested again, and are counted separately.
    try pair.play(.cells(SharedEdits("drums", [SharedEdit(key: 1, cell: SharedCell(word: 1))])))
    pair.pass(4.5)
    #expect(pair.losses.isEmpty && pair.missed == 0)
    pair.pass(2)
    #expect(
      pair.losses == [SessionLoss(member: Sample.other, name: "Ada", counts: [.hit: 12, .note: 3])])
    #expect(pair.missed == 15)
    #expect(pair.core.counts.undelivered == 16)
    pair.pass(60)
    #expect(pair.losses.count == 1)
  }

  @Test(
    "losses are reported once while nothing gets through, and all others after something does")
  func onceASpell() throws {
    var pair = Pair()
    var sent = 0
    for _ in 0..<240 {
      try pair.play(Self.hit)
      sent += 1
      pair.pass(0.25)
    }
    #expect(pair.losses.count == 1)
    pair.answers = true
    pair.pass(20)
    #expect(pair.losses.count == 2)
    #expect(pair.acknowledged > 0)
    #expect(pair.losses.reduce(0) { $0 + $1.total } + pair.acknowledged == sent)
    #expect(pair.missed == sent - pair.acknowledged)
    // A message that gets through again is no loss.
    for _ in 0..<40 {
      try pair.play(Self.hit)
      pair.pass(0.25)
    }
    #expect(pair.losses.count == 2)
  }

  @Test("losses are reported every ten seconds at most while some messages get through")
  func bounded() throws {
    var pair = Pair()
    for step in 0..<600 {
      pair.answers = step % 32 < 4
      try pair.play(Self.hit)
      pair.pass(0.25)
    }
    #expect((2...16).contains(pair.losses.count), "\(pair.losses.count)")
    pair.answers = true
    pair.pass(30)
    #expect(pair.losses.reduce(0) { $0 + $1.total } == pair.missed)
  }

  @Test("messages that find no room are losses, too: not one of a hundred is lost without a report")
  func crowded() throws {
    var pair = Pair()
    var refused = 0
    for _ in 0..<100 {
      do { try pair.play(Self.hit) } catch SessionRefusal.crowded { refused += 1 }
    }
    #expect(refused == 36)
    pair.pass(1.5)
    #expect(pair.losses.map(\.total) == [36])
    pair.answers = true
    // Sixteen at a time are retransmitted.
    pair.pass(3)
    #expect(pair.acknowledged == 64 && pair.missed == 36)
  }

  @Test("losses are reported before a member's disappearance; a member that says goodbye misses nothing")
  func gone() throws {
    var orchestra = VirtualOrchestra.room(3)
    let (silent, polite) = (orchestra.id(1), orchestra.id(2))
    orchestra.crash(1)
    for _ in 0..<5 {
      _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
        try core.play(Self.hit, to: .others, now: now)
      }
      orchestra.pass(0.05)
    }
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      try core.play(Self.hit, to: .member(polite), now: now)
    }
    _ = orchestra.act(2) { core, now in core.leave(now: now) }
    orchestra.crash(2)
    orchestra.pass(12)
    let reports = orchestra.members[0].events.map { $0.event }.filter { event in
      switch event {
      case .undelivered, .left: true
      default: false
      }
    }
    #expect(
      reports == [
        .left(polite, said: true),
        .undelivered(SessionLoss(member: silent, name: "p2", counts: [.hit: 5])),
        .left(silent, said: false),
      ])
    #expect(orchestra.core(0).delivery.losses.isEmpty)
  }

  @Test("a clock step, as after a sleep, does not delay the report")
  func steps() throws {
    var orchestra = VirtualOrchestra.room(2)
    orchestra.crash(1)
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      try core.play(Self.hit, to: .others, now: now)
    }
    orchestra.pass(1)
    orchestra.step(0, bySeconds: -3600)
    orchestra.pass(12)
    #expect(
      orchestra.members[0].events.count { event in
        if case .undelivered = event.event { true } else { false }
      } == 1)
  }

  @Test("a loss has a readable text")
  func words() {
    func description(_ counts: [SessionAddress: Int]) -> String {
      SessionLoss(member: Sample.other, name: "Ada", counts: counts).description
    }
    let rest = ": check its program and its network (momu doctor)"
    #expect(description([.hit: 1]) == "Ada did not receive 1 hit" + rest)
    #expect(description([.note: 3, .hit: 12]) == "Ada did not receive 12 hits and 3 notes" + rest)
    #expect(
      description([.melody: 2, .note: 1, .hit: 2, .cue: 1, .parameter: 3])
        == "Ada did not receive 2 hits, 1 note, 2 melodies, 3 parameters and 1 cue" + rest)
  }
}
