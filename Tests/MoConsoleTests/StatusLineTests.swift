import MoConsole
import MoCore
import MoOrchestra
import MoRuntime
import MoSessionCore
import Testing

@Suite("The status line")
struct StatusLineTests {
  /// Returns a playing room in its normal state, changed by `change`.
  private static func facts(_ change: (inout RoomFacts) -> Void = { _ in }) -> RoomFacts {
    var facts = RoomFacts()
    (facts.room, facts.others) = ("Lab", ["Ben", "Cleo"])
    (facts.position, facts.tempo) = (BarPosition(bar: 7, beat: 1.5, meter: .common), 120)
    (facts.conductor, facts.instrument, facts.sections) = ("Ben", "harp", ["strings"])
    facts.openers = ["Ben"]
    change(&facts)
    return facts
  }

  private static let states: [(String, RoomFacts, [String])] = [
    (
      "alone", facts { ($0.others, $0.conductor, $0.position, $0.tempo) = ([], nil, nil, nil) }, ["no rhythm"]
    ),
    ("joining", facts { ($0.hasArrived, $0.position, $0.tempo) = (false, nil, nil) }, ["joining"]),
    ("plays", facts(), ["bar 7 beat 2", "♪ Ben", "harp", "Lab"]),
    ("conducts", facts { ($0.isConductor, $0.conductor) = (true, "Ada") }, ["♪ you conduct"]),
    (
      "no conductor", facts { ($0.conductor, $0.openers) = (nil, []) },
      ["no conductor: :baton takes the baton"]
    ),
    (
      "no conductor, and a closed gate", facts { ($0.conductor, $0.gates) = (nil, [.conducting]) },
      ["may not conduct", "no conductor"]
    ),
    ("18 members", facts { $0.others = (1...17).map { "Player\($0)" } }, ["Lab"]),
    ("40 members", facts { $0.others = (1...39).map { "Player\($0)" } }, ["Lab"]),
    ("silenced", facts { $0.isSilenced = true }, ["SILENCED"]),
    ("muted", facts { $0.muted = ["strings"] }, ["MUTED"]),
    ("cut off", facts { ($0.cutOff, $0.bound) = (4.2, 0.2) }, ["no contact for 4 s", "0.20 ms"]),
    ("cut off, its own clock", facts { $0.cutOff = 4.2 }, ["no contact for 4 s", "off"]),
    (
      "cue", facts { $0.cue = RoomFacts.Cue("come in: the bridge", beats: 7) },
      ["▶ come in: the bridge", "7"]
    ),
    ("cue now", facts { $0.cue = RoomFacts.Cue("leave off") }, ["▶ leave off", "now"]),
    ("refused", facts { $0.gates = [.conducting] }, ["conduct"]),
    ("blocked", facts { $0.gates = [.notes] }, ["notes gate"]),
    ("one hearer", facts { $0.gates = [.notesBut("Mama")] }, ["Mama only"]),
    ("some hearers", facts { $0.gates = [.notesTo(["Bo", "Cy"])] }, ["notes gate", "closed"]),
    ("underruns", facts { $0.underruns = 3 }, ["3 underruns"]),
    ("soft", facts { $0.level = 0.5 }, ["50 %"]),
    ("apart", facts { $0.membersBeside = 2 }, ["another part"]),
    (
      "all at once",
      facts {
        ($0.isSilenced, $0.muted, $0.cutOff, $0.bound) = (true, ["strings"], 12, 1.5)
        ($0.cue, $0.gates, $0.underruns) = (
          RoomFacts.Cue("ready: softer please", beats: 3), [.conducting, .notes], 12
        )
      },
      [
        "SILENCED", "MUTED", "no contact", "1.5 ms", "softer please", "notes gate",
        "may not conduct", "12 underruns", "bar 7",
      ]
    ),
  ]

  @Test(
    "shows every state at every width, in five rows at most, and cuts no word", arguments: [39, 79, 119, 199])
  func states(columns: Int) {
    for (name, facts, expected) in Self.states {
      let lines = StatusLine.lines(facts, columns: columns, rows: 5).map(\.text)
      let text = lines.joined(separator: "\n")
      #expect(lines.count <= 5 && lines.allSatisfy { TerminalSize.width($0) <= columns }, "\(name): \(text)")
      for words in expected { #expect(text.contains(words), "\(name) at \(columns): \(text)") }
      // Every word occurs in the facts.
      let known = Set(
        StatusLine.items(facts).flatMap { "\($0.long) \($0.medium ?? "") \($0.short)".split(separator: " ") })
      for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
        #expect(known.contains(word), "\(word)")
      }
    }
  }

  @Test("starts with facts that need action, and in one row drops the least important")
  func order() {
    let all = Self.states.last?.1 ?? RoomFacts()
    let line = StatusLine.lines(all, columns: 79, rows: 1).map(\.text)
    #expect(line == ["SILENCED   MUTED   no contact 12 s; off ≤ 1.5 ms   ▶ ready: softer please 3"])
    #expect(
      StatusLine.lines(Self.facts(), columns: 199, rows: 1).map(\.text) == [
        "○●○○ bar 7 beat 2   120 bpm 4/4   ♪ Ben conducts   you: harp, section strings   room Lab, 3 members"
      ])
    #expect(
      StatusLine.lines(Self.facts(), columns: 39, rows: 1).map(\.text) == ["bar 7 beat 2   120 bpm   ♪ Ben"])
  }

  @Test("at 40 columns a fact takes a shorter text before it takes a second row")
  func medium() {
    func lines(_ change: (inout RoomFacts) -> Void) -> [String] {
      StatusLine.lines(Self.facts(change), columns: 40, rows: 5).map(\.text)
    }
    #expect(lines { ($0.cutOff, $0.bound) = (12, 0.39) }.first == "no contact for 12 s; off ≤ 0.39 ms")
    #expect(
      lines { ($0.isSilenced, $0.silencedBy) = (true, "Ben") }.first == "SILENCED by Ben; Ben can end it")
    #expect(lines { $0.gates = [.notes] }.first == "notes gate closed: ask Ben")
  }

  /// Returns the status line of the normal state, changed by `change`.
  private static func lines(
    _ columns: Int, _ rows: Int, _ change: (inout RoomFacts) -> Void
  ) -> [String] { StatusLine.lines(facts(change), columns: columns, rows: rows).map(\.text) }

  @Test("closed gates name the members that may open them, the notes gate first; short, the effects remain")
  func gates() {
    #expect(
      Self.lines(199, 2) { $0.gates = [.conducting, .notes] }.first?.hasPrefix(
        "your notes gate is closed: no other machine plays your notes; Ben can open it   "
          + "your rhythm gate is closed: you may not conduct; Ben can open it") == true)
    #expect(
      Self.lines(39, 5) { $0.gates = [.conducting, .notes] }.prefix(2) == [
        "notes gate closed: ask Ben", "you may not conduct: ask Ben",
      ])
    #expect(
      Self.lines(39, 1) { $0.gates = [.conducting, .notes] } == ["notes gate closed   you may not conduct"])
    let two = Self.lines(199, 1) {
      ($0.gates, $0.conductor, $0.openers) = ([.conducting], nil, ["Ben", "Cleo"])
    }
    #expect(two.first?.contains("you may not conduct; Ben or Cleo can open it") == true)
    let own = Self.lines(199, 1) { ($0.gates, $0.conductor, $0.openers) = ([.notes], nil, []) }
    #expect(own.first?.contains("plays your notes; :gates democratic opens it") == true)
    func conducting(_ columns: Int) -> String {
      Self.lines(columns, 5) { ($0.gates, $0.conductor, $0.openers) = ([.conducting], nil, []) }
        .joined(separator: "\n")
    }
    #expect(conducting(199).hasPrefix("your rhythm gate is closed; :gates democratic opens it   "))
    #expect(conducting(199).contains("no conductor: :baton takes the baton"))
    #expect(conducting(39).hasPrefix("rhythm gate closed: :gates democratic\n"))
    for columns in [39, 199] { #expect(!conducting(columns).contains("may not")) }
  }

  @Test("a member that is cut off names the conductor that it does not hear")
  func lostConductor() {
    func text(_ columns: Int) -> String {
      Self.lines(columns, 5) {
        ($0.cutOff, $0.conductor, $0.lostConductor, $0.openers) = (3.4, nil, "Ben", [])
      }.joined(separator: "\n")
    }
    for columns in [39, 79, 199] {
      // The time without contact is not the time since Ben was heard.
      #expect(text(columns).contains("♪ Ben, not heard") && !text(columns).contains("not heard for"))
    }
  }

  @Test("if a fact has no room, a shorter and less important fact takes the room")
  func shorterFact() {
    let facts = Self.facts {
      ($0.cutOff, $0.conductor, $0.lostConductor) = (4, nil, "Wolfgang Amadeus Mozart")
    }
    let lines = StatusLine.lines(facts, columns: 39, rows: 2).map(\.text)
    #expect(lines == ["no contact 4 s; beat may be off", "bar 7 beat 2   120 bpm   Lab"], "\(lines)")
    let three = StatusLine.lines(facts, columns: 39, rows: 3).map(\.text)
    #expect(three.last == "♪ Wolfgang Amadeus Mozart, not heard", "\(three)")
  }

  @Test("a member that is cut off always sees how far its beat may be off, or that this is not known")
  func bound() {
    func text(_ columns: Int, _ rows: Int, _ bound: Double?) -> String {
      Self.lines(columns, rows) { ($0.cutOff, $0.bound) = (200, bound) }.joined(separator: "\n")
    }
    #expect(text(79, 5, nil).hasPrefix("no contact for 200 s; off by an unknown amount"))
    #expect(text(39, 5, nil).hasPrefix("no contact for 200 s; beat may be off"))
    #expect(text(39, 1, nil).hasPrefix("no contact 200 s; beat may be off"))
    #expect(text(39, 1, 0.39).hasPrefix("no contact 200 s; off ≤ 0.39 ms"))
  }

  @Test("a silence names the members that may end it")
  func silence() {
    func text(_ openers: [String]) -> String? {
      Self.lines(39, 5) { ($0.isSilenced, $0.silencedBy, $0.openers) = (true, "Ben", openers) }.first
    }
    #expect(text(["Cleo"]) == "SILENCED by Ben; Cleo can end it")
    #expect(text(["Cy", "Di"]) == "SILENCED by Ben; Cy or Di can end it")
    #expect(text([]) == "SILENCED by Ben; :unpanic ends it")
  }

  @Test("the short form of the room keeps the number of members")
  func short() {
    let text = Self.lines(39, 1) {
      ($0.position, $0.tempo, $0.conductor, $0.instrument, $0.sections) = (nil, nil, nil, "", [])
      ($0.room, $0.others) = ("the-large-hall", (1...39).map { "Player\($0)" })
    }
    #expect(text == ["no rhythm   40 in the-large-hall"])
  }

  @Test("a member that is cut off says nothing about others that it cannot hear")
  func cutOff() {
    let facts = Self.facts { ($0.cutOff, $0.bound, $0.conductor, $0.others) = (4.2, 0.2, nil, []) }
    let text = StatusLine.lines(facts, columns: 199, rows: 5, namesOthers: true).map(\.text).joined()
    #expect(text.hasPrefix("no contact for 4 s; off by at most 0.20 ms   ○●○○ bar 7 beat 2"))
    #expect(text.hasSuffix("room Lab") && !text.contains("conductor") && !text.contains("member "))
  }

  @Test("names the others if no other line does")
  func others() {
    var facts = Self.facts()
    func text() -> String {
      StatusLine.lines(facts, columns: 199, rows: 3, namesOthers: true).map(\.text).joined(separator: " ")
    }
    #expect(text().hasSuffix("with Ben, Cleo"))
    facts.others = []
    #expect(text().hasSuffix("no other member"))
  }

  @Test(
    "names five others; of six or more, it names four and counts the rest, never a single one",
    arguments: [
      (5, "with P1, P2, P3, P4, P5"), (6, "with P1, P2, P3, P4 and 2 more"),
      (40, "with P1, P2, P3, P4 and 36 more"),
    ])
  func many(count: Int, text: String) {
    let facts = Self.facts { $0.others = (1...count).map { "P\($0)" } }
    #expect(StatusLine.items(facts, true).last?.long == text)
  }

  @Test("shows the number that a second member with the same name gets")
  func numbered() {
    var facts = Self.facts()
    (facts.numberedName, facts.instrument, facts.sections) = ("Ada 2", "piano", [])
    let text = StatusLine.lines(facts, columns: 199, rows: 3).map(\.text).joined(separator: " ")
    #expect(text.contains("you: Ada 2, piano"))
  }

  @Test("with --plain reports changes, but not each beat")
  func plain() {
    let before = Self.facts()
    var after = before
    after.position = BarPosition(bar: 7, beat: 2.5, meter: .common)
    #expect(StatusPrinter.changes(from: before, to: after) == [])
    (after.isSilenced, after.muted, after.conductor, after.others) = (true, ["strings"], nil, ["Ben", "Dot"])
    after.openers = []
    #expect(
      StatusPrinter.changes(from: before, to: after) == [
        "silenced: a new start of the rhythm or :unpanic ends it", "muted: section strings", "no conductor",
        "Dot is here",
      ])
    // Only the conductor can end a silence.
    (after.conductor, after.openers) = ("Ben", ["Ben"])
    #expect(
      StatusPrinter.changes(from: before, to: after).first
        == "silenced: Ben can end it (:unpanic, or a new start)")
    // A moment later than the conductor's silence, the loss of all contact is noticed.
    var lost = before
    lost.conductor = nil
    #expect(StatusPrinter.changes(from: before, to: lost) == ["no conductor"])
    lost.lostConductor = "Ben"
    for earlier in [before, Self.facts { $0.conductor = nil }] {
      #expect(StatusPrinter.changes(from: earlier, to: lost) == ["Ben conducted last, and is not heard"])
    }
    var stopped = before
    (stopped.position, stopped.tempo, stopped.cutOff, stopped.bound) = (nil, nil, 4.2, 0.2)
    #expect(
      StatusPrinter.changes(from: before, to: stopped) == [
        "no contact for 4 s; off by at most 0.20 ms", "the rhythm has stopped",
      ])
    #expect(
      StatusPrinter.changes(from: stopped, to: before) == ["contact again", "the rhythm runs, 120 bpm, 4/4"])
  }

  @Test("with --plain reports a cue that is sent again for another bar, but not its countdown")
  func cueAgain() {
    func cue(beats: Int, at seconds: Double) -> RoomFacts {
      let time = HostTime.zero.advanced(bySeconds: seconds)
      return Self.facts { $0.cue = RoomFacts.Cue("come in", beats: beats, time: time) }
    }
    let first = cue(beats: 2, at: 10)
    #expect(StatusPrinter.changes(from: Self.facts(), to: first) == ["cue: come in, in 2 beats"])
    #expect(StatusPrinter.changes(from: first, to: cue(beats: 1, at: 10)) == [])
    #expect(StatusPrinter.changes(from: first, to: cue(beats: 5, at: 12)) == ["cue: come in, in 5 beats"])
  }

  @Test("with --plain, each event is either an action or a change of the status, not both")
  func onceWithPlain() {
    let (ben, dot) = (MemberID(1), MemberID(2))
    for event in [.conductor(ben), .conductor(nil), .panicLifted, .joined(dot)] as [SessionEvent] {
      #expect(RoomPrinter.isInFacts(event))
    }
    for event in [.left(dot, said: true), .panic(from: dot), .handed(from: ben, to: dot)] as [SessionEvent] {
      #expect(!RoomPrinter.isInFacts(event))
    }
  }

  @Test("a screen confirms a call for silence that all members have confirmed")
  func confirmed() {
    let missing = UnconfirmedMember(member: MemberID(3), name: "Cyd", silentFor: 4)
    #expect(RoomPrinter.text(of: .panicEnded(unconfirmed: [])) { _ in "" } == "all members are silent")
    #expect(RoomPrinter.text(of: .panicEnded(unconfirmed: [missing])) { _ in "" } == nil)
  }
}
