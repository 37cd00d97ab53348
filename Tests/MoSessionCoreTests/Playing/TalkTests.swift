import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

extension VirtualOrchestra {
  /// Makes a member type a line; returns the names from which gates keep it.
  @discardableResult
  mutating func sendText(
    _ index: Int, _ words: String, to aim: SessionAim = .crowd(.others)
  ) throws -> [String] {
    try act(index) { core, now throws(SessionRefusal) in try core.sendText(words, to: aim, now: now) } ?? []
  }

  /// Returns the lines that a member was shown.
  func texts(_ index: Int) -> [SessionText] {
    heard(index).compactMap { if case .text(let text) = $0.play { text } else { nil } }
  }
}

@Suite("Lines that players type")
struct TalkTests {
  @Test(
    "a line reaches all, one member or a section, once and in order, also over bad Wi-Fi",
    arguments: [SimulatedNetwork.wire, .badWiFi], [4, 16])
  func audiences(network: SimulatedNetwork, count: Int) throws {
    var orchestra = VirtualOrchestra.room(count, on: network)
    try orchestra.assign("low", [2, 3])
    orchestra.pass(3)
    try orchestra.sendText(0, "one")
    try orchestra.sendText(0, "two", to: .member("p2"))
    orchestra.pass(1)
    try orchestra.sendText(0, "three", to: .section("low"))
    try orchestra.sendText(0, "four")
    orchestra.pass(8)
    let (one, four) = (SessionText("one"), SessionText("four"))
    let low = [one, SessionText("three", for: .section), four]
    #expect(orchestra.texts(0) == [])
    #expect(Set(orchestra.texts(1)) == [one, SessionText("two", for: .one), four])
    #expect(orchestra.texts(1).count == 3)
    for index in 2..<4 {
      #expect(Set(orchestra.texts(index)) == Set(low) && orchestra.texts(index).count == 3)
    }
    for index in 4..<count { #expect(orchestra.texts(index) == [one, four]) }
    #expect(orchestra.lossReports == 0)
  }

  @Test("a line to the sender's own section reaches the others of the section, and not the sender")
  func ownSection() throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.assign("low", [0, 1])
    orchestra.pass(3)
    try orchestra.sendText(0, "softer", to: .section("low"))
    orchestra.pass(2)
    #expect(orchestra.texts(1).map(\.words) == ["softer"])
    #expect(orchestra.texts(0) == [] && orchestra.texts(2) == [])
    try orchestra.assign("solo", [0])
    orchestra.pass(3)
    #expect(throws: SessionRefusal.alone) { try orchestra.sendText(0, "me", to: .section("solo")) }
  }

  @Test("a closed gate for notes keeps lines from a member, and the sender gets its name")
  func gates() throws {
    var orchestra = VirtualOrchestra.room(3)
    var gates = GateTable.democratic
    let installations = (0..<3).map { orchestra.core($0).settings.identity.installation }
    gates.set(0, .notes, from: installations[0], to: installations[1])
    _ = try orchestra.act(2) { [gates] core, now throws(SessionRefusal) in
      try core.setGates(gates, now: now)
    }
    orchestra.pass(2)
    let kept = [try orchestra.sendText(0, "hello"), try orchestra.sendText(2, "and you")]
    #expect(kept == [["p2"], []])
    #expect(throws: SessionRefusal.unheardText(["p2"])) {
      try orchestra.sendText(0, "you", to: .member("p2"))
    }
    orchestra.pass(2)
    #expect(orchestra.texts(1).map(\.words) == ["and you"])
    #expect(orchestra.texts(2).map(\.words) == ["hello"])
    // A hostile sender sends it all the same: the receiver applies the gate.
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      try core.play(.text(SessionText("wild")), to: .member("p2"), now: now)
    }
    let gated = orchestra.core(1).counts.gated
    orchestra.pass(2)
    #expect(orchestra.texts(1).map(\.words) == ["and you"] && orchestra.core(1).counts.gated > gated)
  }

  @Test("lines of an ignored member are not shown, and the others' are")
  func ignored() throws {
    var orchestra = VirtualOrchestra.room(3)
    let id = orchestra.id(0)
    _ = try orchestra.act(1) { core, _ throws(SessionRefusal) in try core.setIgnored(true, id) }
    try orchestra.sendText(0, "hello")
    orchestra.pass(2)
    #expect(orchestra.texts(1) == [])
    #expect(orchestra.texts(2).map(\.words) == ["hello"])
  }

  @Test("players can talk while the room is silenced and while their section is muted")
  func silence() throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.assign("low", [1])
    orchestra.pass(2)
    try orchestra.setMuted(true, "low")
    orchestra.pass(2)
    try orchestra.sendText(1, "muted, but here")
    _ = orchestra.act(2) { core, now in core.callForSilence(now: now) }
    orchestra.pass(2)
    try orchestra.sendText(0, "what was that?")
    orchestra.pass(2)
    #expect(orchestra.texts(2).map(\.words) == ["muted, but here", "what was that?"])
    #expect(orchestra.texts(0).map(\.words) == ["muted, but here"])
  }

  @Test("more than four lines a second are refused here, and of a flood four a second are shown")
  func rate() throws {
    var orchestra = VirtualOrchestra.room(2)
    for number in 0..<4 { try orchestra.sendText(0, "\(number)") }
    #expect(throws: SessionRefusal.hastyText) { try orchestra.sendText(0, "5") }
    orchestra.pass(1.1)
    try orchestra.sendText(0, "again")
    orchestra.pass(2)
    #expect(orchestra.texts(1).map(\.words) == ["0", "1", "2", "3", "again"])
    // A program without limits of its own.
    for _ in 0..<20 {
      for number in 0..<10 {
        _ = try? orchestra.act(0) { core, now throws(SessionRefusal) in
          try core.play(.text(SessionText("flood \(number)")), to: .crowd(.others), now: now)
        }
      }
      orchestra.pass(0.1)
    }
    orchestra.pass(1.1)
    let flood = orchestra.texts(1).count { $0.words.hasPrefix("flood") }
    #expect((4...16).contains(flood), "\(flood) in two seconds, and what came late")
    try orchestra.sendText(0, "sorry")
    orchestra.pass(2)
    #expect(orchestra.texts(1).last?.words == "sorry")
  }

  @Test("lines that cannot be sent are refused")
  func refusals() throws {
    var orchestra = VirtualOrchestra.room(2)
    #expect(throws: SessionRefusal.emptyText) { try orchestra.sendText(0, "  ") }
    #expect(throws: SessionRefusal.emptyText) { try orchestra.sendText(0, "\u{1B}\u{7}") }
    #expect(throws: SessionRefusal.longText(characters: 201)) {
      try orchestra.sendText(0, String(repeating: "x", count: 201))
    }
    #expect(throws: SessionRefusal.unknownName("Zoe", here: ["p1", "p2"])) {
      try orchestra.sendText(0, "x", to: .member("Zoe"))
    }
    orchestra.crash(1)
    orchestra.pass(30)
    #expect(throws: SessionRefusal.alone) { try orchestra.sendText(0, "x") }
  }

  @Test(
    "a line has neither control nor format characters, and fits in a datagram",
    arguments: [
      ("\u{1B}[2J\u{202E}evil\nforged: line\u{0}", "[2Jevilforged: line"),
      (String(repeating: "👩‍👩‍👧‍👦", count: 200), nil),
      (String(repeating: "a\u{0301}\u{0302}\u{0303}\u{0304}", count: 200), nil),
    ] as [(String, String?)])
  func bounds(typed: String, shown: String?) throws {
    let text = SessionText(typed)
    if let shown { #expect(text.words == shown) }
    #expect(text.words.count <= 200 && text.words.utf8.count <= 800)
    #expect(text.words.unicodeScalars.allSatisfy { !SessionIdentity.isUnsafe($0) })
    var orchestra = VirtualOrchestra.room(2)
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      try core.play(.text(text), to: .crowd(.others), now: now)
    }
    orchestra.pass(2)
    #expect(orchestra.texts(1) == [text])
  }
}
