/// A mallet's push while it touches: half a turn of a raised cosine, whose sum is its force.
///
/// The longer it touches, the less of it reaches the high modes.
@frozen
@usableFromInline
struct Mallet: Sendable, BitwiseCopyable {
  /// Frames left, counted down, and one over how many there were.
  @usableFromInline var left: Float = 0
  @usableFromInline var pace: Float = 0
  @usableFromInline var height: Float = 0

  @inlinable
  init() {}

  @inlinable
  var isTouching: Bool { left > 0 }

  mutating func hit(_ force: Float, frames: Double) {
    pace = 1 / Float(frames)
    // The parabola's square below has a mean of 8/15.
    height = force * pace * 15 / 8
    left = Float(frames)
  }

  @inlinable @inline(__always)
  mutating func tick() -> Float {
    guard left > 0 else { return 0 }
    let place = left * pace
    left -= 1
    // Zero at both ends with zero slope: 16 place² (1 − place)²; the first frame counts a little.
    let bow = 4 * place * (1 - place)
    return height * (bow * bow + 1e-3)
  }
}
