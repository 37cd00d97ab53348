import MoCore
import MoOSC
import MoOrchestra
import MoSessionCore
import MoSessionSimulation
import Testing

@Suite("The check before a concert")
struct CheckTests {
  private static let core = SessionCore(
    SessionCore.Settings(
      room: "Lab",
      identity: SessionIdentity(
        member: MemberID(1), installation: MemberID(99), name: "Ada", program: "Orchestra", release: "1.0")),
    now: .zero)

  @Test(
    "forty members answer within five seconds on lossy Wi-Fi; the question costs 25 packets a second"
  )
  func forty() {
    var orchestra = VirtualOrchestra.room(40, on: .badWiFi) { index, settings in
      settings.isHidden = index == 0
    }
    // The keeper answers more pings until the members have learned its clock.
    orchestra.pass(15)
    let before = orchestra.members[0].sent.datagrams
    _ = orchestra.act(0) { core, now in core.beginCheck(now: now) }
    orchestra.pass(1)
    let inFirst = orchestra.members[0].sent.datagrams - before
    #expect(inFirst < 25 + 40, "25 questions, and what a member sends anyway: \(inFirst)")
    orchestra.pass(5)
    let core = orchestra.core(0)
    #expect(core.hasChecked(at: orchestra.host(0)))
    let checks = core.checks(at: orchestra.host(0))
    #expect(checks.count == 39)
    #expect(checks.count { $0.health == nil } == 0)
  }

  @Test("reports all members of a quiet room as ready, and omits hidden ones")
  func ready() {
    var orchestra = VirtualOrchestra.room(4) { index, settings in settings.isHidden = index == 3 }
    orchestra.pass(10)
    _ = orchestra.act(3) { core, now in core.beginCheck(now: now) }
    orchestra.pass(3)
    let checks = orchestra.core(3).checks(at: orchestra.host(3))
    #expect(checks.map(\.member.displayName) == ["p1", "p2", "p3"])
    #expect(checks.allSatisfy { $0.isReady && $0.flaws.isEmpty }, "\(checks)")
    #expect(orchestra.core(3).roomFlaws(at: orchestra.host(3)).isEmpty)
    let check = RoomCheck(orchestra.core(3), at: orchestra.host(3))
    #expect(check?.text(isShort: true).hasSuffix(", 3 of 3 ready\n") == true)
  }

  @Test("names each problem and its remedy")
  func flaws() throws {
    var orchestra = VirtualOrchestra.room(3)
    var health = MemberHealth(release: "0.9")
    (health.soundLoad, health.underruns, health.machineLoad, health.link) = (0.9, 3, 4, .both)
    health.isSounding = true
    _ = orchestra.act(1) { [health] core, _ in core.setHealth(health) }
    orchestra.pass(10)
    _ = orchestra.act(0) { core, now in core.beginCheck(now: now) }
    orchestra.pass(3)
    let checks = orchestra.core(0).checks(at: orchestra.host(0))
    #expect(checks.map(\.isReady) == [true, false, true])
    let problems = checks[1].flaws.filter(\.isProblem).map(\.what)
    #expect(
      problems == [
        "it runs MoMu 0.9, this machine MoMu \(MoMuRelease.current)",
        "its sound takes 90 % of its time (at most 67 %)",
        "its sound device ran dry 3 times in the last minute",
      ])
    let notes = checks[1].flaws.filter { !$0.isProblem }.map(\.what)
    #expect(
      notes == [
        "the delay of its sound device was not measured", "4 tasks run or wait on it for each processor core",
        "it uses cable and Wi-Fi at the same time",
      ])
    #expect(checks[1].flaws.allSatisfy { !$0.fix.isEmpty })
  }

  @Test("the page of the key C begins with the members that are not ready, then says 4 of 6 ready")
  func page() throws {
    var orchestra = VirtualOrchestra.room(6)
    let old = MemberHealth(release: "0.9")
    for index in [1, 4] { _ = orchestra.act(index) { core, _ in core.setHealth(old) } }
    orchestra.pass(10)
    _ = orchestra.act(0) { core, now in core.beginCheck(now: now) }
    orchestra.pass(3)
    let check = try #require(RoomCheck(orchestra.core(0), at: orchestra.host(0)))
    let text = check.text(isShort: true)
    let first = "room \(check.room), not ready: p2, p5; 4 of 6 ready\n  NOT READY p2  MoMu 0.9"
    #expect(text.hasPrefix(first), "\(text)")
    #expect(!text.contains("p1") && text.contains("  NOT READY p5  "), "\(text)")
  }

  @Test("shows a note that several members have in common once, with their names")
  func sharedNote() throws {
    var orchestra = VirtualOrchestra.room(3)
    var health = MemberHealth(release: MoMuRelease.current)
    health.isSounding = true
    for index in 1...2 { _ = orchestra.act(index) { [health] core, _ in core.setHealth(health) } }
    orchestra.pass(10)
    _ = orchestra.act(0) { core, now in core.beginCheck(now: now) }
    orchestra.pass(3)
    let text = try #require(RoomCheck(orchestra.core(0), at: orchestra.host(0))).text()
    let note = "the delay of its sound device was not measured"
    #expect(text.split(separator: "\n").count { $0.contains(note) } == 1, "\(text)")
    #expect(text.contains("  note for p2, p3:\n            \(note)\n"), "\(text)")
    #expect(text.contains("All are ready."))
  }

  @Test("names a slow and lossy network by its figures")
  func network() throws {
    var member = Self.core.roster(at: .zero)[0]
    member.isMe = false
    func problems(_ report: Report) -> [String] {
      member.report = report
      return SessionCore.flaws(of: member).map(\.what)
    }
    #expect(problems(Report()) == ["it is not in time yet"])
    let well = Report(
      boundMilliseconds: 19, symmetricMilliseconds: 1.9, roundTripMilliseconds: 90, loss: 0.09)
    #expect(problems(well) == [])
    let bad = Report(
      boundMilliseconds: 60, symmetricMilliseconds: 0.5, roundTripMilliseconds: 120, loss: 0.25)
    #expect(
      problems(bad) == [
        "its beat may be ±0.5 ms off, surely within 60 ms (at most 2 and 20)",
        "its packets take 120 ms there and back (at most 100)",
        "25 % of its exchanges are lost (at most 10 %)",
      ])
  }

  @Test("names a member that does not answer, or that left without receiving the question")
  func silent() {
    var orchestra = VirtualOrchestra.room(2)
    orchestra.pass(5)
    _ = orchestra.act(0) { core, now in core.beginCheck(now: now) }
    // Questions and hellos arrive, answers do not.
    orchestra.cut.insert(1 * 2 + 0)
    orchestra.pass(2)
    #expect(!orchestra.core(0).hasChecked(at: orchestra.host(0)))
    let checks = orchestra.core(0).checks(at: orchestra.host(0))
    #expect(checks[1].flaws.map(\.what).contains("it does not answer the check"))
    orchestra.pass(8)
    #expect(orchestra.core(0).hasChecked(at: orchestra.host(0)))
  }

  @Test("names a member of another protocol version, without its control characters")
  func otherVersion() throws {
    var core = Self.core
    let hello = try OSCMessage(
      SessionAddress.hello.rawValue,
      [.int32(1), .string("Lab"), .int64(5), .int64(6), .string("Ben\u{1B}[2J"), .string("momu session")]
    ).encoded()
    core.receive(hello, from: SessionEndpoint(high: 0xC0A8_0105 << 32, port: 7000), at: .zero, now: .zero)
    #expect(
      core.roomFlaws(at: .zero).map(\.what) == [
        "Ben[2J uses version 1 of the session protocol, this program \(SessionAddress.version)"
      ])
  }
}
