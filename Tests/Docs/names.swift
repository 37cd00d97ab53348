// The names that a fragment of a page or a doc comment may use without declaring them.
import MoConsole
import MoDSP
import MoTesting

// What a program has made before.
let (piano, harp, drum) = (playing(Piano()), playing(Harp()), playing(DrumKit()))
let bus = InstrumentBus()
let board = DrumBoard()
let rhythm = Rhythm()
let beat = rhythm.beat
let clock = SystemClock()
let (pan, vibrato, tempo) = (MoParam(), MoParam(), MoParam())
let (drone, gate, tilt) = (MoParam(), MoParam(), MoParam())
let strike = MoTrigger()

func playing(_ instrument: some Instrument) -> InstrumentHandle {
  do { return try MoAudio.play(instrument) } catch { fatalError("\(error)") }
}

// What the audio callback owns; `block` and `frame` are parameters of each fragment.
nonisolated(unsafe) var sine = Sine()
nonisolated(unsafe) var room = Reverb(seconds: 2)

/// An instrument of the reader.
struct Bell: Instrument {
  static let sheet = InstrumentInfo(name: "bell", summary: "a bell")

  init(seed: UInt64?) {}

  mutating func prepare(sampleRate: Double, blockFrames: Int) {}
  mutating func handle(_ event: InstrumentEvent, _ controls: Controls<NoControl>) {}
  mutating func render(_ block: inout AudioBlock, _ controls: Controls<NoControl>) {}
}

/// A voice of the reader.
struct Chime: NoteVoice {
  var isSounding: Bool { false }

  mutating func prepare(sampleRate: Double) {}
  mutating func start(_ note: Note) {}
  mutating func tick(_ setting: Float) -> Float { 0 }
  mutating func rest() {}
}
