import Glibc
import MoOrchestra

/// A metronome: a short high tone on every beat, higher on the first of a bar.
struct Click: Voice {
  private var beats = BeatPlan(.beat)
  private var phase: Float = 0
  private var pitch: Float = 0
  private var level: Float = 0
  private var decay: Float = 0
  private var sampleRate: Float = 48_000

  mutating func prepare(sampleRate: Double) {
    self.sampleRate = Float(sampleRate)
    decay = expf(-1 / (0.012 * self.sampleRate))
  }

  /// Notes the beats of a block.
  mutating func plan(_ block: borrowing AudioBlock, _ beat: BeatClock) { beats.read(block, beat) }

  /// The sample of a frame.
  mutating func tick(_ frame: Int) -> Float {
    while let step = beats.due(at: frame) {
      pitch = (step.position.beat < 0.5 ? 1760 : 1320) / sampleRate
      (phase, level) = (0, 0.25)
    }
    guard level > 1e-5 else { return 0 }
    level *= decay
    phase += pitch
    return level * sinf(2 * .pi * phase)
  }
}
