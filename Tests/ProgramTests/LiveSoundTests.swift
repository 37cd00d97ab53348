import MoTesting
import Testing

/// Programs on servers that run without a card, each with a bus and settings of its own.
///
/// Serial: a machine that plays in several places at once is late in all of them.
@Suite("Real sound servers", .serialized)
struct LiveSoundTests {
  /// Whether a scenario's servers are here; what is missing is shown where it is not.
  private static func run(_ scenario: String) throws {
    let run = ProgramRun(
      shell: "python3 '\(outside("live_sound.py"))' '\(ProgramRun.folder)' \(scenario) </dev/null")
    if run.status == 77 { try Test.cancel("\(run.text)") }
    #expect(run.status == 0 && run.lines.last == "well", "\(run.text)")
    print(run.text, terminator: "")
  }

  @Test(
    "hear every click of a program, spaced to the frame, and no later than it says",
    arguments: ["pipewire-default", "pipewire-jack", "pulse-default", "jack-jack"])
  func clicks(_ scenario: String) throws { try Self.run(scenario) }

  @Test("hear a stroke that is on the beat within 20 ms of the click, not a sixteenth late")
  func onTheBeat() throws { try Self.run("on-the-beat") }

  @Test(
    "hear strokes as far apart as they were played, to a millisecond",
    arguments: ["pipewire-evenly", "jack-evenly"])
  func spacing(_ scenario: String) throws { try Self.run(scenario) }

  @Test(
    "hear every hit of ShakeDrum, as far apart as the shakes on its tape",
    arguments: ["pipewire-shakedrum", "jack-shakedrum"])
  func shakeDrum(_ scenario: String) throws { try Self.run(scenario) }

  @Test("are asked for by name: without one, the text says what to start")
  func noServer() throws { try Self.run("no-server") }

  @Test(
    "need libjack, and the text says which package has it",
    .enabled(if: ProgramRun(shell: "unshare --mount true").status == 0, "needs root's mounts"))
  func noLibrary() throws { try Self.run("no-library") }

  @Test("set the rate of a program that asked for none, and refuse one that did, with a text")
  func otherRate() throws { try Self.run("other-rate") }

  @Test("play blocks of any length, whatever their own period")
  func otherBlock() throws { try Self.run("other-block") }

  @Test(
    "may end while a program plays, which plays on when they are back",
    arguments: ["jack-returns", "pipewire-returns", "pipewire-jack-returns", "pulse-returns"])
  func returns(_ scenario: String) throws { try Self.run(scenario) }

  @Test("have the queue towards them grow where an underrun shows that it is too short")
  func grows() throws { try Self.run("pipewire-grows") }

  @Test("are named in the lists of devices, with what they play on")
  func lists() throws { try Self.run("lists") }
}

@Suite("Real-time rights", .serialized)
struct RealTimeRightsTests {
  /// A user without any right of its own, on a bus where a stand-in for rtkit allows a time in microseconds.
  private func run(_ allowed: Int) -> ProgramRun {
    ProgramRun(
      shell: """
        python3 '\(outside("rtkit.py"))' \(allowed) sh -c 'ulimit -r 0; \
        exec setpriv --bounding-set=-sys_nice --inh-caps=-sys_nice \
        "\(ProgramRun.folder)/SoundProbe" --audio virtual --quiet --seconds 2.5'
        """)
  }

  @Test(
    "come from rtkit where the limits give none: a process that bounds its run, a small priority",
    .enabled(
      if: ProgramRun(shell: "test $(id -u) = 0 && chrt -f 4 true").status == 0, "needs root's right to grant")
  )
  func granted() {
    let run = run(200_000)
    #expect(run.text.contains("asked 4 100000 200000\ngranted 4\n"), "\(run.text)")
    #expect(run.text.contains("rights=real-time priority 4, by rtkit"), "\(run.text)")
  }

  @Test(
    "are reported missing if no service grants them, with what to type",
    .enabled(if: ProgramRun(shell: "test $(id -u) = 0").status == 0, "needs root to give its rights up"))
  func refused() {
    let run = ProgramRun(
      shell: """
        DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent; export DBUS_SYSTEM_BUS_ADDRESS; ulimit -r 0
        exec setpriv --bounding-set=-sys_nice --inh-caps=-sys_nice \
        '\(ProgramRun.folder)/SoundProbe' --audio virtual --quiet --seconds 2.5
        """)
    #expect(run.text.contains("rights=no real-time priority"), "\(run.text)")
  }
}
