import MoDSP
import MoInstruments
import Testing

@Suite("Voices")
struct VoicesTests {
  /// A constant level while its note sounds: 1 per unit of velocity.
  struct Steady: NoteVoice {
    var value: Float = 0
    var pitch: Float = 0
    var isSounding: Bool { value > 0 }
    var level: Float { value }
    mutating func prepare(sampleRate: Double) {}
    mutating func start(_ note: Note) { (value, pitch) = (note.velocity, note.pitch) }
    mutating func release(_ note: Note) { value = 0 }
    mutating func tick(_ setting: Void) -> Float { value }
    mutating func rest() { value = 0 }
  }

  private func play<Voice: NoteVoice>(_ voices: inout Voices<Voice>, _ frames: Int) -> [Float]
  where Voice.Setting == Void {
    var samples = [Float](repeating: 0, count: frames)
    samples.withUnsafeMutableBufferPointer { memory in
      var block = AudioBlock(
        output: memory.mutableSpan, input: UnsafeBufferPointer(rebasing: memory[..<0]).span, outputs: 1,
        inputs: 0,
        frames: frames, sampleRate: 48_000)
      voices.render(&block)
    }
    return samples
  }

  @Test("a strike of any length sounds", arguments: [.infinity, 1e300, 0, -1, .nan])
  func strikeLength(seconds: Double) {
    var voices = Voices<Steady>(2) { Steady() }
    voices.prepare(sampleRate: 48_000)
    voices.strikeLength = seconds
    voices.handle(.strike(0.5))
    #expect(play(&voices, 1) == [0.5])
  }

  @Test("the quietest voice fades out within 5 ms without a step, and the new note starts immediately")
  func steal() {
    var voices = Voices<Steady>(2) { Steady() }
    voices.prepare(sampleRate: 48_000)
    voices.start(Note(60, velocity: 0.5))
    voices.start(Note(62, velocity: 0.25))
    voices.start(Note(64, velocity: 1))
    let sound = play(&voices, 480)
    #expect(sound[0] == 1.75)
    #expect(sound[479] == 1.5)
    #expect(sound[241...].allSatisfy { $0 == 1.5 })
    #expect(zip(sound, sound.dropFirst()).allSatisfy { $0 >= $1 && $0 - $1 < 0.002 })
    #expect(voices.sounding == 2)
  }

  /// Like `Steady`, but its level rises from 0 within 480 frames.
  struct Rising: NoteVoice {
    var goal: Float = 0
    var level: Float = 0
    var isSounding: Bool { goal > 0 }
    mutating func prepare(sampleRate: Double) {}
    mutating func start(_ note: Note) { (goal, level) = (note.velocity, 0) }
    mutating func tick(_ setting: Void) -> Float {
      level = min(level + goal / 480, goal)
      return level
    }
    mutating func rest() { goal = 0 }
  }

  @Test("the notes of a new chord replace older notes, not each other")
  func chord() {
    var voices = Voices<Rising>(4) { Rising() }
    voices.prepare(sampleRate: 48_000)
    for pitch: Float in [60, 61, 62, 63] { voices.start(Note(pitch, velocity: 0.0625)) }
    _ = play(&voices, 4800)
    for (pitch, velocity) in [(70, 0.5), (71, 0.25), (72, 0.125)] as [(Float, Float)] {
      voices.start(Note(pitch, velocity: velocity))
    }
    let sound = play(&voices, 960)
    #expect(abs(sound[959] - 0.9375) < 1e-4)
  }

  @Test("a chord that replaces all notes fades them all out")
  func wholeChord() {
    var voices = Voices<Steady>(8) { Steady() }
    voices.prepare(sampleRate: 48_000)
    for pitch in 40..<48 { voices.start(Note(Float(pitch), velocity: 0.25)) }
    _ = play(&voices, 1)
    for pitch in 50..<58 { voices.start(Note(Float(pitch), velocity: 0.5)) }
    #expect(play(&voices, 1) == [6])
  }

  @Test("a released note is replaced before a held one, however loud it is")
  func heldStay() {
    var voices = Voices<ToneLike>(2) { ToneLike() }
    voices.prepare(sampleRate: 48_000)
    voices.start(Note(60, velocity: 1))
    voices.start(Note(62, velocity: 0.1))
    voices.release(Note(60))
    voices.start(Note(64, velocity: 0.5))
    #expect(voices.sounding == 2)
    voices.release(Note(62))
    voices.release(Note(64))
    voices.start(Note(65, velocity: 0.5))
    #expect(voices.sounding == 2)
  }

  /// Like `Steady`, but it rings on after its release.
  struct ToneLike: NoteVoice {
    var value: Float = 0
    var isSounding: Bool { value > 0 }
    var level: Float { value }
    mutating func prepare(sampleRate: Double) {}
    mutating func start(_ note: Note) { value = note.velocity }
    mutating func tick(_ setting: Void) -> Float { value }
    mutating func rest() { value = 0 }
  }

  @Test(
    "any sequence of notes uses at most the existing voices, and all end after their release"
  )
  func randomly() {
    var noise = Noise(seed: 11)
    for count in [1, 2, 5, 16] {
      var voices = Voices<Steady>(count) { Steady() }
      voices.prepare(sampleRate: 48_000)
      for _ in 0..<2000 {
        let pitch = (abs(noise.tick()) * 20).rounded() + 40
        if noise.tick() > 0 {
          voices.handle(.noteOn(Note(pitch, velocity: 0.1 + 0.9 * abs(noise.tick()))))
        } else {
          voices.handle(.noteOff(Note(pitch)))
        }
        _ = play(&voices, 7)
        #expect(voices.sounding <= count)
      }
      voices.handle(.allOff)
      _ = play(&voices, 512)
      #expect(!voices.isSounding)
    }
  }

  @Test("a strike, which is not held, is released automatically")
  func strike() {
    var voices = Voices<Steady>(2) { Steady() }
    voices.prepare(sampleRate: 48_000)
    voices.strikeLength = 0.01
    voices.handle(.strike(0.5))
    let sound = play(&voices, 960)
    #expect(sound[470] == 0.5 && sound[490] == 0)
  }
}
