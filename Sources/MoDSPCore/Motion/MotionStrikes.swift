import Glibc

/// A detector of strikes: a whole movement to and fro counts as a single strike, at the start of the movement.
///
/// A strike begins if the swing is large and the reading is far from gravity. The swing is the distance of the reading
/// from the average of the last 60 ms. After a strike, the detector is closed, so that further swings give no strike. A
/// new strike can begin
/// - after the device has rested for longer than the zero crossing between two half-waves of a shake, or
/// - after the device has become steady, in any position, or
/// - when a whole cycle of a continuous shake is over and the device swings in the first direction again.
///
/// The levels `threshold` and `rest`, and the time for which the detector stays closed, are the hysteresis.
struct StrikeDetector: Sendable {
  private var average: SIMD3<Float>
  private var swing: SIMD3<Float> = .zero
  private var slope: Float = 0

  private var isOpen = true
  private var direction: SIMD3<Float> = .zero
  private var peak: Float = 0
  private var hasTurned = false
  private var along: Float = 0
  private var sinceStrike: Float = .infinity
  private var restTime: Float = 0

  private static let averageTime: Float = 0.06
  /// The size, in g, of the smallest swing that is a strike: seven times the noise of a poor sensor.
  private static let threshold: Float = 0.36
  private static let rest: Float = 0.3
  /// The seconds below `rest` (0.3 g, without gravity) after which the device counts as rested.
  ///
  /// A shake with half-waves of 150 ms and 1 g needs only 29 ms from −0.3 g to 0.3 g, which is not a rest.
  private static let restAfter: Float = 0.035
  private static let closedTime: Float = 0.1
  private static let cycleTime: Float = 0.155
  /// The factor that estimates the peak of a swing (g) from its slope (g/s), in seconds.
  ///
  /// The value is 0.1 s / 2π, the ratio of peak to slope of a sine with a cycle of 0.1 s.
  private static let riseTime: Float = 0.016
  /// The peak acceleration, in g, of a strike with force 1.
  private static let fullForce: Float = 4

  init(at point: SIMD3<Float>) { average = point }

  /// Updates the average for an acceleration that changes linearly from `start` to `end`; returns the size of the swing
  /// at `end`, in g.
  ///
  /// The average is the exact response of a first-order low-pass to a ramp. So the result does not depend on `step`,
  /// the duration of the change in seconds.
  mutating func follow(from start: SIMD3<Float>, to end: SIMD3<Float>, taking step: Float) -> Float {
    guard step > 0 else {
      swing = end - average
      return swing.length
    }
    let ramp = (end - start) * (Self.averageTime / step)
    average = end - ramp + (average - start + ramp) * expf(-step / Self.averageTime)
    swing = end - average
    slope = (end - start).length / step
    return swing.length
  }

  /// Processes the next step of the interpolated acceleration; returns the force of a strike that begins.
  ///
  /// The force is above 0, at most 1. If no strike begins, the result is nil.
  ///
  /// - Parameters:
  ///   - movement: the acceleration without gravity, in g.
  ///   - noise: the noise of the sensor, in g.
  ///   - isSteady: whether the device is steady, as `GravityFollower.follow` returned.
  ///   - step: the seconds since the previous call.
  mutating func judge(movement: SIMD3<Float>, noise: Float, isSteady: Bool, taking step: Float) -> Float? {
    sinceStrike += step
    let size = movement.length
    let level = max(Self.threshold, 6 * noise)
    restTime = size < max(Self.rest, 5 * noise) ? restTime + step : 0
    let wasAlong = along
    along = (movement * direction).sum()
    if isOpen {
      guard swing.length > level, size > level * 0.8 else { return nil }
      return strike(movement, size)
    }
    peak = max(peak, size)
    if along < -Self.rest { hasTurned = true }
    if sinceStrike >= Self.closedTime, restTime >= Self.restAfter || isSteady {
      isOpen = true
      // The rest of the last shake in the average is not a swing.
      average += swing
      return nil
    }
    let again = max(level, peak / 2)
    if hasTurned, sinceStrike >= Self.cycleTime, wasAlong < again, along >= again {
      return strike(movement, size)
    }
    return nil
  }

  private mutating func strike(_ movement: SIMD3<Float>, _ size: Float) -> Float {
    isOpen = false
    direction = movement / size
    along = size
    peak = size
    hasTurned = false
    sinceStrike = 0
    restTime = 0
    // The root, because a slow sensor often catches only the start of a hard shake.
    return min(1, max(size, slope * Self.riseTime) / Self.fullForce).squareRoot()
  }
}
