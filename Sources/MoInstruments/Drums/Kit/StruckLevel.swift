import Glibc

/// The envelope of a struck sound: a fast rise, with a time constant of 0.2 to 2 ms, then an exponential decay.
///
/// A strike during a sound adds to the current level, up to 1, so the level never jumps.
struct StruckLevel: Sendable {
  private(set) var level: Float = 0
  private var coming: Float = 0
  private var rise: Float = 1
  private var fall: Float = 0

  /// The level below which the sound ends: −100 dB.
  static let silence: Float = 1e-5

  /// - Parameters:
  ///   - rise: seconds after a strike in which the level covers 63 % of the way to its peak.
  ///   - fall: seconds in which the level falls to 37 %.
  init(rise: Double, fall: Double, sampleRate: Double) {
    self.rise = Float(-expm1(-1 / (rise * sampleRate)))
    self.fall = Float(exp(-1 / (fall * sampleRate)))
  }

  init() {}

  var isSounding: Bool { level + coming > 0 }

  mutating func strike(_ force: Float) { coming = max(0, min(force, 1 - level)) }

  /// Makes the level fall faster until the next strike: to 37 % within the given number of seconds.
  mutating func choke(within seconds: Double, sampleRate: Double) {
    coming = 0
    choking = Float(exp(-1 / (seconds * sampleRate)))
  }

  private var choking: Float = 1

  mutating func tick() -> Float {
    let arriving = coming * rise
    if coming > 0 { choking = 1 }
    coming -= arriving
    level = level * fall * choking + arriving
    if level + coming < Self.silence { (level, coming) = (0, 0) }
    return level
  }
}
