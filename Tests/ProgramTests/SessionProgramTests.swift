import MoTesting
import Testing

@Suite("Programs that play together")
struct SessionProgramTests {
  @Test("a rhythm's first beat sounds at its exact frame, and the check finds nothing")
  func firstBeat() {
    let folder = Scratch()
    let run = ProgramRun(
      "Orchestra", "--offline --audio wav:\(folder.path)/a.wav --seconds 3 --seed 1 --check-realtime --quiet",
      before: "ORCHESTRA_START=yes XDG_STATE_HOME=\(folder.path)")
    #expect(run.status == 0, "\(run.text)")
    // Alone, a rhythm is announced a quarter of a second ahead: 12000 frames of 48000 a second.
    let first = ProgramRun(shell: "python3 '\(outside("first_sound.py"))' '\(folder.path)/a.wav'")
    #expect(first.text == "12000\n")
  }

  @Test("a room: finding, conducting, a death, silence, goodbye")
  func room() {
    let run = ProgramRun(
      shell: "unshare --net python3 '\(outside("room.py"))' '\(ProgramRun.folder)/momu'")
    #expect(
      run.text == """
        Anna: Anna conducts
        Anna: Ben is here
        Ben: Anna conducts
        rooms: 'Lab: 2 members' 0
        Ben: only who conducts can do that: start the rhythm, or take the baton first
        Ben: nobody conducts: the baton is free
        Ben: Ben conducts
        panic: 'Ben: silent\\nAnna, not heard for N s: no answer' 1
        Ben: somebody hidden (
        Ben: ) asks for silence
        Clara: Ben conducts
        Clara: Ben has left

        """)
  }

  @Test("panic, mutes, cues, gates and the baton hold through a cut link and a stopped program")
  func conducting() {
    let run = ProgramRun(
      shell: "unshare --net python3 '\(outside("conducting.py"))' '\(ProgramRun.folder)/momu'")
    #expect(
      run.text == """
        Ada Lovelace: Ada Lovelace conducts
        Ben: Ada Lovelace conducts
        Cyd: Ada Lovelace conducts
        Ben: Cyd is here
        Ada Lovelace: Cyd is here
        panic: ['Ada Lovelace: silent', 'Ben: silent', 'Cyd: no answer'] 1
        Cyd: asks for silence
        Ada Lovelace: the silence is over
        Ben: the silence is over
        Cyd: the silence is over
        refused: False
        Ben: Cyd has gone without a word
        Ben: no answer to the call for silence from Cyd
        Cyd: Ben asks for silence
        Ada Lovelace: the silence is over
        Ben: the silence is over
        Cyd: the silence is over
        Ben: Cyd is here
        Cyd: who leads has silenced this section
        Cyd: who leads has set this section to 100 %
        Ben: hit 0.700
        Ben heard the muted section: False
        Ben had it a beat and more ahead: True
        Ada Lovelace: gate from Ada Lovelace to Ben: notes 1
        Ben: your rhythm gate is closed, so you cannot conduct, assign sections or set gates: ask Ada Lovelace to open it
        Ada Lovelace: Ada Lovelace hands the baton to Ben
        Ben: Ada Lovelace hands the baton to Ben
        Cyd: Ada Lovelace hands the baton to Ben

        """)
  }

  @Test("where a terminal is stopped, or nobody reads what a member says, it stays on the stage")
  func stuck() {
    let run = ProgramRun(
      shell: "unshare --net python3 '\(outside("stuck.py"))' '\(ProgramRun.folder)'")
    #expect(
      run.text == """
        Anna: Anna conducts
        Ole: Anna
        Ben: Pia is here
        Ben: Ole is here
        Ben: Anna conducts
        Cleo: Anna conducts
        Ben: Cleo is here
        panic: ['Anna: silent', 'Ben: silent', 'Cleo: silent', 'Ole: silent', 'Pia: silent'] 0
        Ben: Ben conducts
        Anna again: missing here
        Ole again: Cleo
        Pia again: missing here
        Anna: 0
        Ole: 0
        Pia: 0
        Ben: 0
        Cleo: 0

        """)
  }

  @Test("a member whose disk hangs stays on the stage, and ends once its disk has what is to be kept")
  func slowDisk() {
    let run = ProgramRun(
      shell: "unshare --net python3 '\(outside("slow_disk.py"))' '\(ProgramRun.folder)/momu'")
    #expect(
      run.text == """
        Anna: Anna conducts
        Ben: Anna conducts
        Anna: Ben is here
        panic: Anna: silent, Ben: silent
        kept: installation, member
        kept: momu-room, room, name, ignored, member
        Anna: 0

        """)
  }

  @Test("a log of beats that finds no room on its disk says so, and the session goes on to its end")
  func fullLog() {
    let folder = Scratch()
    let run = ProgramRun(
      shell:
        "unshare --net env XDG_STATE_HOME='\(folder.path)' '\(ProgramRun.folder)/momu' session --conduct "
        + "--log-beats /dev/full --seconds 1")
    #expect(
      run.status == 0 && run.text.contains("/dev/full ends here: No space left on device"), "\(run.text)")
  }

  @Test("a locked room: nobody without the passkey hears or disturbs it, and each is told why")
  func lockedRoom() {
    let run = ProgramRun(
      shell: "unshare --net python3 '\(outside("locked_room.py"))' '\(ProgramRun.folder)/momu'")
    #expect(
      run.text == """
        Anna: Anna conducts
        Ben: Anna conducts
        Cat: somebody here has another passkey for room Lab, so that you do not hear each other: compare them
        Dora: room Lab is locked here: join it with --passkey KEY
        rooms: ['Lab: 1 member', '1 locked room, whose names are hidden', '']
        played again: True
        Ben: nobody conducts: the baton is free
        Anna: Ben conducts
        Anna: nobody conducts: the baton is free
        Ben: Back in room Lab, locked as it was, as Ben: the program was killed there. For another room: --room NAME.
        Ben: Anna conducts
        Anna hears strangers: False
        Ben hears strangers: False
        panic: ['', 'Anna: silent', 'Ben: silent'] 0
        sealed: True shown: []
        open: True shown: []

        """)
  }

  @Test("a locked room: no member can be another installation, or speak for it; copies are noticed")
  func identities() {
    let run = ProgramRun(
      shell: "unshare --net python3 '\(outside("identities.py"))' '\(ProgramRun.folder)/momu'")
    #expect(
      run.text == """
        rights of the key: 0o600
        the ID is the key's: True
        Ada: Ada conducts
        the same in a locked room: True
        Ben: Ada conducts
        Ben: Mallory is here
        Ben: a program in this locked room speaks for an installation that is not its own: all it says so is dropped
        Eve is a member: False
        Ben: Mallory asks for silence
        Ben believed Mallory: False
        Ada: Ada and Cleo share one installation (ADA) on different machines
        Ben: Ada and Cleo share one installation (ADA) on different machines
        Cleo: Ada and Cleo share one installation (ADA) on different machines
        Ben: Cleo is gone
        renewed: this installation is CLEO; it was ADA
        Ben: Cleo 2 is here
        Cleo: Ada conducts
        told again: False
        Ben: Cleo 2 is gone
        Cleo: Ada conducts
        Ada: brightness to 0.900
        Ben: Mallory asks for silence
        Ben hears Cleo: []
        Ben: nobody conducts: the baton is free

        """)
  }

  @Test("a conductor who is killed is back in its room unasked, and nobody's beat has moved")
  func restart() {
    let run = ProgramRun(
      shell: "unshare --net python3 '\(outside("restart.py"))' '\(ProgramRun.folder)/momu'")
    #expect(
      run.text == """
        Anna: Anna conducts
        Ben: Anna conducts
        again: Back in room Lab as Anna: the program was killed there. For another room: --room NAME.
        Ben: nobody conducts: the baton is free
        again: Ben conducts
        ['Lab: 2 members', '']
        ['Lab: 1 member', 'MoMu: 1 member', '']
        elsewhere: False
        again: False
        Ben's beat moved by less than 1 ms
        Anna's beat is off by less than 1 ms
        left behind: ['session', 'session-key']

        """)
  }

  /// Whether a program's start can be held up: the kernel has fanotify, and it may be used.
  static let canHoldPrograms =
    ProgramRun(shell: "unshare --net python3 '\(outside("slow_program.py"))' --can").status == 0

  @Test(
    "a member where systemd-inhibit takes its time to start stays on the stage",
    .enabled(if: canHoldPrograms, "root, and a kernel with fanotify"))
  func slowProgram() {
    let run = ProgramRun(
      shell: "unshare --net python3 '\(outside("slow_program.py"))' '\(ProgramRun.folder)/momu'")
    #expect(
      run.text == """
        systemd-inhibit is to start
        panic: Anna: silent
        Anna: Anna conducts
        it has started: cat
        stopped: nothing
        again: cat
        Anna: 0
        nothing is left

        """)
  }

  /// Whether systemd's logind, a bus for it and the right to give it a system of its own are here.
  static let hasLogind =
    ProgramRun(
      shell:
        "test -x /lib/systemd/systemd-logind && command -v dbus-daemon systemd-inhibit && unshare --mount true"
    ).status == 0

  @Test(
    "while a rhythm plays logind keeps the machine awake, and no longer, even where the program is killed",
    .enabled(if: hasLogind, "systemd-logind, dbus-daemon and root"))
  func awake() {
    let run = ProgramRun(
      shell:
        "unshare --net --mount --pid --fork --kill-child python3 '\(outside("awake.py"))' '\(ProgramRun.folder)/momu'"
    )
    #expect(
      run.text == """
        nothing plays: may sleep
        playing: MoMu sleep:idle a rhythm is playing block
        stopped: may sleep
        started again: MoMu sleep:idle a rhythm is playing block
        killed: may sleep

        """)
  }

  @Test("a log of beats that nobody reads keeps nobody from leaving; pipes without a reader are refused")
  func unreadLog() {
    let momu = "'\(ProgramRun.folder)/momu' session --room Lab --seconds"
    let full = ProgramRun(
      shell: "unshare --net python3 '\(outside("unread_log.py"))' '\(ProgramRun.folder)/momu'")
    #expect(full.text == "0\n")
    let alone = ProgramRun(shell: "cd $(mktemp -d) && mkfifo log && unshare --net \(momu) 1 --log-beats log")
    #expect(alone.status == 1)
    #expect(alone.text.hasPrefix("cannot write log: nobody reads it yet, start its reader first;"))
    let tape = ProgramRun(shell: "cd $(mktemp -d) && mkfifo tape && unshare --net \(momu) 1 --record tape")
    #expect(tape.status == 1)
    #expect(tape.text.hasPrefix("cannot record the session to tape: it is a pipe, and a tape is a file;"))
  }

  @Test("who cannot keep what it is called by says so, and what to do; so does who is on no network")
  func nothingKept() {
    let run = ProgramRun(
      shell:
        "unshare --net env -u XDG_STATE_HOME HOME=/proc DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nowhere "
        + "'\(ProgramRun.folder)/momu' session --seconds 4 2>&1")
    #expect(run.text.contains("who this installation is cannot be kept (/proc/.local/state/momu/session: "))
    #expect(run.text.contains("set XDG_STATE_HOME to a folder of yours\n"))
    #expect(run.text.contains("this machine is on no network (none with an address of IPv4 or IPv6): "))
  }

  @Test("a room's name that is no line is refused")
  func controls() {
    let run = ProgramRun(
      shell: "'\(ProgramRun.folder)/momu' session --seconds 1 --room \"$(printf 'a\\nb')\" 2>&1")
    #expect(run.status == 1)
    #expect(run.text.hasPrefix("\"a\\nb\" is no name for a room: "))
  }

  @Test("where there is no room one is told, and so is a script, by the status")
  func noRoom() {
    let run = ProgramRun(
      shell:
        "unshare --net env DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nowhere '\(ProgramRun.folder)/momu' session rooms lab"
    )
    #expect(run.status == 1)
    #expect(
      run.text.hasPrefix(
        "no room with \"lab\" in its name was found: is anybody in one, on this network? momu doctor says what may be in "
          + "the way\n"))
  }

  @Test("a Python and a ChucK program of thirty lines follow the beat")
  func followers() {
    let run = ProgramRun(
      shell: "unshare --net python3 '\(outside("followers.py"))' '\(ProgramRun.folder)/momu'")
    #expect(run.text == "True True {'240'}\nTrue True {'240'}\n")
  }
}
