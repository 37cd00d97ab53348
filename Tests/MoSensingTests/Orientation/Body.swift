import Glibc
import MoSensing

/// A body that turns by its true rotation, stored as a matrix: the device's axes in the world's, north, west, up.
///
/// It turns by Rodrigues' formula, so that the test does not share the filter's arithmetic.
struct Body {
  /// The columns: the directions of the device's x, y and z.
  var columns = [SIMD3<Double>(0, -1, 0), SIMD3(1, 0, 0), SIMD3(0, 0, 1)]

  /// Turns by `speed` rad/s about the device's own axes.
  mutating func turn(_ speed: SIMD3<Double>, _ seconds: Double) {
    let rate = (speed * speed).sum().squareRoot()
    guard rate > 0 else { return }
    let axis = world(speed / rate)
    let (s, c) = (sin(rate * seconds), cos(rate * seconds))
    columns = columns.map { v in
      let cross = SIMD3(
        axis.y * v.z - axis.z * v.y, axis.z * v.x - axis.x * v.z, axis.x * v.y - axis.y * v.x)
      return v * c + cross * s + axis * ((axis * v).sum() * (1 - c))
    }
  }

  func world(_ own: SIMD3<Double>) -> SIMD3<Double> {
    columns[0] * own.x + columns[1] * own.y + columns[2] * own.z
  }

  func own(_ world: SIMD3<Double>) -> SIMD3<Float> {
    SIMD3(columns.map { Float(($0 * world).sum()) })
  }

  /// Returns the angle between the true up direction and another, in degrees.
  func tiltError(_ held: Orientation) -> Double {
    let cosine = Double((own(SIMD3(0, 0, 1)) * held.up).sum())
    return acos(min(1, max(-1, cosine))) * 180 / .pi
  }

  /// Returns the angle between the true heading of the top edge and another, in degrees.
  func headingError(_ held: Orientation) -> Double {
    let truth = atan2(-columns[1].y, columns[1].x)
    let difference = Double(held.heading) * .pi / 180 - truth
    return abs(atan2(sin(difference), cos(difference))) * 180 / .pi
  }
}

/// Noise that is the same in every run: a sum of twelve uniform numbers (Irwin and Hall), of variance 1.
struct Noise {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> Double {
    var sum = -6.0
    for _ in 0..<12 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      sum += Double(state >> 11) / 0x1p53
    }
    return sum
  }

  mutating func vector(_ size: Double) -> SIMD3<Float> {
    SIMD3(Float(next() * size), Float(next() * size), Float(next() * size))
  }
}
