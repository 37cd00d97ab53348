/// The sum of movement and gravity, which some apps send separately.
///
/// A reading is complete with the second message of a pair. If movement comes more often than gravity, or gravity than
/// movement, the more frequent value is not delayed: it is combined with the last value of the other.
struct SplitAcceleration: Sendable {
  private var gravity: SIMD3<Float>?
  private var movement: SIMD3<Float>?
  private var isGravityNew = false
  private var isMovementNew = false
  /// Whether movement came twice without gravity between: from then on, movement does not wait for gravity.
  private var isMovementAlone = false
  private var isGravityAlone = false

  /// The gravity of a phone that lies flat, for an app that sends no gravity: it gives correct strikes, but no tilt.
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
