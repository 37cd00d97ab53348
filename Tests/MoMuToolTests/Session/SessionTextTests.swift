import MoCore
import MoOrchestra
import MoRuntime
import MoSessionCore
import MoTesting
import Testing

@testable import MoMuTool

@Suite("The notices of momu session without other members")
struct SessionTextTests {
  @Test("lists what to check if there is no room")
  func rooms() {
    #expect(
      "\(ToolError.noRoom(named: nil, nil))"
        == "no room found: check that a member is in it, on this network (momu doctor shows what may block it)"
    )
    #expect(
      "\(ToolError.noRoom(named: "lab", nil))"
        == "no room with \"lab\" in its name found: check that a member is in it, on this network "
        + "(momu doctor shows what may block it)")
  }

  @Test("names an address of --peer that no member answers at")
  func unanswered() {
    let text = SessionJoinCommand.unanswered("10.0.0.7\u{1B}[2J", room: "Lab")
    #expect(text.hasPrefix("no member has answered at 10.0.0.7"))
    #expect(!text.contains("\u{1B}"))
    #expect(text.contains("is in the room Lab with the same passkey"))
  }

  @Test("explains in a line why Avahi does not help, and what to type")
  func avahi() {
    #expect(
      "\(ToolError.noRoom(named: nil, "\(AvahiProblem.daemon)"))".split(separator: "\n").last.map(String.init)
        == "Avahi cannot help to find members, because its daemon does not run: sudo apt-get install avahi-daemon, "
        + "then sudo systemctl start avahi-daemon")
    #expect(
      "\(ToolError.noRoom(named: nil, "\(AvahiProblem.bus("no such file"))"))".split(separator: "\n").last
        .map(String.init)
        == "Avahi cannot help to find members, because there is no system bus (no such file): "
        + "sudo apt-get install dbus")
    let library = "libavahi-client.so.3: cannot open shared object file: No such file or directory"
    #expect(
      "\(ToolError.noRoom(named: nil, "\(AvahiProblem.library(library))"))".split(separator: "\n").last.map(
        String.init)
        == "Avahi cannot help to find members, because its library is missing (\(library)): "
        + "sudo apt-get install avahi-daemon libavahi-client3")
  }

  @Test("says that Avahi is missing only if no room was found; other rooms are found without Avahi")
  func needless() {
    let avahi = AvahiProblem.daemon
    #expect(SessionRoomsCommand.problem(nil, avahi, hasFound: true) == nil)
    #expect(SessionRoomsCommand.problem(nil, avahi, hasFound: false) == "\(avahi)")
    #expect(SessionRoomsCommand.problem("no network", avahi, hasFound: true) == "no network")
  }

  @Test("the hint above the empty line fits, and needs no row")
  func hint() {
    for columns in [39, 79, 199] {
      let rows = ScreenBlock.rows([SessionJoinCommand.hint(columns: columns)], 9).lines.map(\.text)
      #expect(rows.allSatisfy { $0.count <= columns } && rows.count == (columns == 39 ? 2 : 1), "\(rows)")
      #expect(rows.joined(separator: " ").contains("Ctrl-C leaves"))
    }
    #expect(ScreenBlock.rows([SessionJoinCommand.hint(columns: 79)], 0).lines.isEmpty)
  }

  @Test("a member that does not hear the conductor does not say that the baton is free")
  func lostConductor() {
    #expect(SessionLogPrinter.noConductor(lost: "Ben") == "Ben conducted last, and is not heard")
    #expect(SessionLogPrinter.noConductor(lost: nil) == "no member conducts: the baton is free")
  }

  @Test("a line about a level names the sections of this member that have the level")
  func sections() {
    var own = OwnSections()
    func line(_ level: Float, muted: [String] = [], low: Float = 1) -> String {
      own.line(to: level, of: ["high", "low"], levels: { $0 == "low" ? low : 1 }, muted: muted)
    }
    #expect(line(0, muted: ["low"]) == "your section low is muted")
    #expect(line(1) == "your sections are no longer muted")
    #expect(line(0.5, low: 0.5) == "your section low is at 50 %")
    #expect(line(1) == "your sections high, low are at 100 %")
    #expect(line(0, muted: ["high", "low"]) == "your sections high, low are muted")
    // The level of the other section did not change: only the end of the mute is new.
    #expect(line(0.5, low: 0.5) == "your sections are no longer muted; the lowest level is 50 %")
    _ = own.line(to: 0, of: ["low"], levels: { _ in 1 }, muted: ["low"])
    let end = own.line(to: 1, of: ["low"], levels: { _ in 1 }, muted: [])
    #expect(end == "your section low is no longer muted")
    #expect(own.line(to: 1, of: [], levels: { _ in 1 }, muted: []) == "your sound is at 100 %")
  }

  @Test("a member outside the roster has a text, not only a number")
  func hidden() {
    #expect(
      SessionLogPrinter.text(of: .panic(from: MemberID(0x3fa2_0000_0000_0001)))
        == "a hidden member (3fa2) silences the room")
  }
}

@Suite("The configuration file and the variables of momu session")
struct SessionConfigurationTests {
  /// Runs `line` in its own network namespace with a configuration file; `$momu` is the tool.
  private func run(_ configuration: String, _ line: String) -> ProgramRun {
    ProgramRun(
      alone: """
        momu='\(ProgramRun.folder)/momu'; mkdir -p "$XDG_CONFIG_HOME/momu"
        echo '\(configuration)' >"$XDG_CONFIG_HOME/momu/config.json"
        \(line)
        """)
  }

  @Test("momu session joins the room of the configuration file, also if the file is for offline instruments")
  func room() {
    let run = run(
      #"{"room": "Attic", "offline": true}"#,
      """
      "$momu" session --plain --name Bo >"$TMPDIR/bo" 2>&1 & peer=$!; trap 'kill $peer 2>/dev/null' EXIT
      n=0; until "$momu" session rooms 2>/dev/null; do n=$((n + 1)); [ $n -lt 20 ] || exit 1; done
      """)
    #expect(run.text == "Attic: 1 member\n")
  }

  @Test(
    "check and panic act in the room of the configuration file; --room overrides the file and MOMU_ROOM",
    arguments: ["check", "panic"])
  func others(verb: String) {
    let run = run(
      #"{"room": "Attic"}"#, "\"$momu\" session \(verb); MOMU_ROOM=Hall \"$momu\" session \(verb) --room Lab")
    #expect(run.text.contains("no members found in room Attic: "), "\(run.text)")
    #expect(run.text.contains("no members found in room Lab: "), "\(run.text)")
  }

  @Test("a configuration file with a mistake is an error", arguments: ["join --seconds 1", "check"])
  func mistake(verb: String) {
    let run = run(#"{"rom": "Attic"}"#, "\"$momu\" session \(verb); echo status $?")
    #expect(run.text.contains("/momu/config.json cannot be used: it sets \"rom\", which is not an option\n"))
    #expect(run.lines.last == "status 1", "\(run.text)")
  }

  @Test("a call for silence reports a mistake in the configuration file, and uses the variables")
  func silenceDespiteMistake() {
    let run = run(#"{"rom": "Lab"}"#, "MOMU_ROOM=Attic \"$momu\" session panic")
    #expect(run.text.contains("/momu/config.json cannot be used: it sets \"rom\", which is not an option\n"))
    #expect(run.text.contains("no members found in room Attic: "), "\(run.text)")
  }

  @Test("a wrong variable is reported, and the room of another variable is still used")
  func variables() {
    let run = run("{}", "MOMU_RATE=fast MOMU_ROOM=Attic \"$momu\" session panic")
    #expect(run.text.hasPrefix("MOMU_RATE is \"fast\", but must be a whole number "), "\(run.text)")
    #expect(run.text.contains("no members found in room Attic: "), "\(run.text)")
  }
}

@Suite("A command of momu session that looks for members")
struct SessionInterruptionTests {
  @Test(
    "ends with status 130 if it is interrupted before its task is done",
    arguments: ["check", "panic", "rooms"])
  func interrupted(verb: String) {
    // After the first socket is open, the command handles the signal itself.
    let run = ProgramRun(
      alone: """
        '\(ProgramRun.folder)/momu' session \(verb) & peer=$!; trap 'kill $peer 2>/dev/null' EXIT
        n=0; until [ "$(wc -l </proc/net/udp)" -gt 1 ]; do n=$((n + 1)); [ $n -lt 20000 ] || exit 1; done
        kill -TERM $peer; wait $peer; echo status $?
        """)
    #expect(run.lines.last == "status 130", "\(run.text)")
  }
}

@Suite("The summary of a session's tape")
struct RecordingSummaryTests {
  private func entry(_ seconds: Double, _ note: SessionTapeNote) -> SessionTapeEntry {
    SessionTapeEntry(time: HostTime(seconds: seconds), beat: nil, note: note)
  }

  @Test("shows a player's name after 300 starts of programs")
  func names() {
    var summary = RecordingSummary(only: "Ada")
    for number in 1...300 {
      let id = MemberID(UInt64(number))
      let name = number == 300 ? "Ada" : "Ben \(number)"
      let member = SessionTapeMember(
        member: id, installation: id, name: name, program: "momu run", isHere: true)
      summary.add(entry(0, .member(member)))
    }
    let note = SessionPlay.note(SessionNote(pitch: 60, instrument: "harp"))
    for number in [299, 300] as [UInt64] {
      let heard = SessionHeard(
        from: MemberID(number), play: note, time: HostTime(seconds: 1), beat: nil, late: 0)
      summary.add(entry(1, .heard(heard)))
    }
    #expect(summary.parts == ["harp": 1])
  }

  @Test("lists 24 changes of the rhythm, and counts the others")
  func rhythms() {
    var summary = RecordingSummary()
    for step in 0..<30 {
      let timeline = Timeline.beginning(
        at: SessionTime(nanoseconds: 0), tempo: 60 + Double(step), meter: .common, take: 1)
      let state = SessionState(
        version: StateVersion(counter: 1, holder: MemberID(1), revision: UInt32(step)), lineage: MemberID(1),
        isHeld: true, holderInstallation: MemberID(1), timeline: timeline)
      // A state that changes nothing in the rhythm does not count.
      for _ in 0..<2 { summary.add(entry(Double(step), .state(state))) }
    }
    let text = summary.text(path: "e.osc", start: 0, madeBy: nil)
    #expect(text.contains("  rhythm  0:23  83.0 beats per minute in 4/4\n"))
    #expect(text.hasSuffix("\n  rhythm  and 6 further changes\n"))
  }
}
