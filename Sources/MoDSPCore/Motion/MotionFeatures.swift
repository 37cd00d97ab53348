import Glibc
import MoCore

/// Works out tilt, activity, energy, strikes, shakes and taps from the bare readings of an accelerometer.
///
/// The readings are taken as the corners of a line through time, and everything is measured along that line,
/// in steps of at most 2 ms: so the result depends on the movement and not on how often, or how evenly, the
/// sensor reports. From 10 to 1000 readings a second will do; below about 40 short shakes fall between them.
///
/// ```swift
/// var features = MotionFeatures()
/// if let motion = features.read(time: clock.now, x: 0, y: 0, z: 1) { … }
/// ```
///
/// - Thread: one owner.
/// - Real-time safe: yes.
public struct MotionFeatures: Sendable {
  /// How many readings were not finite numbers, and were refused.
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

  /// Longest step along the line between two readings.
  private static let step: Float = 0.002
  /// Silence after which a value is taken to have been held and to have changed only just now: input devices
  /// report changes only.
  private static let longestLine: Float = 0.15
  /// How long such a late change is taken to have lasted.
  private static let lateLine: Float = 0.02
  /// Mean movement, in g, that counts as wild; a vigorous hand shake averages 2 g.
  private static let wild: Float = 2
  /// How long activity and energy take to follow, in seconds.
  private static let activityTime: Float = 0.12

  /// Knows nothing yet; the first reading is taken as rest.
  public init() {}

  /// Takes one reading, in g with gravity, and says what it means.
  ///
  /// A stamp not later than the one before counts as the same moment; one over a second earlier is a new
  /// beginning.
  ///
  /// - Returns: nil for a reading that is not three finite numbers.
  public mutating func read(time: HostTime, x: Float, y: Float, z: Float) -> Motion? {
    guard x.isFinite, y.isFinite, z.isFinite else {
      refused += 1
      return nil
    }
    // No sensor reads beyond ±100 g; a number near the end of Float's range would not survive squaring.
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

  /// Goes along the line to the next reading; the force of the strike met on the way.
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

  /// Lets time pass over an unchanged value; a second is as good as for ever.
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
    // What noise moves does not count: a device at rest is exactly still.
    let still = max(0.12, 5 * noise.level)
    let pace = step / (Self.activityTime + step / 2)
    meanMovement += (max(0, size - still) - meanMovement) * pace
    // The same goes for energy, which fades in from there and is whole from twice that size.
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
      activity: activity < 0.001 ? 0 : activity, energy: energy < 1e-5 ? 0 : energy, jerk: force,
      isShaken: shakes.isShaken, tap: tap)
  }
}

extension SIMD3<Float> {
  /// The length of the vector.
  var length: Float { (self * self).sum().squareRoot() }
}
