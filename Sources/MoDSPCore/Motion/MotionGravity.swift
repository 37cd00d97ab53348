/// Follows gravity: fast while the device is steady, and slowly while it is shaken.
///
/// A steady accelerometer measures only gravity. While the device moves, the difference between a reading and the
/// estimate counts as a quarter g at most. So a hard shake has no more effect than a soft one (robust estimation: P. J.
/// Huber, 1964).
struct GravityFollower: Sendable {
  /// Gravity in the axes of the device, in g.
  private(set) var value: SIMD3<Float>
  private var steadyTime: Float = 0

  /// Seconds without a swing after which a device counts as steady; longer than the turning points of a shake.
  private static let steadyAfter: Float = 0.1
  private static let quickTime: Float = 0.05
  private static let slowTime: Float = 0.25
  private static let slowReach: Float = 0.25

  init(at value: SIMD3<Float>) { self.value = value }

  /// Processes the next point of the line and returns whether the device is steady.
  mutating func follow(_ point: SIMD3<Float>, swing: Float, noise: Float, taking step: Float) -> Bool {
    steadyTime = swing < max(0.15, 4 * noise) ? steadyTime + step : 0
    let isSteady = steadyTime >= Self.steadyAfter
    var difference = point - value
    if !isSteady {
      let length = difference.length
      if length > Self.slowReach { difference *= Self.slowReach / length }
    }
    value += difference * (step / ((isSteady ? Self.quickTime : Self.slowTime) + step / 2))
    return isSteady
  }
}

/// Estimates the noise of a sensor at rest, as the level below which the movement stays three tenths of the time.
///
/// The level is a quantile and not a mean, so that a shake now and then does not count as noise (stochastic
/// approximation: H. Robbins and S. Monro, 1951). For noise of standard deviation σ on each axis, the level settles
/// near 1.2 σ.
struct NoiseFloor: Sendable {
  /// The noise in g; it starts high, because there is no estimate before the first readings.
  private(set) var level: Float = 0.1

  private static let fraction: Float = 0.3
  private static let learningRate: Float = 0.15
  private static let ceiling: Float = 0.15

  mutating func learn(_ movement: Float, taking step: Float) {
    let change = movement < level ? Self.fraction - 1 : Self.fraction
    level = min(max(level + Self.learningRate * step * change, 0), Self.ceiling)
  }
}
