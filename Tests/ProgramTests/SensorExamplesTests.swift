import Glibc
import MoMu
import MoTesting
import Testing

/// An example rendered from readings on a tape that Python made.
struct TapedExample {
  private let folder = Scratch()
  private let program: String

  /// - Parameter lines: of `readings.py`.
  init(_ program: String, _ lines: [String]) {
    self.program = program
    let made = ProgramRun(
      shell: "python3 '\(outside("readings.py"))' '\(folder.path)/t.osc' <<'END'\n"
        + lines.joined(separator: "\n") + "\nEND\n")
    #expect(made.status == 0, "\(made.text)")
  }

  /// Runs it to a file; `before` is what the shell does first.
  func run(_ option: String, to file: String = "a.wav", _ more: String = "", before: String = "")
    -> ProgramRun
  {
    ProgramRun(
      program,
      "\(option) tape:'\(folder.path)/t.osc' --audio wav:'\(folder.path)/\(file)' --offline --seed 1",
      "--quiet", more, before: before)
  }

  func path(_ file: String) -> String { "\(folder.path)/\(file)" }

  func sound(_ file: String = "a.wav") throws -> SoundBuffer { try SoundBuffer(path(file)) }

  /// Onsets by aubio, in seconds.
  func onsets(_ file: String = "a.wav") -> [Double] {
    let run = ProgramRun(shell: "aubioonset -i '\(path(file))'")
    #expect(run.status == 0, "aubioonset is needed: sudo apt-get install aubio-tools")
    return run.lines.compactMap { Double($0) }
  }

  /// The median of the pitches that aubio hears from one second to another, in Hz; nil where it hears none.
  func pitch(_ from: Double, _ to: Double, _ file: String = "a.wav") -> Double? {
    let run = ProgramRun(shell: "aubiopitch -p yinfft -B 4096 -H 512 -i '\(path(file))'")
    #expect(run.status == 0, "aubiopitch is needed: sudo apt-get install aubio-tools")
    let heard = run.lines.compactMap { line -> Double? in
      let words = line.split(separator: " ").compactMap { Double($0) }
      return words.count == 2 && (from...to).contains(words[0]) && words[1] > 0 ? words[1] : nil
    }.sorted()
    return heard.isEmpty ? nil : heard[heard.count / 2]
  }
}

extension SoundBuffer {
  /// One channel's samples from one second to another.
  func samples(_ from: Double, _ to: Double, channel: Int = 0) -> [Float] {
    (Int(from * sampleRate)..<min(frames, Int(to * sampleRate))).map { self[$0, channel] }
  }

  func rms(_ from: Double, _ to: Double, channel: Int = 0) -> Double {
    AudioMeasures.rms(samples(from, to, channel: channel))
  }

  /// How strong a frequency is, as the amplitude of its sine.
  func strength(_ frequency: Double, _ from: Double, _ to: Double) -> Double {
    let samples = samples(from, to)
    var (cosine, sine, weights) = (0.0, 0.0, 0.0)
    for (index, sample) in samples.enumerated() {
      let turn = 2 * Double.pi * Double(index)
      // Hann's window, so that neighbours do not count.
      let weight = 0.5 - 0.5 * Glibc.cos(turn / Double(samples.count))
      cosine += weight * Double(sample) * Glibc.cos(turn * frequency / sampleRate)
      sine += weight * Double(sample) * Glibc.sin(turn * frequency / sampleRate)
      weights += weight
    }
    return 2 * (cosine * cosine + sine * sine).squareRoot() / weights
  }
}

@Suite("TouchTheremin, as a program")
struct TouchThereminTests {
  private func touch(_ time: Double, _ id: Int, _ x: Double, _ y: Double, _ phase: Int) -> String {
    "\(time) /momu/touch iffffffii \(id) \(x) \(y) 1 0 0 0 \(phase) 0"
  }

  /// Three octaves from C3, as the example's header has it.
  private func frequency(_ x: Double) -> Double { 440 * pow(2, (48 + 36 * x - 69) / 12) }

  @Test("the pitch follows the finger across, within a fifth of a semitone, and the loudness up")
  func follows() throws {
    var lines = [touch(0.5, 1, 0.25, 0.8, 0)]
    // A second where it is, a second on the way, a second there; then up.
    for step in 0...100 {
      lines.append(touch(1.5 + Double(step) / 100, 1, 0.25 + 0.5 * Double(step) / 100, 0.8, 1))
    }
    lines += [touch(3.5, 1, 0.75, 0.1, 1), touch(4.5, 1, 0.75, 0.1, 2)]
    let theremin = TapedExample("TouchTheremin", lines)
    let run = theremin.run("--touch", "--check-realtime")
    // The real-time check says how much of it a sanitizer leaves to it.
    #expect(run.status == 0 && (run.text.isEmpty || !RealTimeCheck.isAvailable), "\(run.text)")
    func cents(_ heard: Double?, _ wanted: Double) -> Double { abs(1200 * log2((heard ?? 1) / wanted)) }
    #expect(cents(theremin.pitch(0.8, 1.4), frequency(0.25)) < 20)
    #expect(cents(theremin.pitch(2.8, 3.4), frequency(0.75)) < 20)
    // On the way: 18 semitones in a second, heard by aubio over 85 ms, and it glides behind by 15 ms.
    #expect(cents(theremin.pitch(1.95, 2.05), frequency(0.5)) < 200)
    let sound = try theremin.sound()
    #expect(sound.samples(0, 0.5).allSatisfy { $0 == 0 })
    #expect(sound.rms(3.8, 4.4) > 3 * sound.rms(2.8, 3.4))
    // Nothing clicks, neither at its beginning nor where it grows louder: the steepest of both sines is 0.04 a sample.
    let whole = sound.samples(0.4, 5)
    #expect(zip(whole, whole.dropFirst()).allSatisfy { abs($0 - $1) < 0.08 })
    #expect(sound.samples(5.5, 6.4).allSatisfy { $0 == 0 })
  }

  @Test("each finger is a voice of its own, and the others sing on when one is lifted")
  func chord() throws {
    let places = [0.25, 0.4, 0.6]
    var lines = places.enumerated().map {
      touch(0.2 + 0.1 * Double($0.offset), $0.offset + 1, $0.element, 0.2, 0)
    }
    lines += [
      touch(2, 2, places[1], 0.2, 2), touch(3.5, 1, places[0], 0.2, 2), touch(3.5, 3, places[2], 0.2, 2),
    ]
    let theremin = TapedExample("TouchTheremin", lines)
    #expect(theremin.run("--touch").status == 0)
    let sound = try theremin.sound()
    for (index, place) in places.enumerated() {
      #expect(sound.strength(frequency(place), 0.8, 1.8) > 0.1, "finger \(index + 1)")
    }
    #expect(sound.strength(frequency(0.33), 0.8, 1.8) < 0.01)
    #expect(sound.strength(frequency(places[1]), 2.4, 3.4) < 0.001)
    #expect(sound.strength(frequency(places[0]), 2.4, 3.4) > 0.1)
    #expect(sound.strength(frequency(places[2]), 2.4, 3.4) > 0.1)
  }

  @Test("with nothing attached a simulated finger plays, the same bytes again")
  func alone() {
    let folder = Scratch()
    for file in ["a.wav", "b.wav"] {
      let run = ProgramRun(
        "TouchTheremin", "--offline --seconds 5 --quiet --audio wav:'\(folder.path)/\(file)' --check-realtime"
      )
      #expect(run.status == 0, "\(run.text)")
    }
    #expect(ProgramRun(shell: "cmp '\(folder.path)/a.wav' '\(folder.path)/b.wav'").status == 0)
    let wav = Wav("\(folder.path)/a.wav")
    #expect(wav.frames == 240_000 && wav.peak > 0.05 && wav.peak < 0.9)
  }
}

@Suite("CompassDrone, as a program")
struct CompassDroneTests {
  /// Two seconds towards each of the four winds, fifty readings a second.
  private var round: [String] {
    (0..<400).map { "\(Double($0) / 50) /momu/compass fff \(90 * ($0 / 100)) nan 2" }
  }

  @Test(
    "it goes round: before you in the middle, at your left facing east, behind you dark, at your right facing west"
  )
  func turns() throws {
    let drone = TapedExample("CompassDrone", round)
    let run = drone.run("--compass", "--check-realtime")
    // The real-time check says how much of it a sanitizer leaves to it.
    #expect(run.status == 0 && (run.text.isEmpty || !RealTimeCheck.isAvailable), "\(run.text)")
    let sound = try drone.sound()
    func sides(_ from: Double) -> (left: Double, right: Double) {
      (sound.rms(from, from + 1), sound.rms(from, from + 1, channel: 1))
    }
    let (north, east, south, west) = (sides(0.5), sides(2.5), sides(4.5), sides(6.5))
    #expect(north.left > 0.02 && abs(north.left / north.right - 1) < 0.01)
    #expect(abs(south.left / south.right - 1) < 0.01)
    #expect(east.left > 0.02 && east.right < east.left / 1000)
    #expect(west.right > 0.02 && west.left < west.right / 1000)
    /// The frequency of a sine that is as steep.
    func brightness(_ from: Double) -> Double {
      let samples = sound.samples(from, from + 1)
      let slopes = zip(samples, samples.dropFirst()).map { $1 - $0 }
      return AudioMeasures.rms(slopes) / AudioMeasures.rms(samples) * sound.sampleRate / (2 * .pi)
    }
    #expect(brightness(0.5) > 2 * brightness(4.5))
    // It is a drone: the chord stays, its root where it was.
    for from in [0.5, 2.5, 4.5] { #expect(sound.strength(110, from, from + 1) > 0.005, "\(from)") }
  }

  @Test("a true heading goes before a magnetic one")
  func trueNorth() throws {
    let drone = TapedExample("CompassDrone", (0..<100).map { "\(Double($0) / 50) /momu/compass fff 0 90 2" })
    #expect(drone.run("--compass").status == 0)
    let sound = try drone.sound()
    #expect(sound.rms(0.5, 1.5, channel: 1) < sound.rms(0.5, 1.5) / 1000)
  }

  @Test("with nothing attached a simulated player turns: once round in ten seconds")
  func alone() throws {
    let folder = Scratch()
    let run = ProgramRun(
      "CompassDrone", "--offline --seconds 10 --quiet --audio wav:'\(folder.path)/a.wav' --check-realtime")
    #expect(run.status == 0, "\(run.text)")
    let sound = try SoundBuffer("\(folder.path)/a.wav")
    #expect(sound.rms(2.4, 2.6) > 5 * sound.rms(2.4, 2.6, channel: 1))
    #expect(sound.rms(7.4, 7.6, channel: 1) > 5 * sound.rms(7.4, 7.6))
  }

  @Test("a compass that there is not is refused, with those that there are")
  func wrong() {
    let run = ProgramRun("CompassDrone", "--compass needle --audio none --offline --seconds 1 --quiet")
    #expect(run.status == 1)
    #expect(
      run.text == "unknown source \"needle\" for --compass: use fused, keys, net, sim:turn or tape:FILE\n")
  }
}

@Suite("PadSampler, as a program")
struct PadSamplerTests {
  private func presses(_ names: [String]) -> [String] {
    names.enumerated().flatMap { index, name in
      let time = 0.5 + 0.8 * Double(index)
      return ["\(time) /momu/button si \(name) 1", "\(time + 0.1) /momu/button si \(name) 0"]
    }
  }

  @Test("each pad has an onset of its own when it is pressed, and none when it is let go")
  func onsets() {
    let names = ["BTN_SOUTH", "BTN_EAST", "BTN_WEST", "BTN_TL", "KEY_J", "KEY_K"]
    let pads = TapedExample("PadSampler", presses(names))
    let run = pads.run("--buttons", "--check-realtime")
    // The real-time check says how much of it a sanitizer leaves to it.
    #expect(run.status == 0 && (run.text.isEmpty || !RealTimeCheck.isAvailable), "\(run.text)")
    let heard = pads.onsets()
    for index in names.indices {
      let time = 0.5 + 0.8 * Double(index)
      #expect(heard.filter { abs($0 - time) < 0.05 }.count == 1, "\(names[index]) among \(heard)")
    }
    #expect(heard.count == names.count, "\(heard)")
  }

  @Test("ten pads of a game controller are ten sounds, no two of them alike")
  func sounds() throws {
    let names = [
      "BTN_SOUTH", "BTN_EAST", "BTN_WEST", "BTN_NORTH", "BTN_TL", "BTN_TR", "BTN_TL2", "BTN_TR2",
      "BTN_DPAD_UP",
      "BTN_DPAD_RIGHT",
    ]
    let pads = TapedExample(
      "PadSampler",
      names.enumerated().map { "\(0.5 + 7 * Double($0.offset)) /momu/button si \($0.element) 1" })
    #expect(pads.run("--buttons").status == 0)
    let sound = try pads.sound()
    let strokes = names.indices.map { index in
      let start = 0.5 + 7 * Double(index)
      return sound.samples(start, start + 0.3)
    }
    for one in names.indices {
      #expect(AudioMeasures.rms(strokes[one]) > 0.003, "\(names[one])")
      for other in names.indices.dropFirst(one + 1) {
        let alike = zip(strokes[one], strokes[other]).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
        let sizes = AudioMeasures.rms(strokes[one]) * AudioMeasures.rms(strokes[other])
        #expect(alike / Double(strokes[one].count) < 0.7 * sizes, "\(names[one]) and \(names[other])")
      }
    }
  }

  @Test("sounds of files take the pads in their order, and the drums the rest")
  func files() throws {
    let pads = TapedExample("PadSampler", presses(["BTN_SOUTH", "BTN_EAST", "BTN_WEST"]))
    let made = ProgramRun(
      shell: "mkdir '\(pads.path("kit"))' && cd '\(pads.path("kit"))' && "
        + "sox -n -r 48000 kick.wav synth 0.3 sine 1000 gain -6 && sox -n -r 48000 snare.wav synth 0.3 sine 3000 gain -6"
    )
    #expect(made.status == 0, "sox is needed: sudo apt-get install sox; \(made.text)")
    #expect(pads.run("--buttons", before: "PADS_KIT='\(pads.path("kit"))'").status == 0)
    let sound = try pads.sound()
    #expect(sound.strength(1000, 0.55, 0.75) > 0.2 && sound.strength(3000, 0.55, 0.75) < 0.001)
    #expect(sound.strength(3000, 1.35, 1.55) > 0.2 && sound.strength(1000, 1.35, 1.55) < 0.001)
    // The third is the kit's hat.
    #expect(sound.rms(2.1, 2.2) > 0.003)
    #expect(sound.strength(1000, 2.1, 2.3) < 0.01 && sound.strength(3000, 2.1, 2.3) < 0.05)
  }

  @Test("in a terminal its keys are pads, each typed once")
  func keys() {
    let folder = Scratch()
    let tape = "\(folder.path)/k.osc"
    // Until all four are let go, which a busy machine does late; a key typed twice is seen at the end.
    let taped = "grep -ao 'KEY_[A-Z]*' '\(tape)'"
    let run = ProgramRun(
      shell: "python3 '\(outside("typed.py"))' --until \"test \\$(\(taped) | wc -l) -ge 8\" 'as;q' "
        + "'\(ProgramRun.folder)/PadSampler' --audio virtual --buttons keys --record-tape '\(tape)'")
    #expect(run.status == 0, "\(run.text)")
    let names = ProgramRun(shell: taped).lines
    // Pressed in the order in which they were typed; released later.
    #expect(names.prefix(4) == ["KEY_A", "KEY_S", "KEY_SEMICOLON", "KEY_Q"], "\(names)")
    #expect(names.count == 8, "\(names)")
  }

  @Test("without a terminal keys are refused, with what to do")
  func noTerminal() {
    let run = ProgramRun("PadSampler", "--buttons keys --audio virtual --seconds 1 --quiet </dev/null")
    #expect(run.status == 1)
    #expect(
      run.text
        == "--buttons keys needs a terminal to type in: start the program in one, or use --buttons sim:steps\n"
    )
  }
}

@Suite("GestureScope, as a program")
struct GestureScopeTests {
  private let folder = Scratch()

  @Test("it lists a tape's shakes at their moments, each once, and of mere noise none", arguments: 1...4)
  func lists(seed: Int) throws {
    func gestures(_ kind: String) -> ([Double], [Double]) {
      let made = ProgramRun(shell: "python3 '\(outside("tape.py"))' '\(folder.path)/t.osc' \(kind) \(seed)")
      let run = ProgramRun("GestureScope", "--accel tape:'\(folder.path)/t.osc' --offline")
      #expect(run.status == 0, "\(run.text)")
      let strikes = run.lines.filter { $0.contains("strike") }.compactMap { line in
        line.split(separator: " ").first.flatMap { Double($0) }
      }
      return (made.text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }, strikes)
    }
    let (shakes, strikes) = gestures("shakes")
    try #require(shakes.count >= 6)
    #expect(strikes.count == shakes.count, "\(strikes) for \(shakes)")
    for shake in shakes { #expect(strikes.contains { $0 - shake > -0.02 && $0 - shake < 0.06 }, "\(shake)") }
    #expect(gestures("noise").1.isEmpty)
  }

  @Test("in a terminal it draws a curve for each feature, and they move")
  func draws() throws {
    let run = ProgramRun(
      shell:
        "python3 '\(outside("typed.py"))' --screens '' '\(ProgramRun.folder)/GestureScope' --accel sim:shake --seconds 2"
    )
    #expect(run.status == 0, "\(run.text)")
    // Pictures are drawn over each other: each begins with its first row.
    let pictures = run.text.split(separator: "activity ")
    try #require(pictures.count > 2, "\(run.text)")
    let last = pictures[pictures.count - 1]
    for row in ["energy, g²", "pitch (top up), °", "roll (right), °", "strike", "tap"] {
      #expect(last.contains(row))
    }
    let curve = last.prefix { $0 != "\n" }
    #expect(curve.contains { "▁▂▃▄▅▆▇█".contains($0) }, "\(curve)")
    #expect(run.text.contains("strike 0.") || run.text.contains("strike 1."), "\(run.text)")
  }
}
