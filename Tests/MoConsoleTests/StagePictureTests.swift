import MoConsole
import MoCore
import MoOrchestra
import MoRuntime
import MoSessionCore
import Testing

@Suite("The stage view, and the key line of a program in a room")
struct StagePictureTests {
  /// Returns a room in which Ben conducts, changed by `change`.
  private static func facts(_ change: (inout RoomFacts) -> Void = { _ in }) -> RoomFacts {
    var facts = RoomFacts()
    (facts.room, facts.others, facts.conductor) = ("Lab", ["Ben"], "Ben")
    (facts.position, facts.tempo) = (BarPosition(bar: 7, beat: 1.5, meter: .common), 120)
    facts.openers = ["Ben"]
    change(&facts)
    return facts
  }

  private static func lines(_ facts: RoomFacts, _ columns: Int, _ rows: Int) -> [String] {
    ScreenBlock.rows(StagePicture.blocks(facts, columns: columns), rows).lines.map(\.text)
  }

  private static let alarms = [
    facts { $0.isSilenced = true },
    facts { $0.muted = ["strings"] },
    facts { ($0.cutOff, $0.lostConductor, $0.conductor) = (3, "Ben", nil) },
    facts { $0.cue = RoomFacts.Cue("get ready", beats: 3) },
    facts { $0.gates = [.notes] },
  ]

  @Test(
    "bar and beat are no higher than the alarm, with an empty row between them",
    arguments: [(79, 22), (119, 38), (199, 58)])
  func alarm(columns: Int, rows: Int) {
    for facts in Self.alarms {
      let lines = Self.lines(facts, columns, rows)
      let groups = lines.map { $0.contains("█") }.split(separator: false).map(\.count)
      #expect(groups.count == 2 && groups.first ?? 0 >= groups.last ?? 0, "\(groups)")
      #expect(lines.allSatisfy { TerminalSize.width($0) <= columns })
    }
  }

  @Test("at 40 columns, each alarm has large letters")
  func small() {
    for facts in Self.alarms {
      let lines = Self.lines(facts, 39, 8)
      #expect(lines.count { $0.contains("█") } == 5, "\(lines)")
      #expect(lines.allSatisfy { TerminalSize.width($0) <= 39 })
    }
  }

  @Test("the last row says how to leave the stage view, if the letters leave a row")
  func wayBack() {
    #expect(Self.lines(Self.facts(), 79, 22).last == "Ctrl-V leaves the stage view")
    #expect(Self.lines(Self.facts(), 39, 8).count { $0.contains("█") } == BigText.height)
  }

  @Test("a cue that does not fit has a shorter text that still says what to do")
  func cue() {
    let shown = Self.lines(
      Self.facts { $0.cue = RoomFacts.Cue("leave off: the bridge", beats: 12) }, 39, 8)
    let letters = BigText.lines("out 12", columns: 39, rows: 5).map(\.text)
    #expect(zip(shown.suffix(5), letters).allSatisfy { $0.hasSuffix($1) }, "\(shown)")
  }

  @Test("a cue whose letters cannot be drawn has a shorter text, and the status line has its words")
  func unspelled() {
    let shown = Self.lines(Self.facts { $0.cue = RoomFacts.Cue("come in: Übergang", beats: 3) }, 199, 58)
    let letters = Self.lines(Self.facts { $0.cue = RoomFacts.Cue("come in", beats: 3) }, 199, 58)
    let isLarge = { (line: String) in line.contains("█") }
    #expect(!letters.filter(isLarge).isEmpty && shown.filter(isLarge) == letters.filter(isLarge))
    #expect(shown.joined(separator: " ").contains("Übergang"))
  }

  @Test("a member without an instrument sees this in the status line")
  func withoutInstrument() {
    func text(_ columns: Int) -> String {
      Self.lines(Self.facts { $0.remark = "you have no instrument: press i to choose one" }, columns, 20)
        .joined(separator: "\n")
    }
    #expect(text(199).contains("you have no instrument: press i to choose one"))
    #expect(text(39).contains("you have no instrument"))
  }

  @Test("the key line leaves out the keys that the room would refuse")
  func keys() {
    func line(_ change: (inout RoomFacts) -> Void) -> String {
      let help = RoomFront.help(KeyHelp("space strikes"), Self.facts(change))
      return ScreenBlock.rows([help.block(columns: 199)], 2).lines.map(\.text).joined(separator: "\n")
    }
    let own = line { ($0.isConductor, $0.conductor, $0.openers) = (true, "Ada", []) }
    for words in ["Enter start/stop", "+ - tempo", "B hand it over", "G gates", "n N next song"] {
      #expect(own.contains(words), "\(own)")
    }
    let conducted = line { $0.mayAsk = true }
    #expect(!conducted.contains("start/stop") && !conducted.contains("tempo"), "\(conducted)")
    #expect(conducted.contains("! silence") && conducted.contains("ask for the baton"), "\(conducted)")
    #expect(conducted.contains("Ctrl-T talk") && !line { $0.gates = [.notes] }.contains("Ctrl-T talk"))
    #expect(!line { $0.cutOff = 4 }.contains("Ctrl-T talk"))
    let closed = line { $0.gates = [.conducting] }
    #expect(!closed.contains("baton") && closed.contains("space strikes"), "\(closed)")
  }

  @Test("the keys of a conductor's console leave out those that the room would refuse")
  func conductorKeys() {
    func keys(_ change: (inout RoomFacts) -> Void) -> [String] {
      ConductorConsole.help(Self.facts(change)).items.map(\.key)
    }
    let own = keys { ($0.isConductor, $0.conductor, $0.openers) = (true, "Ada", []) }
    #expect(own == ["space", "!", "+ -", "m", "1…9", "C"])
    #expect(keys { $0.mayAsk = true } == ["!", "b", "C"])
    #expect(keys { $0.membersBeside = 2 }.contains("J"))
    #expect(ConductorConsole.help(nil, hasSpace: false).items.first?.key == "!")
  }

  @Test("the key line leaves out keys for a rhythm that does not run, or that another member must free first")
  func rights() {
    func line(hasSongs: Bool = true, _ change: (inout RoomFacts) -> Void) -> String {
      let facts = Self.facts {
        ($0.conductor, $0.openers) = (nil, [])
        change(&$0)
      }
      let help = RoomFront.help(KeyHelp("space strikes"), hasSongs: hasSongs, facts)
      return ScreenBlock.rows([help.block(columns: 199)], 2).lines.map(\.text).joined(separator: "\n")
    }
    func check(_ line: String, has: [String], lacks: [String]) {
      for words in has { #expect(line.contains(words), "\(line)") }
      for words in lacks { #expect(!line.contains(words), "\(line)") }
    }
    check(
      line { ($0.position, $0.tempo) = (nil, nil) }, has: ["Enter start/stop", "n N next song", "G gates"],
      lacks: ["tempo", "m meter", "baton", "hand it over", "rehearsal mark"])
    check(
      line { ($0.position, $0.tempo, $0.isRefused) = (nil, nil, true) }, has: ["n N next song", "! silence"],
      lacks: ["start/stop", "G gates", "Q cue"])
    check(
      line { $0.isRefused = true }, has: ["! silence"], lacks: ["baton", "tempo", "start/stop", "next song"])
    check(
      line { ($0.isRefused, $0.needsBaton) = (true, true) },
      has: ["Enter start/stop", "+ - tempo", "b take"], lacks: ["G gates", "mute a section", "Q cue"])
    check(line(hasSongs: false) { _ in }, has: ["M rehearsal mark", "G gates"], lacks: ["next song"])
    // A member with the higher right takes the baton first.
    check(
      line { $0.conductor = "Ben" }, has: ["b take", "G gates"],
      lacks: ["start/stop", "tempo", "hand it over"])
  }
}
