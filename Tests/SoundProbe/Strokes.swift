import Glibc
import MoCore
import MoInstruments

/// A click on every beat, on the left.
struct BeatClick: Instrument {
  static let sheet = InstrumentInfo(
    name: "beat-click", summary: "a click on every beat", tail: 0.1, grid: .beat)

  private var left = 0

  init(seed: UInt64? = nil) {}

  mutating func prepare(sampleRate: Double, blockFrames: Int) {}

  mutating func handle(_ event: InstrumentEvent, _ controls: Controls<NoControl>) {
    if case .line = event { left = 32 }
  }

  mutating func render(_ block: inout AudioBlock, _ controls: Controls<NoControl>) {
    for frame in block.frames where left > 0 {
      left -= 1
      block[frame, 0] = left < 16 ? -0.7 : 0.7
    }
  }
}

/// A click for every stroke, on the right.
struct StrokeClick: Instrument {
  static let sheet = InstrumentInfo(name: "stroke-click", summary: "a click for every stroke", tail: 0.1)

  private var left = 0

  init(seed: UInt64? = nil) {}

  mutating func prepare(sampleRate: Double, blockFrames: Int) {}

  mutating func handle(_ event: InstrumentEvent, _ controls: Controls<NoControl>) {
    if case .strike = event { left = 32 }
  }

  mutating func render(_ block: inout AudioBlock, _ controls: Controls<NoControl>) {
    for frame in block.frames where left > 0 {
      left -= 1
      block[frame, 1] = left < 16 ? -0.7 : 0.7
    }
  }
}

/// Plays a beat, and strokes by a hand that is exactly on the beat that it hears, or, off the grid, anywhere.
///
/// The hand is a thread of its own: each stroke is sent when its moment has come, with that moment as its stamp.
enum Strokes {
  static func play(onGrid: Bool) throws {
    try MoAudio.play(BeatClick())
    let strokes = try MoAudio.play(StrokeClick())
    if onGrid { strokes.grid = Quantiser() }
    let rhythm = Rhythm(tempo: 120)
    try MoAudio.follow { rhythm.beat }
    rhythm.start()
    _ = try? MoThread(name: "hand") { thread in
      let clock = SystemClock()
      var beat = 2.0
      var random: UInt64 = 1
      while !thread.isCancelled {
        guard let time = rhythm.beat.time(ofBeat: beat, from: clock.now.advanced(bySeconds: -1)) else {
          return
        }
        clock.sleep(until: time)
        strokes.strike(0.8, at: time)
        print("stroke \(time.nanoseconds)")
        fflush(nil)
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        // Off the grid, 50 to 350 ms.
        beat += onGrid ? 1 : 0.1 + 0.6 * Double(random >> 40) / Double(1 << 24)
      }
    }
  }
}
