/// The sum of movement and gravity, which some apps send separately.
///
/// The sum is known when the second value of a pair arrives. If two values of movement arrive in a row, each value of
/// movement is from then on added to the last gravity immediately. If two values of gravity arrive in a row, the result
/// is gravity alone until movement arrives.
struct SplitAcceleration: Sendable {
  private var gravity: SIMD3<Float>?
  private var movement: SIMD3<Float>?
  private var isGravityNew = false
  private var isMovementNew = false
  /// Whether two values of movement have arrived with no value of gravity between them; further movement then does not
  /// wait for gravity.
  private var isMovementAlone = false
  private var isGravityAlone = false

  /// The gravity of a phone that lies flat, which is used until the app sends gravity.
  ///
  /// If the app never sends gravity, strikes are correct, but there is no tilt.
  private let flat: SIMD3<Float>

  init(flat: SIMD3<Float>) { self.flat = flat }

  /// Adds the app's next value of movement; returns the whole acceleration, if it is known now.
  mutating func take(movement next: SIMD3<Float>) -> SIMD3<Float>? {
    if isMovementNew { isMovementAlone = true }
    isMovementNew = !isGravityNew && !isMovementAlone
    movement = next
    isGravityNew = false
    isGravityAlone = false
    return isMovementNew ? nil : next + (gravity ?? flat)
  }

  /// Adds the app's next value of gravity; returns the whole acceleration, if it is known now.
  mutating func take(gravity next: SIMD3<Float>) -> SIMD3<Float>? {
    gravity = next
    if isMovementNew {
      isMovementNew = false
      return next + (movement ?? .zero)
    }
    // Twice without movement between: the app sends movement seldom or never.
    if isGravityNew { isGravityAlone = true }
    isGravityNew = true
    return isGravityAlone ? next : nil
  }
}
