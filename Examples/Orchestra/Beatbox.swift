import MoDSP
import MoOrchestra

/// A bar of drums in sixteenths: a low drum, a high drum, and a shaker.
///
/// The drums are silent during the count-in.
struct Beatbox: Voice {
  private var sixteenths = BeatSteps(.sixteenth)
  private var low = Drum(frequency: 60)
  private var high = Drum(frequency: 190)
  private var seeds = Shaker()
  private var rattle = BreakpointEnvelope([.init(1, after: 0), .init(0, after: 0.3, curve: -7)])
  private var accent: Float = 0

  // Velocities of the sixteenths of a bar. A longer bar starts again after the sixteenth.
  private static let lowAt: InlineArray<16, Float> = [0.9, 0, 0, 0, 0, 0, 0.5, 0, 0.8, 0, 0, 0, 0, 0, 0.4, 0]
  private static let highAt: InlineArray<16, Float> = [0, 0, 0, 0, 0.7, 0, 0, 0, 0, 0, 0, 0, 0.7, 0, 0, 0.2]

  mutating func prepare(sampleRate: Double) {
    low.prepare(sampleRate: sampleRate)
    high.prepare(sampleRate: sampleRate)
    seeds.prepare(sampleRate: sampleRate)
    rattle.prepare(sampleRate: sampleRate)
  }

  /// Finds the frames of a block at which sixteenths begin; call it before `tick`, once per block.
  mutating func plan(_ block: borrowing AudioBlock, _ beat: BeatClock) { sixteenths.read(block, of: beat) }

  /// Returns the sample of the frame `frame` of the block that `plan` received.
  mutating func tick(_ frame: Int) -> Float {
    while let step = sixteenths.due(at: frame) {
      if !step.isCountIn { strike(step) }
    }
    return 0.7 * (low.tick() + high.tick()) + seeds.tick(accent * rattle.tick())
  }

  private mutating func strike(_ step: BeatSteps.Step) {
    let sixteenth = Int((step.position.beat * 16 / Double(step.position.meter.unit)).rounded()) % 16
    if Self.lowAt[sixteenth] > 0 { low.strike(Self.lowAt[sixteenth]) }
    if Self.highAt[sixteenth] > 0 { high.strike(Self.highAt[sixteenth]) }
    accent = sixteenth % 4 == 2 ? 0.9 : 0.5
    rattle.on()
  }
}
