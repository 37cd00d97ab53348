import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

@Suite("A room whose network was cut in two")
struct PartsTests {
  @Sendable
  private static func join(_ core: inout SessionCore, now: HostTime) throws(SessionRefusal) {
    try core.joinOtherPart(now: now)
  }

  /// Creates a room of four that plays; two are cut off for some seconds, and both halves change the music.
  private func cut(seed: UInt64, isLocked: Bool = false) throws -> VirtualOrchestra {
    var orchestra =
      isLocked
      ? VirtualOrchestra.lockedRoom(4, on: .goodWiFi, seed: seed)
      : VirtualOrchestra.room(4, on: .goodWiFi, seed: seed)
    try orchestra.start(0)
    orchestra.pass(5)
    orchestra.parts = [0, 0, 1, 1]
    orchestra.pass(3)
    _ = try orchestra.act(2) { core, now throws(SessionRefusal) in
      try core.takeBaton(now: now)
      try core.setTempo(150, now: now)
    }
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in try core.setTempo(100, now: now) }
    orchestra.pass(7)
    return orchestra
  }

  @Test(
    "if both halves changed the music, both continue, all are notified, and either conductor can make its half join",
    arguments: [0, 2], 1...4 as ClosedRange<UInt64>)
  func both(deciding: Int, seed: UInt64) throws {
    var orchestra = try cut(seed: seed)
    orchestra.parts = [0, 0, 0, 0]
    var laws = SessionLaws(count: 4)
    for _ in 0..<1000 {
      orchestra.pass(0.02)
      laws.check(in: orchestra)
    }
    for index in 0..<4 {
      #expect(orchestra.members[index].tempo(atNanoseconds: orchestra.now) == (index < 2 ? 100 : 150))
      #expect(orchestra.core(index).partBeside?.standing.members == 2)
      #expect(orchestra.core(index).base == orchestra.core(0).base)
      let reports = orchestra.members[index].events.count {
        if case .apart = $0.event { true } else { false }
      }
      #expect(reports == 1)
    }
    #expect(orchestra.refusal(deciding + 1, Self.join) == .conducted(by: "p\(deciding + 1)"))
    _ = try orchestra.act(deciding, Self.join)
    for _ in 0..<500 {
      orchestra.pass(0.02)
      laws.check(in: orchestra)
    }
    #expect(laws.broken == [])
    #expect(SessionLaws.disagreement(in: orchestra) == [])
    for index in 0..<4 {
      #expect(orchestra.members[index].tempo(atNanoseconds: orchestra.now) == (deciding == 2 ? 100 : 150))
      #expect(orchestra.conductor(index) == orchestra.id(2 - deciding))
      #expect(orchestra.core(index).partBeside == nil)
    }
  }

  @Test(
    "if the conductors of both parts decide at the same moment to join the other part, all members follow one of them",
    arguments: [false, true], [0, 0.03, 0.3, 1, 3])
  func bothDecide(isOneClock: Bool, delay: Double) throws {
    for seed in UInt64(1)...3 {
      var orchestra = try isOneClock ? cut(seed: seed) : founded(2, seed: seed)
      orchestra.parts = [0, 0, 0, 0]
      orchestra.pass(20)
      for index in 0..<4 { #expect(orchestra.core(index).partBeside != nil) }
      let older = orchestra.core(0).base!.isOlder(than: orchestra.core(2).base!) ? 0 : 2
      let lineage = orchestra.core(older).base!.lineage
      _ = try orchestra.act(0, Self.join)
      orchestra.pass(delay)
      // The second conductor may see the first conductor's decision before its own key.
      _ = try? orchestra.act(2, Self.join)
      orchestra.pass(20)
      Self.expectOneRoom(orchestra, "seed \(seed)")
      if delay == 0 { #expect(orchestra.core(1).base?.lineage == lineage, "seed \(seed)") }
      let before = (0..<4).map { orchestra.core($0).base?.lineage }
      orchestra.pass(20)
      #expect(before == (0..<4).map { orchestra.core($0).base?.lineage }, "seed \(seed)")
    }
  }

  @Test(
    "after both parts decided, a change by one conductor or a missed decision leaves no part that cannot join",
    arguments: [0, 2], [false, true])
  func bothDecideAndChange(changing: Int, isMissed: Bool) throws {
    for seed in UInt64(1)...4 {
      var orchestra = try founded(2, seed: seed)
      orchestra.parts = [0, 0, 0, 0]
      orchestra.pass(20)
      if isMissed { orchestra.parts = [0, 0, 0, 1] }
      for index in [0, 2] { _ = try orchestra.act(index, Self.join) }
      orchestra.pass(0.2)
      // A change of the music replaces the decision of its part.
      try? orchestra.act(changing) { core, now throws(SessionRefusal) in try core.setTempo(90, now: now) }
      orchestra.pass(2)
      orchestra.parts = [0, 0, 0, 0]
      orchestra.pass(20)
      Self.decide(&orchestra)
      Self.expectOneRoom(orchestra, "seed \(seed)")
    }
  }

  @Test("if three parts decide at the same moment to follow each other in a circle, no part changes for ever")
  func circle() throws {
    for seed in UInt64(1)...8 {
      var orchestra = try founded(3, seed: seed)
      orchestra.parts = [0, 0, 0, 0, 0, 0]
      orchestra.pass(20)
      let lineages = (0..<6).map { orchestra.core($0).base!.lineage }
      for (from, to) in [(0, 4), (2, 0), (4, 2)] {
        _ = try orchestra.act(from) { core, now throws(SessionRefusal) in
          try core.agreement.writeIfPermitted(core.view(now), &core.out) { $0.joins = lineages[to] }
          core.drain(at: now)
        }
      }
      orchestra.pass(30)
      var changes = 0
      var before = (0..<6).map { orchestra.core($0).base?.lineage }
      for _ in 0..<60 {
        orchestra.pass(1)
        let now = (0..<6).map { orchestra.core($0).base?.lineage }
        changes += now == before ? 0 : 1
        before = now
      }
      #expect(changes == 0, "seed \(seed)")
      Self.decide(&orchestra)
      Self.expectOneRoom(orchestra, "seed \(seed)")
    }
  }

  /// Makes a conductor at a time decide to join another part, while there are parts.
  private static func decide(_ orchestra: inout VirtualOrchestra) {
    for _ in orchestra.members.indices {
      guard orchestra.members.contains(where: { $0.core?.partBeside != nil }) else { return }
      _ = orchestra.members.indices.first { index in (try? orchestra.act(index, join)) != nil }
      orchestra.pass(20)
    }
  }

  /// Expects that all members agree, and that no member sees a separate part.
  private static func expectOneRoom(_ orchestra: VirtualOrchestra, _ comment: Comment) {
    #expect(SessionLaws.disagreement(in: orchestra) == [], comment)
    for index in orchestra.members.indices { #expect(orchestra.core(index).partBeside == nil, comment) }
  }

  /// Creates rooms of two that play, each with a clock of its own and gates that keep it from joining another room.
  private func founded(_ count: Int, seed: UInt64) throws -> VirtualOrchestra {
    var orchestra = VirtualOrchestra(count: 2 * count, network: .goodWiFi, seed: seed)
    let installations = orchestra.members.map(\.settings.identity.installation)
    orchestra.parts = (0..<2 * count).map { $0 / 2 }
    for index in 0..<2 * count { orchestra.join(index) }
    orchestra.pass(4)
    for index in stride(from: 0, to: 2 * count, by: 2) {
      try orchestra.start(index)
      orchestra.pass(3)
      _ = try orchestra.act(index) { core, now throws(SessionRefusal) in
        try core.setGates(.monarchic(installations[index]), now: now)
      }
      orchestra.pass(1)
    }
    return orchestra
  }

  @Test("if the gates of each part let only members of the other part conduct, all may, since neither can")
  func crossed() throws {
    var orchestra = VirtualOrchestra(count: 4, network: .goodWiFi, seed: 5)
    let installations = orchestra.members.map(\.settings.identity.installation)
    orchestra.parts = [0, 0, 1, 1]
    for index in 0..<4 { orchestra.join(index) }
    orchestra.pass(4)
    for (index, other) in [(0, 2), (2, 0)] {
      try orchestra.start(index)
      orchestra.pass(3)
      _ = try orchestra.act(index) { core, now throws(SessionRefusal) in
        try core.setGates(.monarchic(installations[other]), now: now)
      }
      orchestra.pass(1)
    }
    orchestra.parts = [0, 0, 0, 0]
    orchestra.pass(20)
    for index in 0..<4 {
      let core = orchestra.core(index)
      #expect(core.members.count == 3 && core.partBeside != nil)
      #expect(core.base?.lineage == orchestra.core(index / 2 * 2).base?.lineage)
    }
    #expect(orchestra.core(0).base?.lineage != orchestra.core(2).base?.lineage)
    for index in [0, 2] {
      #expect(
        orchestra.refusal(index) { core, now throws(SessionRefusal) in try core.takeBaton(now: now) }
          == nil)
    }
  }

  @Test(
    "if each of two members set gates for itself while the other was away, both are told once, and either can follow",
    arguments: [0, 1], 1...3 as ClosedRange<UInt64>)
  func monarchs(deciding: Int, seed: UInt64) throws {
    var orchestra = VirtualOrchestra.room(3, on: .goodWiFi, seed: seed)
    let installations = orchestra.members.map(\.settings.identity.installation)
    try orchestra.start(0)
    orchestra.pass(3)
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      try core.setGates(.monarchic(installations[0]), now: now)
    }
    orchestra.pass(2)
    // The first one's laptop loses its Wi-Fi, and another takes over.
    orchestra.parts = [1, 0, 0]
    orchestra.pass(6)
    _ = try orchestra.act(1) { core, now throws(SessionRefusal) in
      try core.takeBaton(now: now)
      try core.setGates(.monarchic(installations[1]), now: now)
    }
    orchestra.pass(3)
    orchestra.parts = [0, 0, 0]
    orchestra.pass(60)
    for index in 0..<3 {
      #expect(orchestra.core(index).state.version.counter < 8)
      #expect(orchestra.core(index).partBeside != nil)
      let reports = orchestra.members[index].events.count {
        if case .apart = $0.event { true } else { false }
      }
      #expect(reports == 1)
    }
    _ = try orchestra.act(deciding, Self.join)
    orchestra.pass(20)
    #expect(SessionLaws.disagreement(in: orchestra) == [])
    for index in 0..<3 {
      #expect(orchestra.conductor(index) == orchestra.id(1 - deciding))
      // A member whose part joins the other has handed nothing on.
      let handed = orchestra.members[index].events.contains {
        if case .handed = $0.event { true } else { false }
      }
      #expect(!handed)
    }
  }

  @Test(
    "if only one half changed the music, the other adopts it without a question",
    arguments: [0, 1, 2, 3], 1...3 as ClosedRange<UInt64>)
  func one(change: Int, seed: UInt64) throws {
    var orchestra = VirtualOrchestra.room(4, on: .goodWiFi, seed: seed)
    try orchestra.start(0)
    orchestra.pass(5)
    orchestra.parts = [0, 0, 1, 1]
    orchestra.pass(3)
    let writer = change == 0 ? 0 : 3
    _ = try orchestra.act(writer) { core, now throws(SessionRefusal) in
      if change > 0 { try core.takeBaton(now: now) }
      if change != 1 { try core.setTempo(90, now: now) }
      if change == 3 { try core.stop(now: now) }
    }
    orchestra.pass(9)
    orchestra.parts = [0, 0, 0, 0]
    orchestra.pass(8)
    #expect(SessionLaws.disagreement(in: orchestra) == [])
    for index in 0..<4 {
      #expect(orchestra.core(index).state.version.holder == orchestra.id(writer))
      #expect(orchestra.isPlaying(index) == (change != 3))
      #expect(!orchestra.members[index].events.contains { if case .apart = $0.event { true } else { false } })
    }
  }

  @Test(
    "a half that stops, before or after the network is whole again, adopts the music of the half that plays",
    arguments: [false, true], [false, true])
  func stopped(isLocked: Bool, isAfter: Bool) throws {
    var orchestra = try cut(seed: 3, isLocked: isLocked)
    if isAfter {
      orchestra.parts = [0, 0, 0, 0]
      orchestra.pass(10)
      for index in 0..<4 { #expect(orchestra.core(index).partBeside?.standing.members == 2) }
    }
    _ = try orchestra.act(2) { core, now throws(SessionRefusal) in try core.stop(now: now) }
    orchestra.pass(2)
    orchestra.parts = [0, 0, 0, 0]
    // A part that has joined is remembered for ten seconds.
    orchestra.pass(20)
    #expect(SessionLaws.disagreement(in: orchestra) == [])
    for index in 0..<4 {
      #expect(orchestra.members[index].tempo(atNanoseconds: orchestra.now) == 100)
      #expect(orchestra.core(index).partBeside == nil)
    }
  }

  @Test(
    "a part that stopped takes over the music of a member that plays, and does not return to its own newer state",
    arguments: 1...4 as ClosedRange<UInt64>)
  func noReturn(seed: UInt64) throws {
    var orchestra = VirtualOrchestra.room(4, on: .goodWiFi, seed: seed)
    try orchestra.start(0)
    orchestra.pass(5)
    orchestra.parts = [0, 0, 0, 1]
    orchestra.pass(35)
    _ = try orchestra.act(3) { core, now throws(SessionRefusal) in try core.start(.init(), now: now) }
    for index in [1, 2, 1] {
      let holder = orchestra.members.indices.first { orchestra.conductor(0) == orchestra.id($0) }!
      let nextConductor = orchestra.id(index)
      _ = try orchestra.act(holder) { core, now throws(SessionRefusal) in
        try core.handOver(to: nextConductor, now: now)
      }
      orchestra.pass(2)
    }
    _ = try orchestra.act(1) { core, now throws(SessionRefusal) in try core.stop(now: now) }
    orchestra.pass(9)
    let (played, stopped) = (orchestra.core(3).state, orchestra.core(1).state)
    #expect(
      stopped.version > played.version && !stopped.isPlaying && stopped.relation(of: played) == .diverging)
    orchestra.parts = [0, 0, 0, 0]
    var changes = [0, 0, 0, 0]
    var epochs = (0..<4).map { orchestra.core($0).state.version.epoch }
    for _ in 0..<2000 {
      orchestra.pass(0.01)
      for index in 0..<4 where orchestra.core(index).state.version.epoch != epochs[index] {
        changes[index] += 1
        epochs[index] = orchestra.core(index).state.version.epoch
      }
    }
    #expect(changes == [1, 1, 1, 0])
    #expect(SessionLaws.disagreement(in: orchestra) == [])
    for index in 0..<4 { #expect(orchestra.isPlaying(index)) }
  }

  @Test("a silence stays in force while parts merge, and ends with the next start")
  func silence() throws {
    var orchestra = try cut(seed: 2)
    orchestra.parts = [0, 0, 0, 0]
    orchestra.pass(5)
    let from = orchestra.members.map(\.events.count)
    func starts(_ index: Int) -> Int {
      orchestra.members[index].events[from[index]...].count { $0.event == .started }
    }
    _ = orchestra.act(2) { core, now in core.callForSilence(now: now) }
    orchestra.pass(1)
    _ = try orchestra.act(2, Self.join)
    orchestra.pass(10)
    #expect(orchestra.isPlaying(3) && orchestra.members[3].tempo(atNanoseconds: orchestra.now) == 100)
    #expect((0..<4).map(starts) == [0, 0, 0, 0])
    try orchestra.start(0)
    orchestra.pass(1)
    #expect((0..<4).map(starts) == [1, 1, 1, 1])
  }

  @Test("while both parts continue, no member sends more than three extra datagrams a second")
  func thrift() throws {
    var orchestra = VirtualOrchestra.room(12)
    try orchestra.start(0)
    orchestra.pass(5)
    orchestra.parts = (0..<12).map { $0 % 2 }
    orchestra.pass(3)
    _ = try orchestra.act(1) { core, now throws(SessionRefusal) in
      try core.takeBaton(now: now)
      try core.setTempo(150, now: now)
    }
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in try core.setTempo(100, now: now) }
    orchestra.pass(10)
    let alone = orchestra.members.map(\.sent.datagrams)
    orchestra.pass(60)
    let before = orchestra.members.map(\.sent.datagrams)
    orchestra.parts = Array(repeating: 0, count: 12)
    // The members of one part learn the clock of the other part's keeper, for 15 s.
    orchestra.pass(20)
    let together = orchestra.members.map(\.sent.datagrams)
    orchestra.pass(60)
    for index in 0..<12 {
      let more = orchestra.members[index].sent.datagrams - together[index] - (before[index] - alone[index])
      #expect(orchestra.core(index).partBeside != nil)
      // The two keepers have merged into one, which answers twice as many.
      #expect(more < (orchestra.core(index).isKeeper ? 20 : 3) * 60, "p\(index + 1)")
    }
  }

  @Test(
    "a person can lift one datagram's claim of --conductor-only a minute after its stranger has left"
  )
  func claimed() throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.start(0)
    orchestra.pass(2)
    _ = orchestra.act(2) { core, now in
      let epochs = core.agreement.highestEpoch
      core.agreement.state.begin(core.state.version.next(heldBy: core.me, after: epochs, at: now))
      core.agreement.state.holderInstallation = core.settings.identity.installation
      core.agreement.state.policy.only = core.settings.identity.installation
      core.sendWritten(at: now)
    }
    orchestra.pass(1)
    orchestra.crash(2)
    orchestra.pass(10)
    let start = { (core: inout SessionCore, now: HostTime) throws(SessionRefusal) in
      try core.start(.init(), now: now)
    }
    let lift = { (core: inout SessionCore, now: HostTime) throws(SessionRefusal) in
      try core.liftConductorOnly(now: now)
    }
    guard case .reserved(let only, let away?)? = orchestra.refusal(1, start) else {
      Issue.record("not reserved")
      return
    }
    #expect(only == orchestra.installation(2) && abs(away - 10) < 3)
    #expect(
      orchestra.refusal(1, lift)?.description
        == "only installation \(only) may conduct here (--conductor-only); it has been away for \(away) s: after 60 s, type "
        + "lift in momu session to let all conduct")
    orchestra.pass(55)
    #expect(orchestra.refusal(1, start) != nil)
    _ = try orchestra.act(1, lift)
    orchestra.pass(1)
    #expect(orchestra.refusal(1, lift)?.description == "all may conduct here: there is nothing to lift")
    try orchestra.start(0)
    orchestra.pass(1)
    for index in 0..<2 { #expect(orchestra.conductor(index) == orchestra.id(0)) }
  }

  @Test(
    "a person can lift an exclusive right after a minute's absence, even for members started with the option")
  func lifted() throws {
    let teacher = MemberID(0xBEEF)
    var orchestra = VirtualOrchestra.room(3) { index, settings in
      settings.only = teacher
      if index == 0 { settings.identity.installation = teacher }
    }
    try orchestra.start(0)
    orchestra.pass(2)
    let lift = { (core: inout SessionCore, now: HostTime) throws(SessionRefusal) in
      try core.liftConductorOnly(now: now)
    }
    #expect(orchestra.refusal(1, lift) == .reserved(teacher))
    orchestra.crash(0)
    orchestra.pass(63)
    _ = try orchestra.act(1, lift)
    orchestra.pass(1)
    for index in 1...2 { #expect(orchestra.isPlaying(index)) }
    try orchestra.start(2)
    orchestra.pass(1)
    #expect(orchestra.conductor(1) == orchestra.id(2))
    orchestra.join(0)
    orchestra.pass(4)
    for index in 0..<3 { #expect(orchestra.conductor(index) == orchestra.id(2)) }
    try orchestra.start(0)
    orchestra.pass(1)
    for index in 0..<3 { #expect(orchestra.conductor(index) == orchestra.id(0)) }
    #expect(orchestra.refusal(2, lift) == .reserved(teacher))
  }

  @Test("while the only installation that may conduct is here, no member's lifting counts")
  func liftedInVain() throws {
    let teacher = MemberID(0xBEEF)
    var orchestra = VirtualOrchestra.room(3) { index, settings in
      settings.only = teacher
      if index == 0 { settings.identity.installation = teacher }
    }
    try orchestra.start(0)
    orchestra.pass(2)
    _ = orchestra.act(2) { core, now in
      core.write(at: now) { ($0.policy.only, $0.policy.lifted, $0.isHeld) = (.nobody, teacher, true) }
    }
    orchestra.pass(3)
    for index in 0..<2 { #expect(orchestra.conductor(index) == orchestra.id(0)) }
  }
}
