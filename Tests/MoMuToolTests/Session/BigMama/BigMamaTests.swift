import MoConsole
import MoCore
import MoInstruments
import MoOrchestra
import MoRuntime
import MoSessionCore
import MoSessionSimulation
import MoTesting
import Testing

@testable import MoMuTool

@Suite("Big Mama")
struct BigMamaTests {
  private static let now = HostTime(seconds: 100)

  @Test(
    "each key changes its setting and no other",
    arguments: [
      ("3", [BigMamaSettings.Order.set("style", 2)]), ("6", []), ("d", [.set("drums", 0)]),
      ("k", [.set("keys", 0)]),
      (">", [.set("drum-volume", 0.85)]), ("<", [.set("drum-volume", 0.75)]), ("+", [.tempo(5)]),
      ("-", [.tempo(-5)]),
      (" ", [.startOrStop]), ("c", [.centralise]), ("t", [.takeBaton]), ("!", [.panic]), ("x", []),
    ] as [(Character, [BigMamaSettings.Order])])
  func keys(letter: Character, orders: [BigMamaSettings.Order]) {
    var board = BigMamaSettings()
    let key = BigMamaKey(.character(letter))
    var done: [BigMamaSettings.Order] = []
    if let key { done = board.handleKey(key) }
    #expect(done == orders)
  }

  @Test("the selection of rows wraps around, and volumes stop at silence and full level")
  func rows() {
    var board = BigMamaSettings()
    #expect(board.handleKey(.choose(-1)).isEmpty && board.chosen == .players)
    for _ in 0..<30 { _ = board.handleKey(.turn(-1)) }
    #expect(board.handleKey(.turn(-1)) == [.players(0)])
    _ = board.handleKey(.choose(1))
    #expect(board.chosen == .drums)
    for _ in 0..<30 { _ = board.handleKey(.turn(1)) }
    #expect(board.handleKey(.turn(1)) == [.set("drum-volume", 1)])
    #expect(board.handleKey(.layer(.guitar)) == [.set("guitar", 0)])
    #expect(board.handleKey(.layer(.guitar)) == [.set("guitar", 1)])
    #expect(board.handleKey(.layer(.players)).isEmpty)
  }

  @Test("the console shows the band's initial settings, and names only parameters of the band")
  func defaults() throws {
    let band = try Instruments.named("band")
    let board = BigMamaSettings()
    func initial(_ name: String) throws -> Float {
      try #require(band.parameters.first { $0.name == name }).initial
    }
    #expect(try initial("style") == Float(board.style))
    for row in BigMamaSettings.Row.allCases {
      if let layer = row.layer { #expect(try initial(layer) == (board.isOn[row.rawValue] ? 1 : 0)) }
      if let volume = row.volume { #expect(try initial(volume) == board.volumes[row.rawValue]) }
    }
    #expect(band.allParameters.last?.initial == board.volumes[BigMamaSettings.Row.players.rawValue])
    #expect(Style.all.count == 5)
  }

  @Test("a new player gets the instrument that the fewest have, keeps it, and is turned away without room")
  func roster() {
    var roster = BigMamaRoster(["harp", "reed", "drone"])
    for number in 1...4 as ClosedRange<UInt64> {
      #expect(
        roster.recordMessage(from: MemberID(number), "p\(number)", activity: 0.5, at: Self.now) == Int(number)
          - 1)
    }
    #expect(roster.players.map(\.instrument) == ["harp", "reed", "drone", "harp"])
    #expect(roster.left(MemberID(2)) == 1)
    #expect(roster.left(MemberID(2)) == nil)
    _ = roster.recordMessage(from: MemberID(5), "p5", activity: 1, at: Self.now)
    #expect(roster.players.last?.instrument == "reed")
    #expect(roster.recordMessage(from: MemberID(1), "p1 2", activity: nil, at: Self.now) == 0)
    #expect(roster.players[0].name == "p1 2" && roster.players[0].activity == 0.5)
    for number in 10...60 as ClosedRange<UInt64> {
      _ = roster.recordMessage(from: MemberID(number), "p", activity: 0, at: Self.now)
    }
    #expect(roster.players.count == BigMamaRoster.most)
    #expect(roster.turnedAway == Set((34...60 as ClosedRange<UInt64>).map { MemberID($0) }))
    // A member that leaves makes room for the next one.
    _ = roster.left(MemberID(1))
    #expect(roster.recordMessage(from: MemberID(50), "p50", activity: 0, at: Self.now) == 27)
    #expect(!roster.turnedAway.contains(MemberID(50)) && roster.turnedAway.count == 26)
  }

  @Test("the activity is the mean, and a player without messages for a second counts as still")
  func activity() {
    var roster = BigMamaRoster(["harp"])
    #expect(roster.activity(at: Self.now) == 0)
    _ = roster.recordMessage(from: MemberID(1), "a", activity: 1, at: Self.now)
    _ = roster.recordMessage(from: MemberID(2), "b", activity: 0.5, at: Self.now.advanced(bySeconds: 0.5))
    #expect(roster.activity(at: Self.now.advanced(bySeconds: 0.6)) == 0.75)
    #expect(roster.activity(at: Self.now.advanced(bySeconds: 1.2)) == 0.25)
    #expect(roster.activity(at: Self.now.advanced(bySeconds: 2)) == 0)
  }

  @Test(
    "its picture fits, and counts the players that do not", arguments: [0, 1, 7, 8, 28],
    [(39, 9), (79, 23), (119, 39), (199, 59)])
  func picture(count: Int, size: (columns: Int, rows: Int)) {
    var roster = BigMamaRoster(Instruments.motion.map(\.sheet.name))
    for number in 0..<count {
      let name = number % 2 == 0 ? "Ada" : "Wolfgang Amadeus von und zu Mozart-Salieri"
      _ = roster.recordMessage(from: MemberID(UInt64(number + 1)), name, activity: 0.5, at: Self.now)
    }
    var facts = RoomFacts()
    (facts.room, facts.tempo) = ("The large hall of the conservatory", 132.4)
    for position in [nil, BarPosition(bar: 12_345, beat: 3.5, meter: Meter(7, 8) ?? .common)] {
      (facts.position, facts.isConductor) = (position, position != nil)
      let picture = BigMamaPicture(
        board: BigMamaSettings(), roster: roster, facts: facts, gates: "all play to this machine",
        now: Self.now,
        columns: size.columns)
      let lines = ScreenBlock.rows(picture.blocks, size.rows).lines.map(\.text)
      let text = lines.joined(separator: "\n")
      #expect(lines.count <= size.rows && lines.allSatisfy { $0.count <= size.columns }, "\(text)")
      for word in ["silence", "▸ drums"] { #expect(text.contains(word), "\(text)") }
      if size.columns > 40 {
        for word in ["players", "style"] + (position == nil ? [] : ["tempo"]) {
          #expect(text.contains(word), "\(text)")
        }
      }
      let shown = lines.count { $0.contains("Ada") || $0.contains("Wolfgang") }
      #expect(shown == count || text.contains(" more") || text.contains("hidden"), "\(text)")
    }
  }

  @Test("a refused request names Big Mama's own key, at the start of the line")
  func advice() {
    let conducted = SessionRefusal.conducted(by: "Ben")
    #expect(BigMamaAdvice.text(conducted) == "Ben conducts: t asks for the baton")
    #expect(BigMamaAdvice.gates(conducted) == "not all play here: t asks Ben for the baton")
    let refusals: [SessionRefusal] = [
      conducted, .away("Ben", seconds: 1), .notConductor, .noConductor, .closed(openers: ["Ben"]),
    ]
    for refusal in refusals {
      let texts = [true, false].map { BigMamaAdvice.text(refusal, isPlaying: $0) }
      for text in texts + [BigMamaAdvice.gates(refusal)] {
        #expect(!text.contains("Orchestra") && !text.contains(":ask"), "\(text)")
      }
    }
    let opening = "ask Ben to open your rhythm gate (gate 0.5 rhythm NAME)"
    #expect(BigMamaAdvice.text(SessionRefusal.closed(openers: ["Ben"])).hasPrefix(opening + ": "))
    #expect(BigMamaAdvice.gates(SessionRefusal.closed(openers: ["Ben"])) == "not all play here: " + opening)
    #expect(
      BigMamaAdvice.text(SessionRefusal.notConductor, isPlaying: true).hasSuffix(
        ": t takes the baton or asks for it"))
    #expect(
      BigMamaAdvice.text(SessionRefusal.notConductor, isPlaying: false).hasSuffix(": space starts a rhythm"))
  }

  @Test("reports once that the conductor is not heard, without seconds, and names its key in 40 columns")
  func unheardConductor() {
    let texts = Set((1...29).map { BigMamaAdvice.gates(SessionRefusal.away("Ben", seconds: $0)) })
    #expect(texts == ["not all play here: t takes the baton, since Ben conducts and is not heard"])
    for text in texts {
      #expect(ScreenLine(text).cut(to: 39).text.contains("t takes the baton"))
    }
    #expect(
      BigMamaAdvice.text(SessionRefusal.away("Ben", seconds: 7))
        == "Ben conducts and is not heard: t takes the baton")
  }

  @Test("reports once that only another installation may conduct, however long that one is away")
  func reserved() {
    let texts = Set(
      (0...90).map { BigMamaAdvice.gates(SessionRefusal.reserved(MemberID(7), away: $0 < 3 ? nil : $0)) })
    #expect(
      texts == [
        "not all play here: only another installation may conduct (--conductor-only); :lift ends this "
          + "after it has been away for 60 s"
      ])
  }

  @Test("in a small terminal, the selected layer keeps its volume, and the players' command stays")
  func small() {
    var board = BigMamaSettings()
    var facts = RoomFacts()
    facts.room = "The hall"
    func lines(_ rows: Int) -> [String] {
      let picture = BigMamaPicture(
        board: board, roster: BigMamaRoster(["harp"]), facts: facts, gates: "all play to each other",
        now: Self.now,
        columns: 39)
      return ScreenBlock.rows(picture.blocks, rows).lines.map(\.text)
    }
    #expect(lines(6).contains("▸ drums   on    80 %  and 4 more"), "\(lines(6))")
    _ = board.handleKey(.choose(1))
    #expect(lines(6).contains("▸ bass    on    80 %  and 4 more"), "\(lines(6))")
    for rows in 6...9 {
      #expect(lines(rows).contains("  no players: momu session gestures"), "\(lines(rows))")
      #expect(lines(rows).contains("    --room 'The hall'"), "\(lines(rows))")
    }
  }

  @Test("offers no key that the room would refuse")
  func refusedKeys() {
    var facts = RoomFacts()
    func text() -> String {
      let picture = BigMamaPicture(
        board: BigMamaSettings(), roster: BigMamaRoster(["harp"]), facts: facts,
        gates: "some gates are closed",
        now: Self.now, columns: 199)
      return ScreenBlock.rows(picture.blocks, 59).lines.map(\.text).joined(separator: "\n")
    }
    for key in ["space start/stop", "c all play", "Ctrl-T talk", ": type a command", "Ctrl-C leaves"] {
      #expect(text().contains(key), "\(text())")
    }
    (facts.position, facts.conductor) = (BarPosition(bar: 1, beat: 0, meter: .common), "Ben")
    (facts.openers, facts.isRefused, facts.mayAsk, facts.gates) = (["Ben"], true, true, [.notes])
    for key in ["start/stop", "tempo", "c all play", "talk"] { #expect(!text().contains(key), "\(text())") }
    for key in ["! silence", "t take or ask for the baton", "← → volume"] {
      #expect(text().contains(key), "\(text())")
    }
  }

  @Test(
    "shows every volume that a member sends as 0 to 100 %",
    arguments: [
      (-Float.infinity, " at 0 %"), (-1e30, " at 0 %"), (0.8, " at 80 %"), (1e30, ""), (.infinity, ""),
    ])
  func anyVolume(volume: Float, text: String) {
    let mama = GestureSender.Target(name: "Mama", isBigMama: true, isGiven: false)
    let picture = GesturePicture(
      target: mama, bigMama: "Mama", room: "Lab", isLocked: false, assignment: ("harp", volume),
      activity: 0.5, roll: 3, columns: 99)
    let rows = ScreenBlock.rows([picture.block], 9).lines.map(\.text)
    #expect(rows.last == "you play harp\(text); Mama makes the sound")
  }

  @Test("a player who moves is told that a member makes the sound only if that member runs Big Mama")
  func sound() {
    func rows(_ target: GestureSender.Target?, bigMama: String? = nil, columns: Int = 99) -> [String] {
      let picture = GesturePicture(
        target: target, bigMama: bigMama, room: "Ada's hall", isLocked: false, assignment: nil, activity: 0.5,
        roll: 3, columns: columns)
      return ScreenBlock.rows([picture.block], 9).lines.map(\.text)
    }
    let bigMama = GestureSender.Target(name: "Mama", isBigMama: true, isGiven: false)
    #expect(rows(bigMama, bigMama: "Mama").last == "you play what Mama chooses; Mama makes the sound")
    let hint = #"no Big Mama is here: type momu session big-mama --room 'Ada'\''s hall' on a machine"#
    let conductor = GestureSender.Target(name: "Ben", isBigMama: false, isGiven: false)
    #expect(rows(conductor).suffix(2) == [hint, "your movement goes to Ben"])
    #expect(rows(nil).last == hint)
    #expect(
      rows(nil, columns: 39).suffix(2) == [
        "no Big Mama: momu session big-mama", #"  --room 'Ada'\''s hall'"#,
      ])
    let missed = "Mama does not get your movement yet: it goes to "
    #expect(rows(conductor, bigMama: "Mama").last == missed + "Ben")
    #expect(rows(nil, bigMama: "Mama").last == missed + "no member")
    #expect(
      rows(GestureSender.Target(name: "Mam", isBigMama: false, isGiven: true, isHere: false)).last
        == "Mam is not here: your movement goes to no member")
    #expect(
      rows(GestureSender.Target(name: "Ben", isBigMama: false, isGiven: true)).last
        == "your movement goes to Ben")
    // Before the sentences, which take two rows at 40 columns.
    for target in [bigMama, nil] {
      #expect(rows(target, columns: 39)[0].hasPrefix("you move [") && rows(target, columns: 39).count <= 3)
    }
  }

  @Test("a command for other machines has the room as one word of a shell, and the passkey of a locked room")
  func command() {
    #expect(
      ShellText.command("gestures", room: "Lab-2", isLocked: false) == "momu session gestures --room Lab-2")
    #expect(
      ShellText.command("gestures", room: "$HOME; ls", isLocked: true)
        == "momu session gestures --room '$HOME; ls' --passkey KEY")
  }

  @Test("a player's instrument and volume are kept for its return, and for the next start")
  func assignments() {
    var roster = BigMamaRoster(["harp", "reed", "drone"])
    for (number, name) in ["Ada", "Ben Li"].enumerated() {
      _ = roster.recordMessage(from: MemberID(UInt64(number + 1)), name, activity: 0, at: Self.now)
    }
    #expect(roster.setInstrument(ofPlayer: 1, by: -2, among: ["harp", "reed", "drone"]) == MemberID(2))
    #expect(roster.setVolume(ofPlayer: 1, by: -0.25)?.volume == 0.75)
    #expect(roster.setVolume(ofPlayer: 7, by: 1) == nil)
    _ = roster.left(MemberID(2))
    _ = roster.recordMessage(from: MemberID(9), "Ben Li", activity: 0, at: Self.now)
    #expect(roster.players[1].instrument == "drone" && roster.players[1].volume == 0.75)
    let text = BigMamaAssignment.text(roster.assignments)
    #expect(BigMamaAssignment.read(text) == roster.assignments)
    #expect(BigMamaAssignment.read("nothing\n2 harp Ada\n0.5 nosuch Ada\n0.5 harp\n") == [:])
    var board = BigMamaSettings()
    board.playerCount = 2
    for _ in 0..<6 { _ = board.handleKey(.choose(1)) }
    #expect(
      board.handleKey(.turn(-1)) == [.player(1, -0.05)]
        && board.handleKey(.instrument(1)) == [.instrument(1, 1)])
    board.playerCount = 0
    #expect(board.player == nil && board.handleKey(.instrument(1)).isEmpty)
  }

  @Test(
    "the selected player stays selected when another leaves, and none is selected once that player leaves"
  )
  func selection() {
    var state = BigMama.State(roster: BigMamaRoster(["harp"]))
    for number in 1...3 as ClosedRange<UInt64> {
      _ = state.roster.recordMessage(from: MemberID(number), "p\(number)", activity: 0, at: Self.now)
    }
    state.board.playerCount = 3
    for _ in 0..<6 { _ = state.board.handleKey(.choose(1)) }
    #expect(state.board.player == 1)
    #expect(state.leave(MemberID(1)) == "p1" && state.leave(MemberID(1)) == nil)
    #expect(state.board.player == 0 && state.roster.players.map(\.name) == ["p2", "p3"])
    #expect(state.leave(MemberID(3)) == "p3" && state.board.player == 0)
    #expect(state.leave(MemberID(2)) == "p2" && state.board.player == nil && state.board.chosen == .players)
  }

  @Test("with one instrument for all, a known player gets it with its earlier volume, until a key changes it")
  func uniform() {
    var roster = BigMamaRoster(["tone"])
    roster.assignments = ["Ada": BigMamaAssignment(instrument: "harp", volume: 0.5)]
    _ = roster.recordMessage(from: MemberID(1), "Ada", activity: 0, at: Self.now)
    #expect(roster.players[0].instrument == "tone" && roster.players[0].volume == 0.5)
    #expect(roster.setVolume(ofPlayer: 0, by: 0.25)?.volume == 0.75)
    #expect(roster.assignments == ["Ada": BigMamaAssignment(instrument: "harp", volume: 0.75)])
    #expect(roster.setInstrument(ofPlayer: 0, by: 1, among: ["tone", "reed"]) == MemberID(1))
    #expect(roster.assignments == ["Ada": BigMamaAssignment(instrument: "reed", volume: 0.75)])
    _ = roster.left(MemberID(1))
    _ = roster.recordMessage(from: MemberID(2), "Ada", activity: 0, at: Self.now)
    #expect(roster.players[0].instrument == "reed" && roster.players[0].volume == 0.75)
  }

  @Test(
    "a gesture goes to the member that gates favour, else to the conductor, else to no member"
  )
  func aim() {
    func member(_ id: UInt64, _ installation: UInt64, _ program: String, conducts: Bool = false)
      -> SessionMember
    {
      var orchestra = VirtualOrchestra(count: 1, network: .wire)
      orchestra.join(0)
      orchestra.run(to: 1)
      var found: SessionMember?
      _ = orchestra.act(0) { core, now in found = core.roster(at: now).first }
      guard var member = found else { preconditionFailure("nobody") }
      member.identity = SessionIdentity(
        member: MemberID(id), installation: MemberID(installation), name: "m\(id)", program: program,
        release: "1")
      (member.isMe, member.isConductor) = (id == 1, conducts)
      return member
    }
    let sender = "momu session gestures"
    let central = GateTable.centralised(MemberID(30))
    let room = [
      member(1, 10, sender), member(2, 20, sender), member(3, 30, "Big Mama"), member(4, 40, sender),
    ]
    #expect(GestureSender.aim(among: room, central) == MemberID(3))
    #expect(GestureSender.aim(among: room, .democratic) == nil)
    let conducted = [member(1, 10, sender), member(2, 20, "Orchestra", conducts: true)]
    #expect(GestureSender.aim(among: conducted, .democratic) == MemberID(2))
    let laptop = [member(1, 30, sender), member(2, 30, sender), member(3, 30, "Big Mama")]
    #expect(GestureSender.aim(among: laptop, central) == MemberID(3))
    #expect(GestureSender.aim(among: [], central) == nil)
  }

  @Test("a gesture preserves the orientation and the amount of movement")
  func gesture() {
    let motion = Motion(
      time: Self.now, x: -0.433, y: 0.5, z: 0.75, tilt: .init(pitch: 30, roll: 30), activity: 0.5)
    let gesture = SessionGesture(motion)
    #expect(abs(gesture.roll - 30) < 0.001 && abs(gesture.pitch - 30) < 0.001 && gesture.activity == 0.5)
    let again = Motion(gesture, at: Self.now)
    #expect(
      abs(again.x - motion.x) < 0.001 && abs(again.y - motion.y) < 0.001 && abs(again.z - motion.z) < 0.001)
    #expect(
      abs(again.tilt.roll - motion.tilt.roll) < 1e-3 && abs(again.tilt.pitch - motion.tilt.pitch) < 1e-3)
    #expect(again.activity == 0.5 && again.energy == 1 && again.strike == nil)
  }

  @Test("four members move and one machine sounds: each is played until it leaves, and keys control the band")
  func four() {
    let run = ProgramRun(
      shell: "unshare --net python3 '\(outside("big_mama.py"))' '\(ProgramRun.folder)/momu'")
    #expect(
      run.text == """
        Ada plays tone
        Bo plays tone
        Cleo plays tone
        Dan plays tone
        heard: A3 C4 D4 E4
        Ada has left
        heard: C4 D4 E4
        nobody else can play them: True
        band: silent, then heard
        without drums: quieter
        players muted: nothing of them

        """)
  }

  @Test("reports once, not at every reading, that gates keep the movement from others")
  func once() {
    let run = ProgramRun(
      shell: "unshare --net sh -c 'ip link set lo up && exec \(ProgramRun.folder)/momu session big-mama "
        + "--room Once --audio virtual --seconds 2'")
    #expect(run.status == 0, "\(run.text)")
    #expect(run.lines.count { $0.hasPrefix("all play to this machine") } == 1, "\(run.text)")
  }
}
