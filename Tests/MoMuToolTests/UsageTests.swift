import MoTesting
import Testing

@Suite("momu typed wrong")
struct UsageTests {
  @Test(
    "every mistake has an error text and a status",
    arguments: [
      (
        "docter", 64,
        "momu has no command \"docter\": did you mean doctor? momu --help lists all commands"
      ),
      (
        "xyz", 64,
        "momu has no command \"xyz\", only calibrate, devices, doctor, instruments, midi, new, osc, play, rig, run, scope, "
          + "session, simulate, tape: momu --help explains them"
      ),
      ("bell.swift", 64, "momu has no command \"bell.swift\": to play a file, type momu run bell.swift"),
      (
        "session replay /nowhere.osc", 1,
        "cannot read the tape /nowhere.osc: No such file or directory; to record a session: momu session --record "
          + "/nowhere.osc"
      ),
      (
        "session replay a tone --list", 64,
        "Error: --list prints and does not play: leave it or what is to be played out"
      ),
      (
        "session big-mama --instrument harpp", 1,
        "there is no instrument \"harpp\": did you mean \"harp\"? (momu instruments lists all)"
      ),
      (
        "session big-mama --offline", 64,
        "Error: --offline renders without a room: record one, and momu session replay it"
      ),
      (
        "session --record /nowhere/a.osc --seconds 1", 1,
        "cannot record the session to /nowhere/a.osc: No such file or directory; choose a folder that exists and that you "
          + "can write to"
      ),
      (
        "osc listne", 64,
        "momu osc has no command \"listne\": did you mean listen? momu osc --help lists all commands"
      ),
      (
        "calibrate --clicks 2", 64,
        "Error: The value '2' is invalid for '--clicks <N>': must be a whole number from 3 to 99"
      ),
      (
        "calibrate --distance near", 64,
        "Error: The value 'near' is invalid for '--distance <CM>': must be 0 to 1000 centimetres, such as 30"
      ),
      ("play", 64, "Error: Missing expected argument '<INSTRUMENT>'"),
      ("play tne", 1, "there is no instrument \"tne\": did you mean \"tone\"? (momu instruments lists all)"),
      (
        "play stk-bars", 1,
        "there is no instrument \"stk-bars\" in this build: for the instruments of the Synthesis ToolKit, type "
          + "sudo apt install libstk-dev stk, then swift run --traits STK momu play stk-bars"
      ),
      ("simulate --seconds 1e9", 64, "Error: --seconds must be at most 86400, a day"),
      ("simulate --members 0", 64, "Error: --members must be 1 to 500"),
      ("play theremin", 1, "there is no instrument \"theremin\": momu instruments lists all"),
      (
        "instruments tones", 1,
        "there is no instrument \"tones\": did you mean \"tone\"? (momu instruments lists all)"
      ),
      (
        "play tone --set colour=1", 1,
        "tone has no parameter \"colour\": it has brightness, softness, loudness"
      ),
      (
        "play tone --set brightness=much", 64,
        "Error: The value 'brightness=much' is invalid for '--set <NAME=VALUE>': must be NAME=NUMBER, such "
          + "as brightness=0.8"
      ),
      (
        "play tone --tempo 5", 64,
        "Error: The value '5' is invalid for '--tempo <BPM>': must be 20 to 999 beats per minute"
      ),
      (
        "play tone --tape a --accel keys", 64,
        "Error: --tape FILE is short for --accel tape:FILE: type only one of them"
      ),
      (
        "play tone --notes 200", 1,
        "cannot read \"200\" in the notes \"200\": write notes such as C4, F#3 or Bb5, chords as C4+E4+G4, and - for a "
          + "rest"
      ),
      (
        "play tone --mapping /nowhere/a --offline --seconds 1", 1,
        "cannot read the mapping /nowhere/a: No such file or directory"
      ),
      (
        "play tone --offline", 1,
        "--offline needs an end: add --seconds SECONDS, or play a tape with --accel tape:FILE, which ends by itself"
      ),
      // No file or tape with these names exists: the option's value is checked first.
      (
        "play tone --rate fast", 64,
        "Error: --rate is \"fast\", but must be a whole number of frames per second from 4000 to 768000, "
          + "such as 48000"
      ),
      (
        "run /nowhere.swift --block 1", 64,
        "Error: --block is \"1\", but must be a whole number of frames from 16 to 8192, such as 256"
      ),
      (
        "session replay /nowhere.osc --trim late", 64,
        "Error: --trim is \"late\", but must be a number of milliseconds from -1000 to 1000, such as 12.5"
      ),
      (
        "session big-mama --seconds 0", 64,
        "Error: --seconds is \"0\", but must be a number of seconds above 0, such as 10 or 0.5"
      ),
      (
        "session gestures --seconds 0", 64,
        "Error: --seconds is \"0\", but must be a number of seconds above 0, such as 10 or 0.5"
      ),
      (
        "session --conductor-only 0", 64,
        "Error: --conductor-only is \"0\", but must be an installation's ID of up to 16 hexadecimal digits"
      ),
      (
        "scope accel --seconds 0", 64,
        "Error: The value '0' is invalid for '--seconds <SECONDS>': must be a number of seconds above 0, "
          + "such as 10 or 0.5"
      ),
      ("play tone --view big", 64, "Error: --view is \"big\", but must be room or stage"),
      ("new", 64, "Error: Missing expected argument '<NAME>'"),
      ("run", 64, "Error: Missing expected argument '<FILE>'"),
      (
        "run a.swift --watch --offline", 64,
        "Error: --offline renders faster than you can save: leave out --watch or --offline"
      ),
      ("run /nowhere.swift", 1, "cannot read /nowhere.swift: No such file or directory"),
      (
        "run /dev/null", 1,
        "/dev/null declares no instrument: it needs a type such as struct Bell: Instrument "
          + "(Docs/YourFirstInstrument.md)"
      ),
      ("doctor --prot 3", 64, "Error: Unknown option '--prot'. Did you mean '--port'?"),
      (
        "doctor --port 0", 64,
        "Error: The value '0' is invalid for '--port <PORT>': must be a whole number from 1 to 65535"
      ),
      (
        "osc listen --count 0", 64,
        "Error: The value '0' is invalid for '--count <N>': must be a whole number from 1"
      ),
      ("osc ping", 64, "Error: Missing expected argument '<HOST[:PORT]>'"),
      (
        "osc ping --interval 0 x", 64,
        "Error: The value '0' is invalid for '--interval <SECONDS>': must be 0.001 to 60 seconds, such as 0.1"
      ),
      (
        "osc replay --speed 0 a b", 64,
        "Error: The value '0' is invalid for '--speed <FACTOR>': must be a number above 0, such as 2 or 0.5"
      ),
      (
        "osc replay /nowhere.osc localhost:9", 1,
        "cannot read the tape /nowhere.osc: No such file or directory; to record one: momu osc record /nowhere.osc"
      ),
      (
        "osc record --port 47120 /nowhere/x.osc", 1,
        "cannot create the tape /nowhere/x.osc: No such file or directory; choose a folder that exists and that you can "
          + "write to"
      ),
      (
        "rig /nowhere.conf", 1,
        "/nowhere.conf: it cannot be read: No such file or directory; momu rig --example prints an example"
      ),
      (
        "rig --example a.conf", 64, "Error: --example cannot be combined with other arguments"
      ),
      ("rig --check --seconds 3", 64, "Error: --check cannot be combined with --seconds"),
      (
        "doctor --limits --json", 64,
        "Error: --udev-rule and --limits each print a file: type one of them alone"
      ),
      (
        "tape inpect a", 64,
        "momu tape has no command \"inpect\": did you mean inspect? momu tape --help lists all commands"
      ),
      ("scope", 64, "Error: Missing expected argument '<SOURCE> ...'"),
      ("osc send --types if localhost:9 /a 1", 1, "the types if need 2 values, but 1 is given"),
      ("osc send localhost:9 a", 1, "cannot be sent as OSC: the address 'a' does not begin with '/'"),
      (
        "osc send nobody.invalid:9 /a", 1,
        "unknown host nobody.invalid: check the spelling, or use the address that 'hostname -I' prints on that machine"
      ),
      (
        "osc send localhost /a", 1,
        "\"localhost\" is not a target: the port is missing; type 192.168.0.5:8888, name.local:8888, broadcast:8888, "
          + "224.0.1.9:8888 or tcp:192.168.0.5:8888"
      ),
    ])
  func mistakes(arguments: String, status: Int32, text: String) {
    let run = ProgramRun("momu", arguments)
    #expect(run.lines.first.map(String.init) == text)
    #expect(run.status == status)
  }

  @Test(
    "a value may be negative, with a space or with =",
    arguments: ["--trim -5", "--trim=-5", "--midi-trim -5"])
  func negative(option: String) {
    let run = ProgramRun("momu", "play tone \(option) --offline --seconds 0.1 --audio virtual --quiet")
    #expect(run.status == 0, "\(run.text)")
  }

  @Test("a full disk is an error, and a pipe that its reader has closed is none")
  func unwritable() {
    let full = ProgramRun("momu", "instruments >/dev/full; echo status $?")
    #expect(
      full.text == """
        cannot write to standard output: No space left on device; choose a file that you can write to, on a disk \
        with free space
        status 1

        """)
    let closed = ProgramRun("momu", "instruments; echo status $? >&2) | true", before: "(")
    #expect(closed.text == "status 0\n")
  }

  @Test("a wrong variable is reported once")
  func wrongVariable() {
    let run = ProgramRun("momu", "play tone --offline --seconds 0.1 --audio none", before: "MOMU_SEED=x")
    #expect(run.text == "MOMU_SEED is \"x\", but must be a whole number from 0, such as 1\n")
    #expect(run.status == 1)
  }

  @Test("send reports that no program listens")
  func nobodyListens() {
    let run = ProgramRun(
      shell: """
        for n in $(seq 100); do
          text=$('\(ProgramRun.folder)/momu' osc send 127.0.0.1:9 /a 2>&1); status=$?
          [ $status = 0 ] || { echo "$text"; echo status $status; break; }
        done
        """)
    #expect(
      run.text == """
        no program listens at 127.0.0.1:9: is the program there running, and is the port right?
        status 1

        """)
  }

  @Test("names the program that uses a taken port")
  func portTaken() {
    let run = ProgramRun(
      alone: """
        oscdump 47121 & peer=$!; trap 'kill $peer' EXIT; until grep -q ":B811 " /proc/net/udp; do :; done
        '\(ProgramRun.folder)/momu' osc listen --port 47121; echo status $?
        """)
    #expect(
      run.text == """
        port 47121 is taken by oscdump: close it, or listen on another port with --port 47122 (momu doctor \
        --port 47121 shows which program has it)
        status 1

        """)
  }
}
