import MoCore
import MoDSP
import MoInstruments
import MoTesting
import Testing

@Suite("The band")
struct BandTests {
  /// A band alone on a bus that follows a rhythm.
  private struct Harness {
    let rig: BeatRig
    let bus = InstrumentBus(sampleRate: 48_000, lookAhead: 0)
    let band: InstrumentHandle

    init(_ settings: [String: Float] = [:], seed: UInt64 = 5, tempo: Double = 120) throws {
      rig = BeatRig(tempo: tempo)
      bus.follow { [rhythm = rig.rhythm] in rhythm.beat }
      band = try bus.add(Band(seed: seed))
      for (name, value) in settings { try band.set(name, to: value) }
    }

    func record(bars: Double, block: Int = 512) -> [Float] {
      rig.record(bus, seconds: bars * 2, block: block)
    }
  }

  private static let alone: [String: Float] = ["drums": 0, "bass": 0, "guitar": 0, "keys": 0]

  @Test("is silent until a rhythm runs, and stops when the rhythm ends", .everyOutputPath)
  func rhythm() throws {
    let harness = try Harness()
    #expect(AudioMeasures.peak(harness.record(bars: 1)) == 0)
    harness.rig.rhythm.start()
    #expect(AudioMeasures.peak(harness.record(bars: 2)) > 0.05)
    harness.rig.rhythm.stop()
    _ = harness.record(bars: 4)
    #expect(AudioMeasures.peak(harness.record(bars: 1)) == 0)
  }

  @Test(
    "passes on what it plays: drums, bass, guitar and keys, heard on the rhythm's sixteenths",
    .everyOutputPath)
  func madeNotes() throws {
    let harness = try Harness(["style": 4, "activity": 0.8])
    let made = try #require(harness.band.slot.madeNotes)
    _ = harness.record(bars: 1)
    #expect(made.pop().map { _ in 0 } == nil)
    made.open()
    harness.rig.rhythm.start()
    var notes: [MadeNote] = []
    for _ in 0..<16 {
      _ = harness.record(bars: 0.25)
      while let note = made.pop() { notes.append(note) }
    }
    #expect(notes.count > 100)
    let beat = harness.rig.rhythm.beat
    for note in notes {
      let sixteenth = try #require(beat.beat(at: note.time)) * 4
      #expect(abs(sixteenth - sixteenth.rounded()) < 0.001)
    }
    #expect(Set(notes.map(\.part)) == [nil, 0, 1, 2])
    // General MIDI's percussion map, and a bass below the others.
    #expect(notes.filter { $0.part == nil }.allSatisfy { (35...59).contains($0.key) })
    #expect(notes.filter { $0.part == 0 }.allSatisfy { $0.key < 60 })
  }

  @Test("renders the same bits for a seed in blocks of any length, and other bits for another seed")
  func seeds() throws {
    func take(seed: UInt64, block: Int) throws -> [Float] {
      let harness = try Harness(["style": 1, "activity": 0.7], seed: seed)
      harness.rig.rhythm.start()
      return harness.record(bars: 4, block: block)
    }
    let take5 = try take(seed: 5, block: 512)
    #expect(try take(seed: 5, block: 64) == take5)
    #expect(try take(seed: 5, block: 1) == take5)
    #expect(try take(seed: 6, block: 512) != take5)
  }

  @Test("every style is audible, finite and below −1 dBFS, at every activity", arguments: 0..<5)
  func styles(style: Int) throws {
    for activity in [Float(0), 1] {
      let harness = try Harness(["style": Float(style), "activity": activity, "loudness": 1])
      harness.rig.rhythm.start()
      let sound = harness.record(bars: 5)
      #expect(AudioMeasures.isFinite(sound))
      #expect(AudioMeasures.peak(sound) <= 0.8913)
      #expect(AudioMeasures.rms(sound) > 0.01)
      let mean = sound.reduce(0.0) { $0 + Double($1) } / Double(sound.count)
      #expect(abs(mean) < 1e-4)
    }
  }

  @Test("each part has its own switch and volume", arguments: ["drums", "bass", "guitar", "keys"])
  func parts(name: String) throws {
    let volume = [
      "drums": "drum-volume", "bass": "bass-volume", "guitar": "guitar-volume", "keys": "key-volume",
    ][name]!
    func level(_ settings: [String: Float]) throws -> Double {
      let harness = try Harness(Self.alone.merging(settings) { $1 }.merging(["activity": 0.6]) { $1 })
      // Volumes glide to their new value.
      _ = harness.record(bars: 0.1)
      harness.rig.rhythm.start()
      return AudioMeasures.rms(harness.record(bars: 2))
    }
    #expect(try level([:]) == 0)
    let loud = try level([name: 1, volume: 1])
    #expect(loud > 0.005)
    #expect(abs(try level([name: 1, volume: 0.5]) / loud - 0.5) < 0.1)
    #expect(try level([name: 1, volume: 0]) == 0)
  }

  @Test("more activity plays more strokes, and never fewer in any part", arguments: 0..<5)
  func busier(index: Int) {
    let style = Style.all[index]
    let parts: [(Style.Pattern, Groove.Layer)] = [
      (style.drums[0], .kick), (style.drums[1], .snare), (style.drums[2], .hat), (style.drums[3], .openHat),
      (style.drums[4], .colour), (style.bass, .bass), (style.guitar, .guitar), (style.keys, .keys),
    ]
    for bar in 1...8 {
      var before = Set<Int>()
      var calm = 0
      for activity in 0...127 {
        let groove = Groove(seed: 9, bar: bar, complexity: Complexity(Float(activity) / 127))
        var now = Set<Int>()
        for (part, (pattern, layer)) in parts.enumerated() {
          for step in 0..<16 {
            let force = groove.force(pattern, step, layer)
            if force > 0, force <= 1 { now.insert(part * 16 + step) }
          }
        }
        #expect(now.isSuperset(of: before))
        if activity == 0 { calm = now.count }
        if activity == 127 { #expect(calm >= 8 && now.count > calm * 3 / 2) }
        before = now
      }
    }
  }

  @Test("a change of activity waits for the bar line, and moves by one level per bar", .everyOutputPath)
  func bars() throws {
    func take(_ frame: Int64?) throws -> [Float] {
      let harness = try Harness(["activity": 0])
      harness.rig.rhythm.start()
      var sound: [Float] = []
      var frame = frame
      harness.rig.run(frames: 4 * 96_000) { block in
        if let moment = frame, block.position >= moment {
          _ = try? harness.band.set("activity", to: 1)
          frame = nil
        }
        harness.bus.render(&block)
        for frame in block.frames { sound.append(block[frame, 0]) }
      }
      return sound
    }
    let calm = try take(nil)
    let wild = try take(110_000)
    #expect(calm[..<192_000] == wild[..<192_000])
    #expect(calm[192_000..<200_000] != wild[192_000..<200_000])
    // At any place in the bar.
    #expect(try take(180_000) == wild)
  }

  @Test("the guitar's lowest string is in tune: a semitone below the bass's lowest open octave, 58.3 Hz")
  func lowest() {
    var string = GuitarString(seed: 3)
    string.prepare(sampleRate: 48_000)
    string.pluck(34, 0.8, after: 0, isShort: false)
    var sound: [Float] = []
    for _ in 0..<48_000 { sound.append(string.tick()) }
    let found = AudioMeasures.strongest(near: 58.27, in: sound[4800...], sampleRate: 48_000)
    #expect(abs(AudioMeasures.cents(found, above: 58.2705)) < 10)
  }

  @Test("a band that joins late plays as the others once the activity has stayed constant for five bars")
  func late() {
    for from in [Float(0), 0.4, 1] {
      for to in [Float(0), 0.5, 1] {
        var there = Complexity(from)
        for _ in 0..<4 { there = there.next(to) }
        let late = Complexity(to)
        #expect(there == late)
        let (one, other) = (
          Groove(seed: 4, bar: 9, complexity: there.next(to), after: there),
          Groove(seed: 4, bar: 9, complexity: late.next(to), after: late)
        )
        #expect(one.complexity == other.complexity && one.rises == other.rises)
      }
    }
  }

  @Test("complexity moves by one level per bar at most, and NaN counts as 0")
  func complexity() {
    var complexity = Complexity(0)
    #expect(complexity.level == 1)
    var levels: [Int] = []
    for activity in [Float(1), 1, 1, 1, 1, 0, 0, 0, 0, 0] {
      complexity = complexity.next(activity)
      levels.append(complexity.level)
    }
    #expect(levels == [2, 3, 4, 5, 5, 4, 3, 2, 1, 1])
    #expect(
      Complexity(.nan) == Complexity(0) && Complexity(-4) == Complexity(0) && Complexity(9) == Complexity(1))
    let all = (0...127).map { Complexity(Float($0) / 127).level }
    #expect(all == all.sorted() && Set(all) == [1, 2, 3, 4, 5])
  }
}
