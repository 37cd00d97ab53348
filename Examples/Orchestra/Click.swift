import MoDSP
import MoOrchestra

/// A metronome: a short high tone on every beat, with a higher pitch on the first beat of a bar.
struct Click: Voice {
  private var beats = BeatSteps(.beat)
  private var tone = Sine()
  private var level = BreakpointEnvelope([.init(0.25, after: 0), .init(0, after: 0.096, curve: -8)])

  mutating func prepare(sampleRate: Double) {
    tone.prepare(sampleRate: sampleRate)
    level.prepare(sampleRate: sampleRate)
  }

  /// Finds the frames of a block at which beats begin; call it before `tick`, once per block.
  mutating func plan(_ block: borrowing AudioBlock, _ beat: BeatClock) { beats.read(block, of: beat) }

  /// Returns the sample of the frame `frame` of the block that `plan` received.
  mutating func tick(_ frame: Int) -> Float {
    while let step = beats.due(at: frame) {
      tone.frequency = step.position.beat < 0.5 ? 1760 : 1320
      tone.phase = 0
      level.on()
    }
    return level.isSounding ? level.tick() * tone.tick() : 0
  }
}
