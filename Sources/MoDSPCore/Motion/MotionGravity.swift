/// An estimator of the direction and size of gravity: fast while the device is steady, slow while the device moves.
///
/// A steady accelerometer measures only gravity. While the device moves, the difference between a reading and the
/// estimate is limited to 0.25 g before it changes the estimate. So a hard shake changes the estimate no more than a
/// soft shake (robust estimation: P. J. Huber, 1964).
struct GravityFollower: Sendable {
  /// The estimate of gravity in the axes of the device, in g.
  private(set) var value: SIMD3<Float>
  private var steadyTime: Float = 0

  /// Seconds without a swing after which a device counts as steady; longer than the gaps between the swings of a shake.
  private static let steadyAfter: Float = 0.1
  private static let quickTime: Float = 0.05
  private static let slowTime: Float = 0.25
  private static let slowReach: Float = 0.25

  init(at value: SIMD3<Float>) { self.value = value }

  /// Processes the next step of the interpolated acceleration and returns whether the device is steady.
  ///
  /// - Parameters:
  ///   - point: the acceleration at the end of the step, in g with gravity.
  ///   - swing: the size of the swing that `StrikeDetector.follow` returned, in g.
  ///   - noise: the noise of the sensor, in g.
  ///   - step: the seconds since the previous call.
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

/// An estimator of a sensor's noise level: the acceleration without gravity is below this level for 30 % of the time.
///
/// The level is a quantile and not a mean, so that an occasional shake does not count as noise (stochastic
/// approximation: H. Robbins and S. Monro, 1951). For noise of standard deviation σ on each axis, the level settles
/// near 1.2 σ.
struct NoiseFloor: Sendable {
  /// The estimated noise level in g; before the first reading, the high value of 0.1 g.
  private(set) var level: Float = 0.1

  private static let fraction: Float = 0.3
  private static let learningRate: Float = 0.15
  private static let ceiling: Float = 0.15

  mutating func learn(_ movement: Float, taking step: Float) {
    let change = movement < level ? Self.fraction - 1 : Self.fraction
    level = min(max(level + Self.learningRate * step * change, 0), Self.ceiling)
  }
}
