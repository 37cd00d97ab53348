import MoMu
import MoTesting
import Testing

@Suite("Messages to the user")
struct MisbehaveTests {
  private let folder = Scratch()

  private func misbehave(_ how: String, _ arguments: String) -> ProgramRun {
    ProgramRun("Misbehave", arguments, before: "export MISBEHAVE=\(how);")
  }

  @Test("a thrown error prints its own text, with status 1")
  func thrown() {
    let run = misbehave("throw", "--audio virtual")
    #expect(run.status == 1)
    #expect(run.text == "the tuning fork is missing: buy one\n")
  }

  @Test("a second start is refused")
  func twice() {
    let run = misbehave("twice", "--audio virtual")
    #expect(run.status == 1)
    #expect(run.text == "MoAudio is already running: call MoAudio.stop() before you start it again\n")
  }

  @Test("NaN becomes silence in the file")
  func notANumber() {
    let run = misbehave("nan", "--audio wav:'\(folder.path)/n.wav' --offline --seconds 1 --quiet")
    #expect(run.status == 0)
    let wav = Wav("\(folder.path)/n.wav")
    #expect(wav.frames == 48_000)
    #expect(abs(wav.peak - 0.5) < 1e-6)
  }

  @Test(
    "--check-realtime stops an allocating callback and names its line",
    .enabled(if: RealTimeCheck.isAvailable, "a sanitizer owns the calls"))
  func allocates() {
    let run = misbehave("allocate", "--audio virtual --offline --seconds 1 --check-realtime")
    #expect(run.status == 1)
    #expect(run.lines.contains { $0.hasPrefix("malloc was called in the audio callback: ") })
    #expect(run.text.contains("Misbehave/main.swift:"))
  }

  @Test(
    "--check-realtime says at the end how many blocks ran without a violation",
    .enabled(if: RealTimeCheck.isAvailable, "a sanitizer owns the calls"))
  func clean() {
    let run = misbehave("", "--audio virtual --block 480 --offline --seconds 1 --check-realtime")
    #expect(run.status == 0)
    #expect(run.lines.last?.hasPrefix("The audio callback ran 100 blocks without ") == true, "\(run.text)")
  }

  @Test(
    "--check-realtime reports at the start what an older kernel cannot check, also with --quiet",
    .enabled(if: RealTimeCheck.isAvailable, "a sanitizer owns the calls"))
  func olderKernel() {
    let run = ProgramRun(
      shell:
        "python3 '\(outside("old_kernel.py"))' '\(ProgramRun.folder)/Misbehave' --audio virtual --offline "
        + "--seconds 1 --check-realtime --quiet")
    #expect(run.status == 0)
    #expect(
      run.text
        == "The C library's calls are checked; system calls made past it need Linux 5.11 on x86-64.\n")
  }

  @Test("reports a full disk, and the written part can be played")
  func fullDisk() {
    let path = "\(folder.path)/full.wav"
    let run = ProgramRun(
      "Misbehave", "--audio wav:'\(path)' --offline --seconds 10 --quiet", before: "ulimit -f 200;")
    #expect(run.status == 1)
    #expect(
      run.text
        == "cannot write \(path): the file has reached the largest size allowed here (ulimit -f); the part written "
        + "so far can be played\n")
    let wav = Wav(path)
    #expect(wav.frames > 15_000 && wav.frames < 35_000)
    #expect(abs(wav.peak - 0.5) < 1e-6)
  }

  @Test("Ctrl-C fades out and completes the file", arguments: ["INT", "TERM"])
  func interrupted(signal: String) {
    let path = "\(folder.path)/stopped.wav"
    // It is stopped as soon as its file has grown, at any speed.
    let run = ProgramRun(
      shell: "python3 '\(outside("stop.py"))' '\(path)' \(signal) "
        + "'\(ProgramRun.folder)/Misbehave' --audio wav:'\(path)' --quiet")
    #expect(run.text == "status 0\n")
    let wav = Wav(path)
    #expect(wav.frames > 10_000)
    #expect(abs(wav.peak - 0.5) < 1e-6)
    #expect(wav.last == 0)
  }

  @Test("the second Ctrl-C stops a body that never returns")
  func neverReturns() {
    let path = "\(folder.path)/busy.wav"
    let run = ProgramRun(
      shell: "export MISBEHAVE=busy; python3 '\(outside("stop.py"))' '\(path)' INT,INT "
        + "'\(ProgramRun.folder)/Misbehave' --audio wav:'\(path)' --quiet")
    #expect(run.text == "status 130\n")
  }

  @Test("--help and --list-devices print their text, and wrong options are refused")
  func options() {
    let help = ProgramRun("Misbehave", "--help")
    #expect(help.status == 0)
    #expect(help.lines.first == "Does one thing wrong.")
    for option in [
      "--audio", "--accel", "--seconds", "--offline", "--seed", "--record-tape", "--check-realtime",
      "--list-devices", "--quiet", "--help",
    ] { #expect(help.text.contains("  \(option) ")) }
    let list = ProgramRun("Misbehave", "--list-devices")
    #expect(list.status == 0)
    #expect(list.text.contains("virtual") && list.text.contains("sim:shake"))
    let wrong = ProgramRun("Misbehave", "--sed 1")
    #expect(wrong.status == 1)
    #expect(wrong.text == "unknown option --sed: did you mean --seed? --help lists all options\n")
    let endless = ProgramRun("Misbehave", "--offline --audio virtual")
    #expect(endless.status == 1)
    #expect(
      endless.text
        == "--offline needs an end: add --seconds SECONDS, or play a tape with --accel tape:FILE, which ends by itself\n"
    )
    let card = ProgramRun("Misbehave", "--offline --audio hw:0 --seconds 1")
    #expect(
      card.text
        == "--offline cannot play through \"hw:0\": use --audio wav:out.wav to write a file, or --audio virtual for "
        + "none\n")
  }

  @Test("an environment variable and the configuration file work as the option does")
  func variables() {
    let home = folder.path
    let run = ProgramRun(
      "Misbehave", "--seconds 1",
      before: """
        mkdir -p '\(home)/momu'; echo '{"offline": true, "quiet": true}' > '\(home)/momu/config.json';
        export XDG_CONFIG_HOME='\(home)' MOMU_AUDIO='wav:\(home)/v.wav';
        """)
    #expect(run.status == 0, "\(run.text)")
    #expect(Wav("\(home)/v.wav").frames == 48_000)
    let stranger = ProgramRun(
      "Misbehave", "--seconds 1",
      before: "echo '{\"volume\": 11}' > '\(home)/momu/config.json'; export XDG_CONFIG_HOME='\(home)';")
    #expect(stranger.status == 1)
    #expect(
      stranger.text == "\(home)/momu/config.json cannot be used: it sets \"volume\", which is not an option\n"
    )
  }
}
