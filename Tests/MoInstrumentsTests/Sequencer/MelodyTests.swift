import MoCore
import MoDSP
import MoInstruments
import MoOSC
import MoTesting
import Testing

@Suite("Melodies", .everyOutputPath)
struct MelodyTests {
  private static let tune = Melody(
    beats: 4,
    [
      .init(beat: 0, length: 0.5, pitch: 60, velocity: 0.8),
      .init(beat: 1, length: 1, pitch: 64, velocity: 0.5),
      .init(beat: 2.5, length: 1, pitch: 67, velocity: 1),
    ])

  @Test("survives encoding and decoding, and fits one datagram when full")
  func message() throws {
    var random = TestRandom(seed: 5)
    var melody = Melody(beats: 16)
    while melody.count < Melody.capacity {
      melody.add(
        .init(
          beat: .random(in: 0..<16, using: &random), length: .random(in: 0.1...2, using: &random),
          pitch: .random(in: 0...127, using: &random), velocity: .random(in: 0.1...1, using: &random)))
    }
    let isTaken = melody.add(.init(beat: 0, length: 1, pitch: 60))
    #expect(!isTaken)
    let bytes = try melody.message.encoded()
    // Address, type tags and 257 floats, each padded to four bytes.
    #expect(bytes.count == 16 + 260 + 1028)
    #expect(try Melody(OSCMessage(bytes: bytes)) == melody)
    #expect(try Melody(Self.tune.message) == Self.tune)
  }

  @Test("an error says why a message is not a melody")
  func errors() {
    let cases: [(OSCMessage, String)] = [
      (OSCMessage("/note", [4]), "/note is not the address of a melody: send it to /momu/melody"),
      (
        OSCMessage("/momu/melody", [4, 0, 1, 60]),
        "a melody cannot have 4 numbers: send its length in beats, then beat, length, pitch and velocity of each note"
      ),
      (
        OSCMessage("/momu/melody", [4, "C4"]),
        "argument 2 of a melody must be a number: send its length in beats, then beat, length, pitch and velocity of each "
          + "note"
      ),
      (
        OSCMessage("/momu/melody", Array(repeating: 1, count: 401)),
        "a melody of 100 notes is too long: send 64 at most"
      ),
    ]
    for (message, text) in cases {
      let error = #expect(throws: MelodyError.self) { try Melody(message) }
      #expect(error?.description == text)
    }
    #expect(throws: MelodyError.noNumber(place: 1)) { try Melody(OSCMessage("/momu/melody", [.float(.nan)])) }
  }

  @Test("clamps values and leaves out invalid notes")
  func clamps() {
    #expect(
      Melody(beats: 0).beats == 0.25 && Melody(beats: 1e6).beats == 256 && Melody(beats: .nan).beats == 4)
    var melody = Melody(beats: 4)
    for bad in [
      Melody.Event(beat: -1, length: 1, pitch: 60), .init(beat: 4, length: 1, pitch: 60),
      .init(beat: .nan, length: 1, pitch: 60), .init(beat: 0, length: .nan, pitch: 60),
      .init(beat: 0, length: 1, pitch: 200), .init(beat: 0, length: 1, pitch: .nan),
      .init(beat: 0, length: 1, pitch: 60, velocity: 0),
    ] {
      let isTaken = melody.add(bad)
      #expect(!isTaken)
    }
    melody.add(.init(beat: 0, length: 99, pitch: 60, velocity: 5))
    #expect(melody[0] == .init(beat: 0, length: 4, pitch: 60, velocity: 1))
  }

  @Test("equals itself after two reversals, and after transposing up and down")
  func transforms() {
    #expect(Self.tune.reversed().reversed() == Self.tune)
    #expect(Self.tune.reversed()[0].pitch == 67)
    #expect(Self.tune.transposed(by: 5).transposed(by: -5) == Self.tune)
    #expect(Self.tune.transposed(by: 61).count == 2)
  }

  @Test("contains what was played from its beginning, quantised to the grid")
  func records() {
    var recorder = MelodyRecorder(beats: 4, from: 8)
    recorder.noteOn(60, velocity: 0.8, beat: 7.99)
    recorder.noteOff(60, beat: 8.5)
    recorder.noteOn(64, velocity: 0.5, beat: 8.93)
    recorder.noteOn(67, velocity: 0.5, beat: 13.4)
    recorder.noteOff(64, beat: 9.9)
    #expect(recorder.count == 3)
    let melody = recorder.melody(quantised: Quantiser())
    #expect(melody.count == 3)
    #expect((0..<3).map { melody[$0].pitch } == [60, 64, 67])
    #expect((0..<3).map { melody[$0].beat } == [0, 1, 1.5])
    // A note held at the end lasts until then.
    #expect(abs(melody[2].length - 2.6) < 1e-5)
  }

  @Test(
    "sounds at its exact frames, round after round, in blocks of any length", arguments: [1, 64, 512, 999])
  func loops(block: Int) {
    let rig = BeatRig(tempo: 120)
    var loop = MelodyLoop(Self.tune)
    rig.rhythm.start()
    var heard: [(Int64, Float, Bool)] = []
    rig.run(frames: 240_000, block: block) { block in
      while let (frame, event) = loop.next(in: block, of: rig.rhythm.beat) {
        switch event {
        case .noteOn(let note): heard.append((block.position + Int64(frame), note.pitch, true))
        case .noteOff(let note): heard.append((block.position + Int64(frame), note.pitch, false))
        default: break
        }
      }
    }
    // A beat is 24,000 frames, a round 96,000.
    var expected: [(Int64, Float, Bool)] = []
    for round in [Int64(0), 96_000, 192_000] {
      expected += [
        (round, 60, true), (round + 12_000, 60, false), (round + 24_000, 64, true),
        (round + 48_000, 64, false),
        (round + 60_000, 67, true), (round + 84_000, 67, false),
      ]
    }
    expected = expected.filter { $0.0 < 240_000 }
    #expect(heard.count == expected.count)
    for (one, other) in zip(heard, expected) { #expect(one == other) }
  }

  @Test("a note quantised past the end by more than a round still begins the melody")
  func shortRounds() {
    let melody = Melody(beats: 0.25, [.init(beat: 0.2, length: 0.1, pitch: 60)])
    let drawn = melody.quantised(by: Quantiser(stepsPerBeat: 1))
    #expect(drawn.count == 1 && drawn[0].beat == 0)
  }

  @Test("begins no note whose end it cannot store")
  func crowd() {
    let rig = BeatRig(tempo: 120)
    func melody(from beat: Float) -> Melody {
      Melody(beats: 4, (0..<64).map { .init(beat: beat, length: 4, pitch: Float($0)) })
    }
    var loop = MelodyLoop(melody(from: 3))
    rig.rhythm.start()
    var held: Set<Int32> = []
    func run(_ frames: Int64) {
      rig.run(frames: frames, block: 512) { block in
        while let (_, event) = loop.next(in: block, of: rig.rhythm.beat) {
          switch event {
          case .noteOn(let note): held.insert(note.id)
          case .noteOff(let note): held.remove(note.id)
          default: break
          }
        }
      }
    }
    run(90_000)
    #expect(held.count == 64)
    loop.melody = melody(from: 0)
    run(50_000)
    #expect(held.count == 64)
    rig.rhythm.stop()
    run(200)
    #expect(held.isEmpty)
  }

  @Test("ends sounding notes when the rhythm stops, and plays a new melody from the next round")
  func ends() {
    let rig = BeatRig(tempo: 120)
    var loop = MelodyLoop(Melody(beats: 1, [.init(beat: 0, length: 0.9, pitch: 50)]))
    rig.rhythm.start()
    var pitches: [Float] = []
    var held = 0
    func run(_ frames: Int64) {
      rig.run(frames: frames, block: 100) { block in
        while let (_, event) = loop.next(in: block, of: rig.rhythm.beat) {
          switch event {
          case .noteOn(let note):
            pitches.append(note.pitch)
            held += 1
          case .noteOff: held -= 1
          default: break
          }
        }
      }
    }
    run(30_000)
    loop.melody = Self.tune
    run(30_000)
    #expect(pitches == [50, 50, 60])
    #expect(held == 1)
    rig.rhythm.stop()
    run(200)
    #expect(held == 0)
    loop.melody = nil
    rig.rhythm.start()
    run(100_000)
    #expect(pitches.count == 3 && held == 0)
  }
}
