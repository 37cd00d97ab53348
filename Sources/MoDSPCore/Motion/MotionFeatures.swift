import Glibc
import MoCore

/// A computation of tilt, activity, energy, strikes, shakes and taps from the readings of an accelerometer.
///
/// The acceleration between two readings is interpolated linearly. If more than 0.15 s pass without a reading, the
/// previous reading is held until 20 ms before the new reading. All results are computed from the interpolated
/// acceleration, in steps of 2 ms at most. So they depend on the movement, not on the rate or regularity of the
/// readings. Rates from 10 to 1000 readings per second work; below about 40, short shakes may be missed.
///
/// ```swift
/// var features = MotionFeatures()
/// if let motion = features.read(time: clock.now, x: 0, y: 0, z: 1) { … }
/// ```
///
/// - Thread: one owner.
/// - Real-time safe: yes.
public struct MotionFeatures: Sendable {
  /// The number of readings that `read` refused because they contained NaN or infinity.
  public private(set) var refused = 0

  private var last: HostTime?
  private var point = SIMD3<Float>.zero
  private var gravity = GravityFollower(at: .zero)
  private var strikes = StrikeDetector(at: .zero)
  private var shakes = ShakeDetector()
  private var taps = TapDetector()
  private var noise = NoiseFloor()
  private var meanMovement: Float = 0
  private var energy: Float = 0
  private var tap: Float?

  /// The longest step of the interpolation between two readings, in seconds.
  private static let step: Float = 0.002
  /// The longest time between two readings for which the whole time is interpolated, in seconds.
  ///
  /// Input devices report changes only. So if more time passes, the acceleration counts as unchanged until `lateLine`
  /// seconds before the new reading.
  private static let longestLine: Float = 0.15
  /// The duration of the interpolation to a reading that follows a gap of more than `longestLine`, in seconds.
  private static let lateLine: Float = 0.02
  /// The mean acceleration without gravity, in g, that gives activity 1: a hand that shakes hard averages 2 g.
  private static let wild: Float = 2
  /// The time constant of the averages from which activity and energy follow, in seconds.
  private static let activityTime: Float = 0.12

  /// Creates an instance that has processed no readings; at the first reading, the device counts as resting.
  public init() {}

  /// Processes one reading, in g with gravity, and returns the motion.
  ///
  /// If `time` equals the time of the previous reading, or is earlier by less than a second, both readings count as the
  /// same moment. If `time` is earlier by a second or more, the state is reset, and this reading counts as the first.
  ///
  /// - Returns: the motion; nil if `x`, `y` or `z` is NaN or infinite.
  public mutating func read(time: HostTime, x: Float, y: Float, z: Float) -> Motion? {
    guard x.isFinite, y.isFinite, z.isFinite else {
      refused += 1
      return nil
    }
    // No sensor reads beyond ±100 g; the square of a number near the end of Float's range would be infinite.
    let reading = SIMD3(x, y, z).clamped(
      lowerBound: .init(repeating: -100), upperBound: .init(repeating: 100))
    tap = nil
    guard let last, time.seconds(since: last) > -1 else {
      begin(at: time, with: reading)
      return motion(at: time, x, y, z, force: nil)
    }
    let moment = max(time, last)
    let force = walk(to: reading, taking: Float(moment.seconds(since: last)))
    self.last = moment
    return motion(at: moment, x, y, z, force: force)
  }

  private mutating func begin(at time: HostTime, with reading: SIMD3<Float>) {
    last = time
    point = reading
    gravity = GravityFollower(at: reading)
    strikes = StrikeDetector(at: reading)
    shakes = ShakeDetector()
    taps = TapDetector()
    noise = NoiseFloor()
    (meanMovement, energy) = (0, 0)
  }

  /// Interpolates from the previous reading to `reading`; returns the force of the hardest strike between the two
  /// readings, nil if there is none.
  private mutating func walk(to reading: SIMD3<Float>, taking duration: Float) -> Float? {
    var line = duration
    if duration > Self.longestLine {
      hold(for: duration - Self.lateLine)
      line = Self.lateLine
    }
    let steps = max(1, Int((line / Self.step).rounded(.up)))
    let step = line / Float(steps)
    let start = point
    var force: Float?
    for index in 1...steps {
      let next = start + (reading - start) * (Float(index) / Float(steps))
      if let met = advance(to: next, taking: step) { force = max(met, force ?? 0) }
    }
    return force
  }

  /// Processes `duration` seconds in which the acceleration stays constant; a duration above 1 s counts as 1 s.
  private mutating func hold(for duration: Float) {
    let steps = Int((min(duration, 1) / Self.step).rounded(.up))
    for _ in 0..<steps { _ = advance(to: point, taking: Self.step) }
  }

  private mutating func advance(to next: SIMD3<Float>, taking step: Float) -> Float? {
    let from = point
    point = next
    let swing = strikes.follow(from: from, to: next, taking: step)
    let isSteady = gravity.follow(next, swing: swing, noise: noise.level, taking: step)
    let movement = next - gravity.value
    let size = movement.length
    noise.learn(size, taking: step)
    // Movement from noise does not count: a device at rest is exactly still.
    let still = max(0.12, 5 * noise.level)
    let pace = step / (Self.activityTime + step / 2)
    meanMovement += (max(0, size - still) - meanMovement) * pace
    // The same applies to energy, which fades in from there and is complete from twice that size.
    let square = size * size
    energy += (max(0, min(square, (square - still * still) * (4 / 3))) - energy) * pace
    shakes.follow(movement: movement, noise: noise.level, taking: step)
    if let met = taps.judge(movement: movement, noise: noise.level, taking: step) { tap = met }
    return strikes.judge(movement: movement, noise: noise.level, isSteady: isSteady, taking: step)
  }

  private func motion(at time: HostTime, _ x: Float, _ y: Float, _ z: Float, force: Float?) -> Motion {
    let activity = min(1, meanMovement / Self.wild)
    return Motion(
      time: time, x: x, y: y, z: z, tilt: .init(up: gravity.value),
      activity: activity < 0.001 ? 0 : activity, energy: energy < 1e-5 ? 0 : energy, strike: force,
      isShaken: shakes.isShaken, tap: tap)
  }
}

extension SIMD3<Float> {
  /// The length of the vector.
  var length: Float { (self * self).sum().squareRoot() }
}

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
