import MoMu
import MoTesting
import Testing

@Suite("momu run", .serialized)
struct RunTests {
  /// The text of `hum.swift`: an instrument that sounds forever.
  static let hum = """
    import MoInstruments

    struct Hum: Instrument {
      static let sheet = InstrumentInfo(name: "hum", summary: "a tone that never ends")
      private var tone = Sine(frequency: 220)
      init(seed: UInt64?) {}
      mutating func prepare(sampleRate: Double, blockFrames: Int) { tone.prepare(sampleRate: sampleRate) }
      mutating func handle(_ event: InstrumentEvent, _ controls: Controls<NoControl>) {}
      mutating func render(_ block: inout AudioBlock, _ controls: Controls<NoControl>) {
        for frame in block.frames { block[frame] = 0.3 * tone.tick() }
      }
    }
    """

  /// Runs a line of shell in a folder with `hum.swift` and its caches; returns the output and the sound of `a.wav`.
  private func run(_ line: String) -> (run: ProgramRun, sound: [Float]) {
    var sound: [Float] = []
    let folder = Scratch()
    let run = folder.run(
      """
      export XDG_CACHE_HOME=$PWD/caches
      cat >hum.swift <<'end'
      \(Self.hum)
      end
      \(line)
      """)
    if let file = try? SoundBuffer(folder.file("a.wav")) { sound = (0..<file.frames).map { file[$0] } }
    return (run, sound)
  }

  /// Runs a line as `run` does, and repeats the run if the machine stalled.
  ///
  /// The card that writes the file leaves late frames silent. After three runs with such frames, the last one counts.
  private func undisturbed(_ line: String) -> (run: ProgramRun, sound: [Float]) {
    for _ in 0..<2 {
      let (run, sound) = run(line)
      let frames = sound.dropFirst(begin(sound)).dropLast(4800)
      if run.status != 0 || frames.count(where: { $0 == 0 }) < 64 { return (run, sound) }
    }
    return run(line)
  }

  @Test("plays the instrument of a file and removes its build files")
  func plays() throws {
    let (run, sound) = run(
      "momu run hum.swift --offline --seconds 1 --audio wav:a.wav --quiet && find caches/momu -type f")
    #expect(run.text == "")
    #expect(run.status == 0)
    #expect(sound.count == 48_000)
    let pitch = try #require(AudioMeasures.pitch(sound, sampleRate: 48_000, within: 150...500))
    #expect(abs(pitch - 220) < 0.5)
  }

  @Test("removes the build folder of a killed program, and keeps the folder of each program that still runs")
  func abandoned() {
    // A lock without a process of its number: the program runs on another machine. The folder without the file with
    // the lock is from a program that was killed while it removed the folder.
    let (run, _) = run(
      """
      mkdir -p caches/momu/run/99999999 caches/momu/run/1-2 caches/momu/run/3-4
      touch -d '1 hour ago' caches/momu/run/99999999/file caches/momu/run/1-2/file
      touch -d '1 hour ago' caches/momu/run/3-4/m.so caches/momu/run/3-4
      flock caches/momu/run/99999999/file momu run hum.swift --offline --seconds 1 --quiet; ls caches/momu/run
      """)
    #expect(run.text == "99999999\n")
  }

  @Test("a file that is saved during its build is built again")
  func savedMeanwhile() {
    let (run, sound) = run(
      """
      mkdir bin; real=$(command -v swiftc)
      cat >bin/swiftc <<end
      #!/bin/bash
      [ -e saved ] && exec $real "\\$@"
      $real "\\$@" & compiler=\\$!
      while kill -0 \\$compiler 2>/dev/null; do echo >>hum.swift; sleep 0.01; done
      : >saved
      wait \\$compiler
      end
      chmod +x bin/swiftc
      PATH=$PWD/bin:$PATH momu run hum.swift --offline --seconds 1 --audio wav:a.wav --quiet; echo $?; ls saved
      """)
    #expect(run.text == "0\nsaved\n")
    #expect(sound.count == 48_000)
  }

  @Test("Ctrl-C during the first build also ends the compiler")
  func interrupted() {
    let (run, _) = run(
      """
      mkdir bin
      cat >bin/swiftc <<'end'
      #!/bin/sh
      echo $$ >compiler
      exec sleep 100
      end
      chmod +x bin/swiftc
      cat >interrupt.py <<'end'
      import os, select, signal, subprocess
      momu = subprocess.Popen(["momu", "run", "hum.swift"], start_new_session=True,
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
      while not os.path.exists("compiler") or not open("compiler").read().endswith("\\n"): pass
      compiler = int(open("compiler").read())
      end = os.pidfd_open(compiler)
      os.killpg(momu.pid, signal.SIGINT)
      print("status", momu.wait(), "ended" if select.select([end], [], [], 50)[0] else os.kill(compiler, signal.SIGKILL))
      end
      PATH=$PWD/bin:$PATH python3 interrupt.py
      """)
    #expect(run.text == "status -2 ended\n")
  }

  @Test(
    "--check-realtime names the line of the file that allocates in the audio callback",
    .enabled(if: RealTimeCheck.isAvailable, "a sanitizer owns the calls"))
  func allocates() {
    let (run, _) = run(
      "sed -i 's/private var tone/private var all: [Float] = []; &/; s/block.frame. = 0.3/all.append(0); &/' hum.swift;"
        + " momu run hum.swift --offline --seconds 1 --check-realtime")
    #expect(run.status == 1)
    #expect(run.lines.first?.contains(" was called in the audio callback: ") == true)
    #expect(run.text.contains(/called from: hum.swift:10, in\ /), "\(run.text)")
  }

  @Test("build errors name the user's file and line")
  func syntaxError() {
    let (run, _) = run("sed -i s/tone.tick/ton.tick/ hum.swift; momu run hum.swift --offline --seconds 1")
    #expect(run.lines.first == "hum.swift:10:54: error: cannot find 'ton' in scope")
    #expect(run.status == 1)
  }

  @Test("a file without an instrument, or with a program, gets an error that says what to write")
  func noInstrument() {
    let (run, _) = run(
      """
      echo 'let a = 1' >a.swift; momu run a.swift
      echo 'MoApp.run("a") {}' >a.swift; momu run a.swift
      mkdir -p Examples/Wind; cp a.swift Examples/Wind/main.swift; momu run Examples/Wind/main.swift
      echo 'MoApp.run("a") {}' | cat hum.swift - >b.swift; momu run b.swift
      momu run .
      sed 's/never ends"/&, mapping: "jurk -> strike"/' hum.swift >c.swift; momu run c.swift --offline --seconds 1
      momu run hum.swift --set bright=1 --offline --seconds 1
      PATH=$(dirname $(command -v momu)) momu run hum.swift
      """)
    #expect(
      run.text == """
        a.swift declares no instrument: it needs a type such as struct Bell: Instrument (Docs/YourFirstInstrument.md)
        a.swift is a program, but momu run plays only a file that declares an Instrument: \
        copy it to Examples/NAME/main.swift in MoMu's folder, add NAME to the list examples in Package.swift, \
        and type swift run Examples/NAME
        Examples/Wind/main.swift is a program, but momu run plays only a file that declares an Instrument: \
        type swift run Examples/Wind in MoMu's folder
        b.swift declares an instrument and also starts a program: remove MoApp from it
        . is a folder: name a file in it, such as bell.swift
        the mapping of hum has a mistake, so movement does not play it: line 1: unknown source "jurk": \
        did you mean "jerk"?
        hum has no parameter "bright": it has loudness
        cannot find swiftc: install Swift (https://www.swift.org/install/linux/), or add its folder to PATH

        """)
  }

  @Test("if MoMu's own build is incomplete, an error says how to complete it, and does not blame the file")
  func incompleteBuild() {
    // A copy of the build without a module that the others need, as after a build that was interrupted.
    let (run, _) = run(
      """
      built=$(dirname "$(readlink -f "$(command -v momu)")"); sources=${built%/.build/*}
      mkdir -p own/.build/debug/Modules own/Sources/MoInstruments
      cp "$sources/Package.swift" own/; touch own/Sources/MoInstruments/MoInstruments.swift
      cp "$built/momu" own/.build/debug/; cp -r "$built"/Modules/. own/.build/debug/Modules
      for module in CMoSystem CMoKernels; do cp -r "$built/$module.build" own/.build/debug/; done
      rm -r own/.build/debug/Modules/MoCore.swiftmodule
      own/.build/debug/momu run hum.swift --offline --seconds 1
      """)
    #expect(run.status == 1)
    #expect(run.text.contains("own is incomplete (it may have been interrupted): type make -C "))
    #expect(!run.text.contains("imports no module"))
  }

  /// Returns a script that saves the file each time the program reports the effect of the last save, then ends it.
  ///
  /// Between the saves, it waits for 200,000 bytes of sound, a second or two. Otherwise a fast compiler would finish
  /// before the previous sound has faded in.
  private func edits(_ edits: String, _ options: String = "") -> String {
    """
    mkfifo lines
    momu run --watch hum.swift --audio wav:a.wav --net none \(options) </dev/null >lines 2>&1 & pid=$!
    cp hum.swift first; n=0
    save() { sed "$1" first >hum.swift; }
    size() { stat -c %s a.wav 2>/dev/null || echo 0; }
    play() { end=$(($(size) + 200000)); while [ "$(size)" -lt $end ] && kill -0 $pid; do sleep 0.05; done; }
    while read -r line; do
      echo "$line"
      case $line in *"each time you save it."|*" s after it was saved."|*"The old sound continues."|*"missing or empty"*)
        n=$((n + 1)); play
        case $n in \(edits) *) kill -INT $pid;; esac;;
      esac
    done <lines
    wait $pid
    """
  }

  /// Returns the frame at which the sound has faded in: on a busy machine, it may begin some blocks after the card.
  private func begin(_ sound: [Float]) -> Int { (sound.firstIndex { abs($0) > 0.05 } ?? 0) + 960 }

  @Test("with --watch, a saved file replaces the sound without a gap or click, however an editor saves it")
  func watch() throws {
    let (run, sound) = undisturbed(
      edits(
        """
        1) save s/220/330/;;
        2) save s/220/247/ && cp hum.swift a && mv a hum.swift;;
        3) rm hum.swift && : >hum.swift && save s/220/500/ && save s/220/440/;;
        4) save s/tone.tick/ton.tick/;;
        """))
    #expect(run.status == 0, "\(run.text)")
    #expect(run.lines.count { $0.hasSuffix(" s after it was saved.") } == 3, "\(run.text)")
    try #require(begin(sound) < sound.count - 4800, "\(run.text)")
    // Windows of 20 ms, between the fade-in and the fade-out. Two sounds at half amplitude are 3 dB softer.
    let level = 0.64 * 0.3 / 2.0.squareRoot()
    for start in stride(from: begin(sound), to: sound.count - 4800, by: 960) {
      #expect(AudioMeasures.rms(sound[start..<start + 960]) > 0.5 * level, "at \(Double(start) / 48_000) s")
    }
    // A click bends the curve. 440 Hz at that amplitude bends it by 0.00064, and two sounds at half amplitude no more.
    var bend: Float = 0
    for frame in begin(sound)..<sound.count - 4800 {
      bend = max(bend, abs(sound[frame] - 2 * sound[frame - 1] + sound[frame - 2]))
    }
    #expect(bend < 0.001)
    // A tone lasts for 0.4 s at least: during the cross-fade of a quarter of a second, the mixture has another pitch.
    var tones: [Double] = []
    for start in stride(from: 0, to: sound.count - 4800, by: 4800) {
      let window = Array(sound[start..<start + 4800])
      let pitch = AudioMeasures.pitch(window, sampleRate: 48_000, within: 150...600) ?? 0
      tones.append([220.0, 330, 247, 440, 500].first { abs($0 - pitch) < 0.5 } ?? 0)
    }
    var heard: [Double] = []
    for (index, tone) in tones.enumerated().dropFirst(3)
    where tones[index - 3...index].allSatisfy({ $0 == tone }) && heard.last != tone {
      heard.append(tone)
    }
    #expect(heard == [220, 330, 247, 440])
  }

  @Test("with --watch, the old sound continues while the file does not build or is missing")
  func broken() throws {
    let (run, sound) = run(
      edits(
        """
        1) save s/tone.tick/ton.tick/;;
        2) rm hum.swift;;
        3) save s/220/330/;;
        """))
    #expect(run.status == 0, "\(run.text)")
    #expect(run.text.contains("hum.swift:10:54: error: cannot find 'ton' in scope"))
    #expect(run.text.contains("\nThe old sound continues.\n"))
    #expect(
      run.text.contains("hum.swift is missing or empty: the old sound continues until you save it again.\n"))
    for start in stride(from: begin(sound), to: sound.count - 4800, by: 960) {
      #expect(AudioMeasures.rms(sound[start..<start + 960]) > 0.05, "at \(Double(start) / 48_000) s")
    }
  }

  @Test("with --watch, a new version plays although its mapping file is missing, and the program says so")
  func withoutMapping() {
    let (run, sound) = run(
      "echo 'activity -> loudness' >rules\n" + edits("1) rm rules; save s/220/330/;;", "--mapping rules"))
    #expect(run.status == 0, "\(run.text)")
    #expect(run.lines.count { $0.hasSuffix(" s after it was saved.") } == 1, "\(run.text)")
    #expect(run.text.contains("cannot read the mapping rules: No such file or directory"), "\(run.text)")
    let advice = "hum.swift plays without this input: correct the cause, then save hum.swift again."
    #expect(run.text.contains("\n\(advice)\n"), "\(run.text)")
    #expect(!run.text.contains("The old sound continues."))
    let end = Array(sound.dropLast(4800).suffix(4800))
    let pitch = AudioMeasures.pitch(end, sampleRate: 48_000, within: 150...500)
    #expect(abs((pitch ?? 0) - 330) < 0.5)
  }
}
