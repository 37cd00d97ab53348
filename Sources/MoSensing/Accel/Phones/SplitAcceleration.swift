/// The sum of movement and gravity, which some apps send separately.
///
/// A reading is complete with the second of a pair. If one of them comes more often than the other, it does not wait:
/// the last value of the other is used.
struct SplitAcceleration: Sendable {
  private var gravity: SIMD3<Float>?
  private var movement: SIMD3<Float>?
  private var isGravityNew = false
  private var isMovementNew = false
  /// Whether movement came twice without gravity between: then it no longer waits for it.
  private var isMovementAlone = false
  private var isGravityAlone = false

  /// The gravity of a phone that lies flat, for an app that sends none: strikes are right then, tilt is unknown.
  private let flat: SIMD3<Float>

  init(flat: SIMD3<Float>) { self.flat = flat }

  /// Adds a movement; returns the whole acceleration, if it is known now.
  mutating func take(movement next: SIMD3<Float>) -> SIMD3<Float>? {
    if isMovementNew { isMovementAlone = true }
    isMovementNew = !isGravityNew && !isMovementAlone
    movement = next
    isGravityNew = false
    isGravityAlone = false
    return isMovementNew ? nil : next + (gravity ?? flat)
  }

  /// Adds a gravity; returns the whole acceleration, if it is known now.
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
