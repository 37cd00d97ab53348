import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

extension VirtualOrchestra {
  /// Makes members move for a while; each reports it a hundred times a second.
  mutating func move(
    _ level: (Int) -> Float, for seconds: Double, check: (VirtualOrchestra) -> Void = { _ in }
  ) {
    for _ in 0..<Int(seconds * 100) {
      for index in members.indices where members[index].core != nil {
        _ = act(index) { core, now in core.setActivity(level(index), now: now) }
      }
      pass(0.01)
      check(self)
    }
  }

  func pattern(_ index: Int) -> PatternPlan.Entry { core(index).pattern(at: host(index)) }
}

/// A law: all members play the same pattern in the same bar; violations are recorded as texts.
struct PatternLaw {
  private(set) var broken: [String] = []
  /// The compared bars, and the changes of level among them.
  private(set) var bars: [Int: PatternPlan.Entry] = [:]

  var changes: Int {
    let levels = bars.sorted { $0.key < $1.key }.map(\.value.level)
    return zip(levels, levels.dropFirst()).count { $0 != $1 }
  }

  mutating func check(in orchestra: VirtualOrchestra) {
    for index in orchestra.members.indices {
      // A newcomer knows everything within two seconds.
      guard let core = orchestra.members[index].core, let joined = orchestra.members[index].joinedAt,
        orchestra.seconds - joined > 2, let bar = core.beatClock.position(at: orchestra.host(index))?.bar
      else { continue }
      let entry = orchestra.pattern(index)
      if let known = bars[bar], known != entry {
        broken.append("p\(index + 1) at \(orchestra.seconds) s: \(entry) in bar \(bar), others \(known)")
      }
      bars[bar] = entry
    }
  }
}

@Suite("Activity")
struct ActivityTests {
  @Test("eight members report ten times a second at most; forty send a hundred reports in all")
  func thrift() throws {
    for (count, each, all) in [(8, 10.5, 72.0), (40, 3.0, 105.0)] {
      var orchestra = VirtualOrchestra.room(count, on: .goodWiFi)
      try orchestra.start(0)
      orchestra.pass(5)
      let quiet = orchestra.members
      orchestra.pass(5)
      let before = orchestra.members
      var chance = SimulatedChance(seed: 5)
      orchestra.move({ _ in Float(chance.unit()) }, for: 5)
      for index in 1..<count {
        let sent = orchestra.members[index].sent.datagrams - before[index].sent.datagrams
        let usual = before[index].sent.datagrams - quiet[index].sent.datagrams
        // Reports, plus the announcement of each bar, acknowledged and relayed to members that may lack it.
        #expect(Double(sent - usual) / 5 < each + 2, "\(count): p\(index + 1)")
      }
      let reports = orchestra.core(0).activity.others.values.reduce(0) { $0 + Int($1.number) }
      #expect(Double(reports) / 5 < all, "\(count)")
      let received = orchestra.members[0].received.datagrams - before[0].received.datagrams
      let usual = before[0].received.datagrams - quiet[0].received.datagrams
      #expect(Double(received - usual) / 5 < all + 1.5 * Double(count), "\(count)")
    }
  }

  @Test("the level follows the mean movement by one step a bar, and all play the same in each bar")
  func level() throws {
    var orchestra = VirtualOrchestra.room(4, on: .badWiFi)
    try orchestra.start(1)
    orchestra.pass(3)
    var law = PatternLaw()
    #expect(orchestra.pattern(0) == PatternPlan.Entry(bar: .min, level: 1, total: 0))
    orchestra.move({ _ in 1 }, for: 16, check: { law.check(in: $0) })
    for index in 0..<4 {
      #expect(orchestra.pattern(index).level == 5)
      #expect(orchestra.pattern(index).total == 1)
    }
    // Two of four are still.
    orchestra.move({ $0 < 2 ? 1 : 0 }, for: 12, check: { law.check(in: $0) })
    #expect(abs(orchestra.pattern(3).total - 0.5) < 0.01)
    #expect(orchestra.pattern(3).level == 3)
    orchestra.move({ _ in 0 }, for: 16, check: { law.check(in: $0) })
    #expect(orchestra.pattern(0).level == 1)
    #expect(law.broken.prefix(3) == [])
    let levels = law.bars.sorted { $0.key < $1.key }.map(\.value.level)
    #expect(zip(levels, levels.dropFirst()).allSatisfy { abs($0 - $1) <= 1 })
  }

  @Test("a member with a closed activity gate does not count, even among still members")
  func closed() throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.start(0)
    var gates = GateTable()
    gates.set(0, .activity, from: orchestra.installation(1))
    try orchestra.set(gates, by: 0)
    orchestra.move({ $0 == 1 ? 0 : 1 }, for: 9)
    #expect(orchestra.pattern(2).total == 1)
  }

  @Test("a late member plays the pattern of all from the same bar on")
  func late() throws {
    var orchestra = VirtualOrchestra.room(3)
    orchestra.crash(2)
    try orchestra.start(0)
    orchestra.move({ _ in 0.7 }, for: 12)
    orchestra.join(2)
    orchestra.pass(2)
    #expect(orchestra.pattern(2).level == 4)
    #expect(orchestra.pattern(2) == orchestra.pattern(0))
  }

  @Test(
    "all play the same pattern in every bar, at whatever moment the conductor dies",
    arguments: [SimulatedNetwork.wire, .goodWiFi, .badWiFi])
  func killed(network: SimulatedNetwork) throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      var chance = SimulatedChance(seed: seed &* 31)
      var orchestra = VirtualOrchestra.room(5, on: network, seed: seed)
      // Bars of 0.75 s, with another announcement in each.
      try orchestra.start(0) { ($0.tempo, $0.meter) = (240, Meter(3, 4) ?? .common) }
      orchestra.pass(4)
      var law = PatternLaw()
      func move(_ seconds: Double) {
        let end = orchestra.seconds + seconds
        while orchestra.seconds < end {
          let level = Float(chance.unit())
          orchestra.move(
            { _ in level }, for: min(0.4, end - orchestra.seconds + 0.01), check: { law.check(in: $0) })
        }
      }
      for _ in 0..<5 {
        let conductor = try #require((0..<5).first { orchestra.core($0).state.conductor == orchestra.id($0) })
        move(3 + 4 * chance.unit())
        orchestra.crash(conductor)
        move(2.5)
        let next = (conductor + 1) % 5
        _ = try orchestra.act(next) { core, now throws(SessionRefusal) in try core.takeBaton(now: now) }
        orchestra.join(conductor)
        move(3)
      }
      #expect(law.broken.prefix(3) == [], "\(seed)")
      #expect(law.changes > 10, "\(seed)")
    }
  }

  @Test("invalid activity levels, and reports above the rate limit, are dropped")
  func hostile() throws {
    var orchestra = VirtualOrchestra.room(2)
    try orchestra.start(0)
    orchestra.pass(2)
    let (from, to, there) = (orchestra.id(1), orchestra.id(0), orchestra.members[1].endpoint)
    _ = orchestra.act(0) { core, now in
      for number in 1...100 as ClosedRange<Int32> {
        let message = SessionMessage.activity(
          SessionMessage.Activity(from: from, to: to, number: number, level: number < 10 ? .infinity : 0.5))
        core.receive(
          message.encoded(), from: there, at: now, now: now)
      }
    }
    #expect(orchestra.core(0).activity.others[from]?.number == 15)
    #expect(orchestra.core(0).activity.others[from]?.level == 0.5)
    _ = orchestra.act(0) { core, now in core.setActivity(.nan, now: now) }
    #expect(orchestra.core(0).totalActivity(at: orchestra.host(0)) == 0.25)
  }
}
