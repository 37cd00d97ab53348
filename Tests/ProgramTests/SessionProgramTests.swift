import MoTesting
import Testing

@Suite("Programs that play together")
struct SessionProgramTests {
  @Test("a rhythm's first beat sounds at its exact frame, and the real-time check finds nothing")
  func firstBeat() {
    let folder = Scratch()
    let run = ProgramRun(
      "Orchestra",
      "--offline --audio wav:\(folder.path)/a.wav --seconds 3 --seed 1 --check-realtime "
        + "--quiet --conduct",
      before: "XDG_STATE_HOME=\(folder.path)")
    #expect(run.status == 0, "\(run.text)")
    // Alone, a rhythm is announced a quarter of a second ahead: 12,000 frames at 48,000 per second.
    let first = ProgramRun(shell: "python3 '\(outside("first_sound.py"))' '\(folder.path)/a.wav'")
    #expect(first.text == "12000\n")
  }

  @Test("members find each other, conduct, survive a killed member, fall silent and leave")
  func room() {
    let run = ProgramRun(
      shell: "unshare --net python3 '\(outside("room.py"))' '\(ProgramRun.folder)/momu'")
    #expect(
      run.text == """
        Anna: Anna conducts
        Anna: Ben is here
        Ben: Anna conducts
        rooms: 'Lab: 2 members' 0
        Ben: only the conductor can do that: start a rhythm, or ask for the baton (b in Orchestra, or type :ask)
        Ben: Anna conducted last, and is not heard
        Ben: Ben conducts
        panic: 'Ben: silent\\nAnna, not heard for N s: no answer' 1
        Ben: a hidden member (
        Ben: ) silences the room
        Clara: Ben conducts
        Clara: the clock is Ben's
        Clara: Ben has left

        """)
  }

  @Test(
    "a call for silence or a stop cancels a start that waits for the room's clock",
    arguments: [("panic", "all members are silent"), ("stop", "the clock is Ben's")])
  func newestWins(wish: String, sign: String) {
    let run = ProgramRun(
      alone:
        "printf 'start 96\\n\(wish)\\n' | \(ProgramRun.folder)/momu session --plain --seconds 3 --room Lab --name Ben"
    )
    #expect(run.text.contains(sign))
    #expect(!run.text.contains("conducts"), "\(run.text)")
    #expect(!run.text.contains("the silence is over"), "\(run.text)")
  }

  @Test("what is typed before the room's clock is known is done in order once it is known")
  func early() {
    let lines = ["start 100", "section low Ben", "mute low", "gate 0 notes all Ben", "tempo 240"]
    let folder = Scratch()
    let run = ProgramRun(
      alone:
        "(printf '\(lines.joined(separator: "\\n"))\\n'; sleep 3; echo gates) | \(ProgramRun.folder)/momu session "
        + "--plain --seconds 4 --room Lab --name Ben --log-beats \(folder.path)/beats")
    for sign in ["Ben conducts", "your section low is muted", "gate from all to Ben: notes 0"] {
      #expect(run.text.contains(sign), "\(run.text)")
    }
    // The tempo is the latest, not the one of the start.
    let beats = ProgramRun(
      shell:
        "awk '/^#/ { next } $2 > 1 && !t { t = $1; b = $2 } { u = $1; c = $2 } END { print int((c - b) / (u - t) * 60e9 + 0.5) }' "
        + "\(folder.path)/beats")
    #expect(beats.text == "240\n")
    #expect(!run.text.contains("try again"), "\(run.text)")
  }

  @Test("panic, mutes, cues, gates and the baton survive a cut link and a stopped program")
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
        Cyd: silences the room
        Ada Lovelace: the silence is over
        Ben: the silence is over
        Cyd: the silence is over
        refused: False
        Ben: Cyd has disappeared
        Ben: no answer to the call for silence from Cyd
        Cyd: Ben silences the room
        Ada Lovelace: the silence is over
        Ben: the silence is over
        Cyd: the silence is over
        Ben: Cyd is here
        Cyd: your section keys is muted
        Cyd: your section keys is no longer muted
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

  @Test("players talk and set rehearsal marks, whatever programs they are at")
  func talk() {
    let run = ProgramRun(shell: "unshare --net python3 '\(outside("talk.py"))' '\(ProgramRun.folder)'")
    #expect(
      run.text == """
        Ann talks to all: Orchestra, piano, drum machine, plain lines
        Ben's piano has sounded: False
        Ben talks to Cyd, Dot to Ann; Ann saw what Ben said to Cyd: False
        a control character of Dot's came to Cyd: False
        Dot read Ben while he was ignored: False
        marks: Ann, Dot and Eve, who came later, have the same
        Fay's Enter starts 60 bpm
        the silence came before the check was done: True
        results of three checks: 2
        on the tape: mark bar mark bar
        lines of Ann Ben Cyd Dot

        """)
  }

  @Test("screens follow a terminal that changes its size, and cost little while they play")
  func resize() {
    let run = ProgramRun(shell: "unshare --net python3 '\(outside("resize.py"))' '\(ProgramRun.folder)'")
    #expect(
      run.text == """
        Orchestra follows 40 x 10, 120 x 40, 60 x 12, 200 x 60, 80 x 24
        piano follows 40 x 10, 120 x 40, 60 x 12, 200 x 60, 80 x 24
        drums follows 40 x 10, 120 x 40, 60 x 12, 200 x 60, 80 x 24
        the room view of 80 x 24 costs less than 2,000 B/s while it plays: True
        the room view of 120 x 40 costs less than 2,000 B/s while it plays: True
        the room view of 200 x 60 costs less than 2,000 B/s while it plays: True
        the stage view of 80 x 24 costs less than 2,000 B/s while it plays: True
        the stage view of 120 x 40 costs less than 2,000 B/s while it plays: True
        the stage view of 200 x 60 costs less than 2,000 B/s while it plays: True

        """)
  }

  @Test("a member with a stopped terminal or an unread pipe stays in the room")
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

  @Test("a member whose disk hangs stays in the room, and ends once its disk has stored everything")
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

  @Test("a log of beats reports a full disk, and the session continues to its end")
  func fullLog() {
    let folder = Scratch()
    let run = ProgramRun(
      shell:
        "unshare --net env XDG_STATE_HOME='\(folder.path)' '\(ProgramRun.folder)/momu' session --conduct "
        + "--log-beats /dev/full --seconds 1")
    #expect(
      run.status == 0 && run.text.contains("/dev/full ends here: No space left on device"), "\(run.text)")
  }

  @Test("a locked room: programs without the passkey cannot hear or disturb it, and each learns why")
  func lockedRoom() {
    let run = ProgramRun(
      shell: "unshare --net python3 '\(outside("locked_room.py"))' '\(ProgramRun.folder)/momu'")
    #expect(
      run.text == """
        Anna: Anna conducts
        Ben: Anna conducts
        Cat: another member has a different passkey for room Lab, so you do not hear each other: compare the passkeys
        Dora: room Lab is locked here: join it with --passkey KEY
        rooms: ['Lab: 1 member', '1 locked room, whose names are hidden', '']
        played again: True
        Ben: no member conducts: the baton is free
        Anna: Ben conducts
        Anna: Ben conducted last, and is not heard
        Ben: Back in room Lab, locked as it was, as Ben: the program was killed there. For another room: --room NAME.
        Ben: Anna conducts
        Anna hears strangers: False
        Ben hears strangers: False
        panic: ['', 'Anna: silent', 'Ben: silent'] 0
        sealed: True shown: []
        open: True shown: []

        """)
  }

  @Test("a locked room: no member can pose as another installation, and copies are noticed")
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
        Ben: a program in this locked room claims another installation's identity: such messages are dropped
        Eve is a member: False
        Ben: Mallory silences the room
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
        Ben: Mallory silences the room
        Ben hears Cleo: []
        Ben: no member conducts: the baton is free

        """)
  }

  @Test("a killed conductor rejoins its room automatically, and no member's beat moves")
  func restart() {
    let run = ProgramRun(
      shell: "unshare --net python3 '\(outside("restart.py"))' '\(ProgramRun.folder)/momu'")
    #expect(
      run.text == """
        Anna: Anna conducts
        Ben: Anna conducts
        again: Back in room Lab as Anna: the program was killed there. For another room: --room NAME.
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

  /// Whether a program's start can be delayed: the kernel has fanotify, and the test may use it.
  static let canHoldPrograms =
    ProgramRun(shell: "unshare --net python3 '\(outside("slow_program.py"))' --can").status == 0

  @Test(
    "a member stays in the room while systemd-inhibit is slow to start",
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

  /// Whether systemd's logind, a bus for it and the right to run it in its own system are available.
  static let hasLogind =
    ProgramRun(
      shell:
        "test -x /lib/systemd/systemd-logind && command -v dbus-daemon systemd-inhibit && unshare --mount true"
    ).status == 0

  @Test(
    "logind keeps the machine awake only while a rhythm plays, even if the program is killed",
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

  @Test("an unread log of beats does not delay leaving, and a pipe without a reader is refused")
  func unreadLog() {
    let momu = "'\(ProgramRun.folder)/momu' session --room Lab --seconds"
    let full = ProgramRun(
      shell: "unshare --net python3 '\(outside("unread_log.py"))' '\(ProgramRun.folder)/momu'")
    #expect(full.text == "0\n")
    let alone = ProgramRun(shell: "cd $(mktemp -d) && mkfifo log && unshare --net \(momu) 1 --log-beats log")
    #expect(alone.status == 1)
    #expect(alone.text.hasPrefix("cannot write log: no program reads it yet, start its reader first;"))
    let tape = ProgramRun(shell: "cd $(mktemp -d) && mkfifo tape && unshare --net \(momu) 1 --record tape")
    #expect(tape.status == 1)
    #expect(tape.text.hasPrefix("cannot record the session to tape: it is a pipe, and a tape is a file;"))
  }

  @Test("reports that an ID cannot be saved, or that there is no network, and what to do")
  func nothingKept() {
    let run = ProgramRun(
      shell:
        "unshare --net env -u XDG_STATE_HOME HOME=/proc DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nowhere "
        + "'\(ProgramRun.folder)/momu' session --seconds 4 2>&1")
    #expect(
      run.text.contains("this installation's identity cannot be saved (/proc/.local/state/momu/session: "))
    #expect(run.text.contains("set XDG_STATE_HOME to a folder that you can write to\n"))
    #expect(run.text.contains("this machine has no network address: "))
  }

  @Test("refuses a room's name that is not a single line")
  func controls() {
    let run = ProgramRun(
      shell: "'\(ProgramRun.folder)/momu' session --seconds 1 --room \"$(printf 'a\\nb')\" 2>&1")
    #expect(run.status == 1)
    #expect(run.text.hasPrefix("\"a\\nb\" is not a valid room name: "))
  }

  @Test("reports to users that there is no room, and to scripts by the exit status")
  func noRoom() {
    let run = ProgramRun(
      shell:
        "unshare --net env DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nowhere '\(ProgramRun.folder)/momu' session rooms lab"
    )
    #expect(run.status == 1)
    #expect(
      run.text.hasPrefix(
        "no room with \"lab\" in its name found: check that a member is in it, on this network (momu doctor shows what "
          + "may block it)\n"))
  }

  @Test("thirty-line programs in Python and ChucK follow the beat")
  func followers() {
    let run = ProgramRun(
      shell: "unshare --net python3 '\(outside("followers.py"))' '\(ProgramRun.folder)/momu'")
    #expect(run.text == "True True {'240'}\nTrue True {'240'}\n")
  }
}
