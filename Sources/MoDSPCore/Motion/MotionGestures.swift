/// Distinguishes a shake, to and fro, from single swings.
///
/// Without gravity, the acceleration of the first swing must exceed 0.6 g; each later swing needs only 0.4 g
/// (hysteresis). A swing in the opposite direction to the previous swing is a turn. A shake begins at the third turn,
/// but not before `neededTime` has passed since the first swing. It ends after `turnTime` without a turn.
struct ShakeDetector: Sendable {
  private(set) var isShaken = false
  private var side: SIMD3<Float> = .zero
  private var turns = 0
  private var sinceFirst: Float = 0
  private var sinceTurn: Float = .infinity

  private static let beginLevel: Float = 0.6
  private static let keepLevel: Float = 0.4
  private static let neededTurns = 3
  /// The shortest time from the first swing to the start of a shake, in seconds.
  ///
  /// After a knock, a device can vibrate with three turns, but these turns take less time.
  private static let neededTime: Float = 0.22
  /// The longest time between two turns, in seconds: half a cycle of the slowest shake, 1.25 Hz.
  private static let turnTime: Float = 0.4

  /// Processes the next step of the interpolated acceleration.
  ///
  /// - Parameters:
  ///   - movement: the acceleration without gravity, in g.
  ///   - noise: the noise of the sensor, in g.
  ///   - step: the seconds since the previous call.
  mutating func follow(movement: SIMD3<Float>, noise: Float, taking step: Float) {
    sinceTurn += step
    sinceFirst += step
    if sinceTurn > Self.turnTime {
      isShaken = false
      turns = 0
      side = .zero
    }
    let size = movement.length
    guard size > max(turns > 0 ? Self.keepLevel : Self.beginLevel, 6 * noise) else { return }
    if turns == 0 {
      sinceFirst = 0
    } else {
      guard (movement * side).sum() < -0.5 * size else { return }
    }
    turns += 1
    sinceTurn = 0
    side = movement / size
    // The first swing is not a turn.
    if turns > Self.neededTurns, sinceFirst >= Self.neededTime { isShaken = true }
  }
}

/// Finds taps: knocks of less than 115 ms, with rest before and after the knock.
///
/// A tap begins when the acceleration without gravity exceeds 0.5 g. The tap ends when this acceleration has stayed
/// below 0.25 g for 50 ms. The second level is lower than the first level (hysteresis).
struct TapDetector: Sendable {
  private var restTime: Float = 0
  private var length: Float = 0
  private var peak: Float = 0
  private var isInKnock = false
  private var isOutOfRest = false

  private static let openLevel: Float = 0.5
  private static let closeLevel: Float = 0.25
  private static let restBefore: Float = 0.1
  private static let restAfter: Float = 0.05
  /// The longest tap, in seconds: a knock of 70 ms, which a slow sensor lengthens by about 20 ms at each end.
  private static let longest: Float = 0.115
  /// The peak acceleration, in g, of a tap with force 1.
  private static let fullForce: Float = 4

  /// Processes the next step of the interpolated acceleration; returns the force of a tap, 0 … 1, when the tap ends.
  ///
  /// The parameters are the same as those of `ShakeDetector.follow`.
  mutating func judge(movement: SIMD3<Float>, noise: Float, taking step: Float) -> Float? {
    let size = movement.length
    let isLow = size < max(Self.closeLevel, 5 * noise)
    guard isInKnock else {
      if isLow {
        restTime += step
        isOutOfRest = restTime >= Self.restBefore
      } else if size > max(Self.openLevel, 7 * noise) {
        isInKnock = true
        (length, peak, restTime) = (0, size, 0)
      }
      return nil
    }
    peak = max(peak, size)
    restTime = isLow ? restTime + step : 0
    if !isLow || restTime < Self.restAfter { length += step }
    guard restTime >= Self.restAfter else { return nil }
    isInKnock = false
    let isShort = length - Self.restAfter < Self.longest
    defer { isOutOfRest = false }
    return isShort && isOutOfRest ? min(1, peak / Self.fullForce).squareRoot() : nil
  }
}
