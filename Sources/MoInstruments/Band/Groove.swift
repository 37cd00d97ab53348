import MoDSP

/// A band's pattern in one bar: a pure function of style, complexity, seed and bar, the same on all
/// machines.
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
package struct Groove: Sendable {
  package let complexity: Complexity
  /// Whether the level of complexity is higher than in the previous bar; the bar then begins with a crash cymbal.
  package let rises: Bool
  let bar: Int
  private let seed: UInt64

  package init(seed: UInt64, bar: Int, complexity: Complexity, after before: Complexity? = nil) {
    (self.seed, self.bar, self.complexity) = (seed, bar, complexity)
    rises = before.map { $0.level < complexity.level } ?? false
  }

  /// The rows of a band's pattern; the raw value is part of a seed, so that each row has its own random numbers.
  package enum Layer: UInt64 {
    case kick, snare, hat, openHat, colour, bass, guitar, keys, fill
  }

  /// Returns the velocity of a step in a row, 0 (silent) … 1.
  ///
  /// A note of the next level of complexity is played with a probability that rises with the progress towards this
  /// level, up to one half.
  package func force(_ pattern: Style.Pattern, _ step: Int, _ layer: Layer) -> Float {
    let from = Int(pattern.levels[step])
    guard from > 0 else { return 0 }
    let bits = randomBits(layer, step)
    let isOn =
      from <= complexity.level || from == complexity.level + 1 && Int(bits & 127) * 2 < complexity.part
    guard isOn else { return 0 }
    let accent: Float = step % 4 == 0 ? 0.1 : step % 2 == 0 ? 0 : -0.08
    let variation = Float(bits >> 8 & 255) / 255 * 0.08
    return max(0.15, min(1, 0.9 - 0.13 * Float(from - 1) + accent - variation))
  }

  /// The number of steps of the fill at the end of the bar; 0 for none.
  ///
  /// At level 1 of the complexity, there are no fills. From level 2 on, bars 4, 12, 20 and so on end with a fill of one
  /// beat. Bars 8, 16, 24 and so on end with a fill of two beats.
  var fillSteps: Int {
    guard complexity.level >= 2 else { return 0 }
    return bar % 8 == 0 ? 8 : bar % 4 == 0 ? 4 : 0
  }

  /// Returns the sound and the velocity that the fill has on a step of the bar, 0 … 15; nil for silence, and for a step
  /// before the fill.
  func fill(_ step: Int) -> (sound: DrumSound, force: Float)? {
    let length = fillSteps
    guard step >= 16 - length else { return nil }
    let bits = randomBits(.fill, step)
    let place = Float(step - (16 - length)) / Float(length)
    // Odd sixteenths play only at high levels. The fill descends the drums and grows louder towards the bar
    // line.
    if step % 2 == 1, Int(bits & 3) >= complexity.level - 2 { return nil }
    let sound: DrumSound =
      place < 0.4 ? .snare : bits >> 4 & 3 == 0 ? .snare : place < 0.7 ? .highTom : .lowTom
    return (sound, 0.55 + 0.35 * place)
  }

  private func randomBits(_ layer: Layer, _ step: Int) -> UInt64 {
    var noise = Noise(
      seed: seed ^ UInt64(bitPattern: Int64(bar)) &* 0x1_0001 ^ layer.rawValue << 40 ^ UInt64(step) << 48)
    _ = noise.bits()
    return noise.bits()
  }
}

/// The complexity of a band's playing, derived from the players' activity.
///
/// The complexity changes at bar lines, by one level at most. The activity is rounded to multiples of 1/127, as in the
/// messages that members send. So machines that receive the same activity play the same notes.
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
@frozen
public struct Complexity: Hashable, Sendable, BitwiseCopyable {
  /// The highest level of complexity: 5.
  @inlinable public static var highest: Int { 5 }

  /// The level, 1 … 5; at 5 every note of the pattern is played.
  public private(set) var level = 1
  /// The progress towards the next level, 0 … 127: with more progress, more notes of the next level are played.
  public private(set) var part = 0

  /// Creates the lowest complexity.
  public init() {}

  /// Creates the complexity for an activity, 0 … 1; NaN counts as 0.
  public init(_ activity: Float) {
    let whole = Complexity.whole(activity)
    level = min(Complexity.highest, 1 + whole / 26)
    part = level == Complexity.highest ? 127 : (whole % 26) * 127 / 26
  }

  /// Returns the complexity of the next bar for an activity, 0 … 1: at most one level above or below this complexity.
  public func next(_ activity: Float) -> Complexity {
    var wanted = Complexity(activity)
    if wanted.level > level + 1 { (wanted.level, wanted.part) = (level + 1, 0) }
    if wanted.level < level - 1 { (wanted.level, wanted.part) = (level - 1, 127) }
    return wanted
  }

  private static func whole(_ activity: Float) -> Int {
    activity.isNaN ? 0 : Int((max(0, min(activity, 1)) * 127).rounded())
  }
}
