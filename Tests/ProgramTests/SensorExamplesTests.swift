import Glibc
import MoMu
import MoTesting
import Testing

/// Renders an example from a tape that a Python script made.
struct TapedExample {
  private let folder = Scratch()
  private let program: String

  /// - Parameter lines: the lines for `readings.py`.
  init(_ program: String, _ lines: [String]) {
    self.program = program
    let made = ProgramRun(
      shell: "python3 '\(outside("readings.py"))' '\(folder.path)/t.osc' <<'END'\n"
        + lines.joined(separator: "\n") + "\nEND\n")
    #expect(made.status == 0, "\(made.text)")
  }

  /// Runs the example to a file; `before` is a shell prefix.
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

  /// The onsets found by aubio, in seconds.
  func onsets(_ file: String = "a.wav") -> [Double] {
    let run = ProgramRun(shell: "aubioonset -i '\(path(file))'")
    #expect(run.status == 0, "aubioonset is needed: sudo apt-get install aubio-tools")
    return run.lines.compactMap { Double($0) }
  }

  /// Returns the median pitch found by aubio in a time range in seconds, in Hz; nil for none.
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
  /// Returns one channel's samples in a time range in seconds.
  func samples(_ from: Double, _ to: Double, channel: Int = 0) -> [Float] {
    (Int(from * sampleRate)..<min(frames, Int(to * sampleRate))).map { self[$0, channel] }
  }

  func rms(_ from: Double, _ to: Double, channel: Int = 0) -> Double {
    AudioMeasures.rms(samples(from, to, channel: channel))
  }

  /// Returns the amplitude of the sine at a frequency.
  func strength(_ frequency: Double, _ from: Double, _ to: Double) -> Double {
    let samples = samples(from, to)
    var (cosine, sine, weights) = (0.0, 0.0, 0.0)
    for (index, sample) in samples.enumerated() {
      let turn = 2 * Double.pi * Double(index)
      // A Hann window, so that neighbouring frequencies do not count.
      let weight = 0.5 - 0.5 * Glibc.cos(turn / Double(samples.count))
      cosine += weight * Double(sample) * Glibc.cos(turn * frequency / sampleRate)
      sine += weight * Double(sample) * Glibc.sin(turn * frequency / sampleRate)
      weights += weight
    }
    return 2 * (cosine * cosine + sine * sine).squareRoot() / weights
  }
}

@Suite("The program TouchTheremin")
struct TouchThereminTests {
  private func touch(_ time: Double, _ id: Int, _ x: Double, _ y: Double, _ phase: Int) -> String {
    "\(time) /momu/touch iffffffii \(id) \(x) \(y) 1 0 0 0 \(phase) 0"
  }

  /// Three octaves from C3, as in the example's header.
  private func frequency(_ x: Double) -> Double { 440 * pow(2, (48 + 36 * x - 69) / 12) }

  @Test("across, the finger sets the pitch within a fifth of a semitone; up, the loudness")
  func follows() throws {
    var lines = [touch(0.5, 1, 0.25, 0.8, 0)]
    // A second at rest, a second of movement, a second at rest; then up.
    for step in 0...100 {
      lines.append(touch(1.5 + Double(step) / 100, 1, 0.25 + 0.5 * Double(step) / 100, 0.8, 1))
    }
    lines += [touch(3.5, 1, 0.75, 0.1, 1), touch(4.5, 1, 0.75, 0.1, 2)]
    let theremin = TapedExample("TouchTheremin", lines)
    let run = theremin.run("--touch", "--check-realtime")
    // Under a sanitizer the real-time check covers less, and reports how much.
    #expect(run.status == 0 && (run.text.isEmpty || !RealTimeCheck.isAvailable), "\(run.text)")
    func cents(_ heard: Double?, _ wanted: Double) -> Double { abs(1200 * log2((heard ?? 1) / wanted)) }
    #expect(cents(theremin.pitch(0.8, 1.4), frequency(0.25)) < 20)
    #expect(cents(theremin.pitch(2.8, 3.4), frequency(0.75)) < 20)
    // During the movement: 18 semitones per second, averaged by aubio over 85 ms, with a glide delay of 15
    // ms.
    #expect(cents(theremin.pitch(1.95, 2.05), frequency(0.5)) < 200)
    let sound = try theremin.sound()
    #expect(sound.samples(0, 0.5).allSatisfy { $0 == 0 })
    #expect(sound.rms(3.8, 4.4) > 3 * sound.rms(2.8, 3.4))
    // No clicks at the beginning or while it grows louder: the maximum slope of both sines is 0.04 per
    // sample.
    let whole = sound.samples(0.4, 5)
    #expect(zip(whole, whole.dropFirst()).allSatisfy { abs($0 - $1) < 0.08 })
    #expect(sound.samples(5.5, 6.4).allSatisfy { $0 == 0 })
  }

  @Test("each finger has its own voice, and the others continue when one is lifted")
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

  @Test("without devices a simulated finger plays, with the same bytes each time")
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

@Suite("The program CompassDrone")
struct CompassDroneTests {
  /// Two seconds in each of the four directions, at fifty readings per second.
  private var round: [String] {
    (0..<400).map { "\(Double($0) / 50) /momu/compass fff \(90 * ($0 / 100)) nan 2" }
  }

  @Test(
    "turning moves the drone around: front centre, left facing east, dark behind, right facing west"
  )
  func turns() throws {
    let drone = TapedExample("CompassDrone", round)
    let run = drone.run("--compass", "--check-realtime")
    // Under a sanitizer the real-time check covers less, and reports how much.
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
    /// The frequency of a sine with the same slope.
    func brightness(_ from: Double) -> Double {
      let samples = sound.samples(from, from + 1)
      let slopes = zip(samples, samples.dropFirst()).map { $1 - $0 }
      return AudioMeasures.rms(slopes) / AudioMeasures.rms(samples) * sound.sampleRate / (2 * .pi)
    }
    #expect(brightness(0.5) > 2 * brightness(4.5))
    // The chord stays the same, with its root at the same pitch.
    for from in [0.5, 2.5, 4.5] { #expect(sound.strength(110, from, from + 1) > 0.005, "\(from)") }
  }

  @Test("with one output channel, the drone sounds in every direction")
  func mono() throws {
    let drone = TapedExample("CompassDrone", round)
    let run = drone.run("--compass", "--channels 1")
    #expect(run.status == 0, "\(run.text)")
    let sound = try drone.sound()
    #expect(sound.channels == 1)
    for from in [0.5, 2.5, 4.5, 6.5] { #expect(sound.rms(from, from + 1) > 0.005, "\(from)") }
  }

  @Test("a true heading takes precedence over a magnetic one")
  func trueNorth() throws {
    let drone = TapedExample("CompassDrone", (0..<100).map { "\(Double($0) / 50) /momu/compass fff 0 90 2" })
    #expect(drone.run("--compass").status == 0)
    let sound = try drone.sound()
    #expect(sound.rms(0.5, 1.5, channel: 1) < sound.rms(0.5, 1.5) / 1000)
  }

  @Test("without devices a simulated player turns once in ten seconds")
  func alone() throws {
    let folder = Scratch()
    let run = ProgramRun(
      "CompassDrone", "--offline --seconds 10 --quiet --audio wav:'\(folder.path)/a.wav' --check-realtime")
    #expect(run.status == 0, "\(run.text)")
    let sound = try SoundBuffer("\(folder.path)/a.wav")
    #expect(sound.rms(2.4, 2.6) > 5 * sound.rms(2.4, 2.6, channel: 1))
    #expect(sound.rms(7.4, 7.6, channel: 1) > 5 * sound.rms(7.4, 7.6))
  }

  @Test("an unknown compass is refused, with a list of the known ones")
  func wrong() {
    let run = ProgramRun("CompassDrone", "--compass needle --audio none --offline --seconds 1 --quiet")
    #expect(run.status == 1)
    #expect(
      run.text == "unknown source \"needle\" for --compass: use fused, keys, net, sim:turn or tape:FILE\n")
  }
}

@Suite("The program PadSampler")
struct PadSamplerTests {
  private func presses(_ names: [String]) -> [String] {
    names.enumerated().flatMap { index, name in
      let time = 0.5 + 0.8 * Double(index)
      return ["\(time) /momu/button si \(name) 1", "\(time + 0.1) /momu/button si \(name) 0"]
    }
  }

  @Test("each pad sounds once when it is pressed, and not when it is released")
  func onsets() {
    let names = ["BTN_SOUTH", "BTN_EAST", "BTN_WEST", "BTN_TL", "KEY_J", "KEY_K"]
    let pads = TapedExample("PadSampler", presses(names))
    let run = pads.run("--buttons", "--check-realtime")
    // Under a sanitizer the real-time check covers less, and reports how much.
    #expect(run.status == 0 && (run.text.isEmpty || !RealTimeCheck.isAvailable), "\(run.text)")
    let heard = pads.onsets()
    for index in names.indices {
      let time = 0.5 + 0.8 * Double(index)
      #expect(heard.filter { abs($0 - time) < 0.05 }.count == 1, "\(names[index]) among \(heard)")
    }
    #expect(heard.count == names.count, "\(heard)")
  }

  @Test("ten pads of a game controller play ten different sounds")
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

  @Test("sounds from files fill the pads in order, and drums fill the rest")
  func files() throws {
    let pads = TapedExample("PadSampler", presses(["BTN_SOUTH", "BTN_EAST", "BTN_WEST"]))
    let made = ProgramRun(
      shell: "mkdir '\(pads.path("kit"))' && cd '\(pads.path("kit"))' && "
        + "sox -n -r 48000 kick.wav synth 0.3 sine 1000 gain -6 && sox -n -r 48000 snare.wav synth 0.3 sine 3000 gain -6"
    )
    #expect(made.status == 0, "sox is needed: sudo apt-get install sox; \(made.text)")
    #expect(pads.run("--kit '\(pads.path("kit"))' --buttons").status == 0)
    let sound = try pads.sound()
    #expect(sound.strength(1000, 0.55, 0.75) > 0.2 && sound.strength(3000, 0.55, 0.75) < 0.001)
    #expect(sound.strength(3000, 1.35, 1.55) > 0.2 && sound.strength(1000, 1.35, 1.55) < 0.001)
    // The third is the kit's hi-hat.
    #expect(sound.rms(2.1, 2.2) > 0.003)
    #expect(sound.strength(1000, 2.1, 2.3) < 0.01 && sound.strength(3000, 2.1, 2.3) < 0.05)
  }

  @Test("in a terminal its keys are pads, and each typed key counts once")
  func keys() {
    let folder = Scratch()
    let tape = "\(folder.path)/k.osc"
    // Until all four are released, which a busy machine does late; a key counted twice would show at the
    // end.
    let taped = "grep -ao 'KEY_[A-Z]*' '\(tape)'"
    let run = ProgramRun(
      shell: "python3 '\(outside("typed.py"))' --until \"test \\$(\(taped) | wc -l) -ge 8\" 'as;q' "
        + "'\(ProgramRun.folder)/PadSampler' --audio virtual --buttons keys --record-tape '\(tape)'")
    #expect(run.status == 0, "\(run.text)")
    let names = ProgramRun(shell: taped).lines
    // Pressed in the order in which they were typed, and released later.
    #expect(names.prefix(4) == ["KEY_A", "KEY_S", "KEY_SEMICOLON", "KEY_Q"], "\(names)")
    #expect(names.count == 8, "\(names)")
  }

  @Test("without a terminal, keys are refused with what to do")
  func noTerminal() {
    let run = ProgramRun("PadSampler", "--buttons keys --audio virtual --seconds 1 --quiet </dev/null")
    #expect(run.status == 1)
    #expect(
      run.text
        == "--buttons keys needs a terminal: start the program in one, or use --buttons sim:steps\n"
    )
  }
}

@Suite("The program GestureScope")
struct GestureScopeTests {
  private let folder = Scratch()

  @Test("lists each shake on a tape once, at its time, and none for noise", arguments: 1...4)
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

  @Test("in a terminal it draws a moving curve for each feature")
  func draws() throws {
    let run = ProgramRun(
      shell:
        "python3 '\(outside("typed.py"))' --screens '' '\(ProgramRun.folder)/GestureScope' --accel sim:shake --seconds 2"
    )
    #expect(run.status == 0, "\(run.text)")
    // Each drawing overwrites the last, and begins with its first row.
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
