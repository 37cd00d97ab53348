/// A mallet's force on the bar during the contact: a smooth pulse whose samples add up to the force of the strike.
///
/// The longer the contact, the less of the force reaches the high modes.
@frozen
@usableFromInline
struct Mallet: Sendable, BitwiseCopyable {
  /// The number of frames until the contact ends.
  @usableFromInline var left: Float = 0
  /// The reciprocal of the length of the whole contact in frames.
  @usableFromInline var pace: Float = 0
  @usableFromInline var height: Float = 0

  @inlinable
  init() {}

  @inlinable
  var isTouching: Bool { left > 0 }

  mutating func hit(_ force: Float, frames: Double) {
    pace = 1 / Float(frames)
    // The squared parabola in `tick` has a mean of 8/15.
    height = force * pace * 15 / 8
    left = Float(frames)
  }

  @inlinable @inline(__always)
  mutating func tick() -> Float {
    guard left > 0 else { return 0 }
    let place = left * pace
    left -= 1
    // 16 place² (1 − place)², which has zero value and zero slope at both ends. The offset gives the first
    // frame a small value.
    let bow = 4 * place * (1 - place)
    return height * (bow * bow + 1e-3)
  }
}
