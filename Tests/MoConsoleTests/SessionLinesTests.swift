import MoConsole
import MoCore
import MoOrchestra
import MoSessionCore
import Testing

@Suite("Typed commands of momu session")
struct SessionLinesTests {
  @Test(
    "an invalid command gives an error with a valid one",
    arguments: [
      ("start 96 0", "start needs a tempo, a bar from 1 and bars to count in, 0 to 8, such as start 96 17 2"),
      (
        "start 96 17 9",
        "start needs a tempo, a bar from 1 and bars to count in, 0 to 8, such as start 96 17 2"
      ),
      ("start 96 x", "start needs a tempo, a bar from 1 and bars to count in, 0 to 8, such as start 96 17 2"),
      ("tempo 12", "tempo needs beats per minute from 20 to 999, such as tempo 96"),
      (
        "tempo 60 over 8",
        "tempo needs the length of a gradual change as a number of beats above 0, such as tempo 140 8"
      ),
      (
        "tempo 60 0",
        "tempo needs the length of a gradual change as a number of beats above 0, such as tempo 140 8"
      ),
      (
        "tempo 60 8 bars",
        "tempo needs the length of a gradual change as a number of beats above 0, such as tempo 140 8"
      ),
      ("meter 3", "meter needs a meter such as meter 3/4"),
      (
        "halt",
        "there is no command \"halt\": type one of start, stop, tempo, meter, baton, give, ask, join, lift, ignore, unignore, panic, "
          + "unpanic, check, help, hit, note, change, melody, activity, gate, gates, sections, section, unsection, mute, "
          + "unmute, solo, level, cue, say, tell, mark, unmark, marks, song"
      ),
      ("hit hard", "hit needs a force from 0 to 1, such as hit 0.8 at 16 to Ada"),
      ("hit 0.8 at noon", "hit needs a force from 0 to 1, such as hit 0.8 at 16 to Ada"),
      ("note H4", "note needs a note, a force and a length in beats, such as note C4 0.8 2 at 16 to Ada"),
      ("note C4 2", "note needs a note, a force and a length in beats, such as note C4 0.8 2 at 16 to Ada"),
      ("change brightness", "change needs a parameter and a number, such as change brightness 0.9 to Ada"),
      ("activity 2", "activity needs an amount of movement from 0 to 1, such as activity 0.5"),
      ("gates stairs Ada", "gates needs democratic, monarchic NAME, centralised NAME, or stairs NAME NAME…"),
      (
        "gate 0.5 sound Bob all",
        "gate needs a weight from 0 to 1, a kind (rhythm, notes, modification, activity), a sender, and a receiver if "
          + "not all, such as gate 0.5 notes Bob Ada"
      ),
      ("section drums", "section needs a section and a member's name, such as section drums Ada"),
      ("mute", "mute needs a section, such as mute drums"),
      ("level drums 2", "level needs a section and a level from 0 to 1, such as level drums 0.5"),
      ("level drums", "level needs a section and a level from 0 to 1, such as level drums 0.5"),
      (
        "cue drums",
        "cue needs a section or all, and in, out or words, such as cue drums in"
      ),
      ("cue drums out 9", "cue needs a number of bars from 1 to 8, such as cue drums in 2"),
      (
        "say tell Ada",
        "tell needs a name, or section and its name, and a line, such as tell Ada softer please"
      ),
      ("tell Ada", "tell needs a name, or section and its name, and a line, such as tell Ada softer please"),
      (
        "tell section drums",
        "tell needs a name, or section and its name, and a line, such as tell Ada softer please"
      ),
      ("mark x", "mark needs a bar and a song, or nothing for this bar, such as mark 12 Take Five"),
      ("unmark", "unmark needs a bar and its song, such as unmark 12 Take Five"),
      ("unmark 0", "unmark needs a bar and its song, such as unmark 12 Take Five"),
    ])
  func refused(line: String, text: String) {
    let error = #expect(throws: SessionLines.LineError.self) { try SessionLines.execute(line) }
    #expect(error?.description == text)
  }

  @Test("an unknown name gives an error that lists the members")
  func nobody() {
    let error = #expect(throws: SessionRefusal.self) { try SessionLines.execute("give Zoe") }
    #expect(error?.description == "no member is called \"Zoe\": no other member is in the room")
  }

  @Test("a command may begin with a colon, as hints write it")
  func colon() {
    let error = #expect(throws: SessionLines.LineError.self) { try SessionLines.execute(":tempo 12") }
    #expect(error?.description == "tempo needs beats per minute from 20 to 999, such as tempo 96")
  }

  @Test(
    "finds a name whatever its capitals, unless two names differ only in them",
    arguments: [
      ("ada", ["Ada", "Ben"], "Ada"), ("Ada", ["ada", "Ada"], "Ada"), ("ADA", ["ada", "Ada"], nil),
      ("Ad", ["Ada"], nil),
    ] as [(String, [String], String?)])
  func capitals(typed: String, names: [String], name: String?) {
    #expect(SessionLines.one(typed, of: names) == name)
  }

  @Test("a cue with a number of bars is for that bar line, counted from the next")
  func cueBars() {
    let meter = Meter(3, 4) ?? .common
    let beat = BeatClock.steady(tempo: 120, meter: meter, from: .zero)
    // At 2 s the music is at beat 4 of bars of three beats, so that the next bar line is at beat 6.
    func moment(_ bars: Int) -> String {
      "\(SectionLines.cueMoment(bars: bars, beat, at: HostTime(seconds: 2)))"
    }
    #expect(moment(1) == "\(SessionMoment.next(.bar))")
    #expect(moment(2) == "\(SessionMoment.beat(9))")
    #expect(moment(8) == "\(SessionMoment.beat(27))")
  }

  @Test("names assignments that no longer count after a change of the gates")
  func lapsed() {
    #expect(PlayLines.lapsed([]) == nil)
    #expect(
      PlayLines.lapsed(["Cyd in strings", "Ben in drums"])
        == "these assignments were made by members that may no longer conduct, and do not count now: "
        + "Ben in drums, Cyd in strings; a member that may conduct assigns them again, such as section drums Ada"
    )
    let many = PlayLines.lapsed(Set((1...8).map { "p\($0) in a" }))
    #expect(many?.contains("p6 in a and 2 more;") == true)
  }

  @Test(
    "splits words at spaces, and keeps quoted names whole",
    arguments: [
      ("stairs \"Ada Lovelace\" Ben", ["stairs", "Ada Lovelace", "Ben"]),
      ("give 'Ada L.'", ["give", "Ada L."]),
      ("give O'Brien's", ["give", "O'Brien's"]), ("  give\tAda ", ["give", "Ada"]), ("", []), ("   ", []),
      ("hit 0.8 to \"Ada", ["hit", "0.8", "to", "\"Ada"]), ("\"\" x", ["", "x"]),
      ("\"a\"b c", ["\"a\"b", "c"]),
      ("'say \"hi\" to' \"O'Brien\"", ["say \"hi\" to", "O'Brien"]),
    ])
  func words(line: String, words: [String]) {
    #expect(SessionLines.split(line) == words)
  }

  @Test(
    "keeps spaces and quotes of typed text",
    arguments: [
      ("say don't  \"rush\" ", 2, ["say", "don't  \"rush\" "]),
      ("tell \"Ada Lovelace\" it's  bar 12", 3, ["tell", "Ada Lovelace", "it's  bar 12"]),
      ("tell section drums  brushes", 4, ["tell", "section", "drums", "brushes"]), ("say", 2, ["say"]),
    ])
  func rest(line: String, most: Int, words: [String]) {
    #expect(SessionLines.split(line, most: most) == words)
  }

  @Test("describes gates in words, with sender and receiver")
  func gates() {
    func text(_ gates: GateTable) -> String {
      GateLines.text(gates) { $0 == MemberID(1) ? "Ada" : "Ben" }
    }
    #expect(text(.democratic) == "all gates are open: rhythm 0.5, notes, modification and activity 1")
    #expect(
      text(.monarchic(MemberID(1))) == """
        gate from all to all: rhythm 0, notes 0.5, modification 0, activity 0.5
        gate from Ada to all: rhythm 1, notes 1, modification 1, activity 1
        """)
    var gates = GateTable()
    gates.set(0.25, .notes, from: MemberID(1), to: MemberID(2))
    #expect(text(gates) == "gate from Ada to Ben: notes 0.25")
  }

  @Test("refuses a melody that is too long, and does not cut it")
  func tooLong() {
    let notes = Array(repeating: "C4", count: 65).joined(separator: " ")
    #expect(throws: SessionRefusal.tooLong(notes: 65)) { try SessionLines.execute("melody \(notes)") }
  }
}
