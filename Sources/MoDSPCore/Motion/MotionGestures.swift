/// Tells a shaking, to and fro and to again, from single swings.
///
/// Each swing of 0.6 g against the last one is a turn; the third within reach of the second is a shake. After
/// that swings of 0.4 g will do to keep it up: the two levels are the hysteresis.
struct ShakeDetector: Sendable {
  private(set) var isShaken = false
  private var side: SIMD3<Float> = .zero
  private var turns = 0
  private var sinceFirst: Float = 0
  private var sinceTurn: Float = .infinity

  private static let beginLevel: Float = 0.6
  private static let keepLevel: Float = 0.4
  private static let neededTurns = 3
  /// A knock that rings back and forth turns as often, but dies away sooner.
  private static let neededTime: Float = 0.22
  /// Half a cycle of the slowest shake, 1.25 Hz.
  private static let turnTime: Float = 0.4

  /// Looks at where the line has come to.
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
    // The first swing is no turn yet.
    if turns > Self.neededTurns, sinceFirst >= Self.neededTime { isShaken = true }
  }
}

/// Finds taps: knocks that come out of rest, are over within an eighth of a second, and leave rest behind.
///
/// It opens above 0.5 g and closes below 0.25 g for 50 ms: the two levels are the hysteresis.
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
  /// A knock of 70 ms, and 20 ms more on either side where a slow sensor's line leads to it and away.
  private static let longest: Float = 0.115
  /// The peak, in g, that counts as all force.
  private static let fullForce: Float = 4

  /// Looks at where the line has come to; the force of a tap, 0 … 1, where one is over.
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
