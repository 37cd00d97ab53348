import MoTesting
import Testing

/// Programs on sound servers that run without a card, each with its own bus and settings.
///
/// Serial, because a machine that plays several of them at the same time is late in all.
@Suite("Real sound servers", .serialized)
struct LiveSoundTests {
  /// Whether a scenario's servers are installed; prints those that are missing.
  private static func run(_ scenario: String) throws {
    let run = ProgramRun(
      shell: "python3 '\(outside("live_sound.py"))' '\(ProgramRun.folder)' \(scenario) </dev/null")
    if run.status == 77 { try Test.cancel("\(run.text)") }
    #expect(run.status == 0 && run.lines.last == "well", "\(run.text)")
    print(run.text, terminator: "")
  }

  @Test(
    "play every click of a program, spaced to the frame, within the reported latency",
    arguments: ["pipewire-default", "pipewire-jack", "pulse-default", "jack-jack"])
  func clicks(_ scenario: String) throws { try Self.run(scenario) }

  @Test("play a stroke on the beat within 20 ms of the click, not a sixteenth late")
  func onTheBeat() throws { try Self.run("on-the-beat") }

  @Test(
    "keep the spacing of strokes to a millisecond",
    arguments: ["pipewire-evenly", "jack-evenly"])
  func spacing(_ scenario: String) throws { try Self.run(scenario) }

  @Test(
    "play every hit of ShakeDrum with the spacing of the shakes on its tape",
    arguments: ["pipewire-shakedrum", "jack-shakedrum"])
  func shakeDrum(_ scenario: String) throws { try Self.run(scenario) }

  @Test("a missing server gives an error that says what to start")
  func noServer() throws { try Self.run("no-server") }

  @Test(
    "a missing libjack gives an error that names its package",
    .enabled(if: ProgramRun(shell: "unshare --mount true").status == 0, "needs root's mounts"))
  func noLibrary() throws { try Self.run("no-library") }

  @Test("set the sample rate of a program, and refuse a program that asks for another rate")
  func otherRate() throws { try Self.run("other-rate") }

  @Test("play blocks of any length, whatever their own period")
  func otherBlock() throws { try Self.run("other-block") }

  @Test("a program keeps playing while its server is gone, and plays on the server again when it returns")
  func returns() throws { try Self.run("returns") }

  @Test("the queue to the server grows after an underrun")
  func grows() throws { try Self.run("pipewire-grows") }

  @Test("appear in the lists of devices, with their output devices")
  func lists() throws { try Self.run("lists") }
}

@Suite("Real-time rights", .serialized)
struct RealTimeRightsTests {
  /// A user without rights, on a bus with a stand-in for rtkit that allows a time in microseconds.
  private func run(_ allowed: Int) -> ProgramRun {
    ProgramRun(
      shell: """
        python3 '\(outside("rtkit.py"))' \(allowed) sh -c 'ulimit -r 0; \
        exec setpriv --bounding-set=-sys_nice --inh-caps=-sys_nice \
        "\(ProgramRun.folder)/SoundProbe" --audio virtual --quiet --seconds 2.5'
        """)
  }

  @Test(
    "come from rtkit if the limits give none: for a process with bounded run time, at a low priority",
    .enabled(
      if: ProgramRun(shell: "test $(id -u) = 0 && chrt -f 4 true").status == 0, "needs root's right to grant")
  )
  func granted() {
    let run = run(200_000)
    #expect(run.text.contains("asked 4 100000 200000\ngranted 4\n"), "\(run.text)")
    #expect(run.text.contains("rights=real-time priority 4, by rtkit"), "\(run.text)")
  }

  @Test(
    "are reported as missing if no service grants them, with the command to type",
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
