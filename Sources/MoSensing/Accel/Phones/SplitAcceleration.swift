/// Puts movement and gravity, which some apps send apart, together again.
///
/// A reading is complete with the second of a pair. Where one comes more often than the other, it is not held
/// up: the other's last value serves.
struct SplitAcceleration: Sendable {
  private var gravity: SIMD3<Float>?
  private var movement: SIMD3<Float>?
  private var isGravityNew = false
  private var isMovementNew = false
  /// Movement came twice with no gravity between: it no longer waits for it.
  private var isMovementAlone = false
  private var isGravityAlone = false

  /// Gravity of a phone that lies flat, for one that never says: strikes are right then, tilt is not known.
  private let flat: SIMD3<Float>

  init(flat: SIMD3<Float>) { self.flat = flat }

  /// Takes a movement; the whole acceleration, if it is known now.
  mutating func take(movement next: SIMD3<Float>) -> SIMD3<Float>? {
    if isMovementNew { isMovementAlone = true }
    isMovementNew = !isGravityNew && !isMovementAlone
    movement = next
    isGravityNew = false
    isGravityAlone = false
    return isMovementNew ? nil : next + (gravity ?? flat)
  }

  /// Takes a gravity; the whole acceleration, if it is known now.
  mutating func take(gravity next: SIMD3<Float>) -> SIMD3<Float>? {
    gravity = next
    if isMovementNew {
      isMovementNew = false
      return next + (movement ?? .zero)
    }
    // Twice with no movement between: the app sends none, or seldom.
    if isGravityNew { isGravityAlone = true }
    isGravityNew = true
    return isGravityAlone ? next : nil
  }
}
