import Glibc
import MoCore

/// A filter that computes a device's orientation from its gyroscope, accelerometer and, if present, magnetometer.
///
/// It adds up the rotations that the gyroscope measures. Gravity and the magnetic field correct the sum a
/// little at a time. They also show the gyroscope's bias, its reading at rest, which is subtracted.
///
/// Additions to the published filter, which is named below as the source:
/// - At first the correction is strong and the bias is learnt fast, so that a first reading during a movement is soon
///   forgotten.
/// - Correction and learning are weaker the more the acceleration differs from 1 g, since then it is not only
///   gravity.
/// - Correction and learning are weaker if the error is tiny, so that noise is not followed.
/// - If a magnetic field appears after 0.5 s or more without one, the heading jumps to it, since a slow correction would
///   also tilt the result.
/// - Between two readings, the rotation's speed is taken to change linearly, not in steps, so that 50 readings a
///   second suffice.
///
/// - Source: S. O. H. Madgwick, *An efficient orientation filter for inertial and inertial/magnetic sensor arrays*,
///   University of Bristol, 2010: equations 11 to 13, 25 to 34, 45 to 49.
/// - Thread: one owner.
/// - Real-time safe: yes.
public struct OrientationFilter: Sendable {
  private var turn: SIMD4<Double>?
  private var last = HostTime.distantPast
  private var start = HostTime.distantPast
  private var lastSpeed = SIMD3<Double>.zero
  /// The time of the last update with an acceleration and a magnetic field.
  private var lastField = HostTime.distantPast

  /// The estimated bias of the gyroscope, that is its reading at rest, in rad/s; zero before the first estimate.
  public private(set) var bias = SIMD3<Double>.zero

  /// The speed of the correction, in rad/s (the source's β).
  ///
  /// It is larger than the error of a gyroscope, and smaller than the speed at which a hand turns the device.
  private static let pull = 0.1
  private static let firstPull = 2.0
  private static let firstSeconds = 5.0
  /// The speed at which the bias is learnt, in rad/s² (the source's ζ).
  private static let learning = 0.04
  private static let firstLearning = 0.5
  /// The time after the start in which the bias is learnt faster, in seconds.
  ///
  /// This time is longer than the time in which the correction is stronger.
  ///
  /// Once the correction is weak, any part of the bias that is not learnt yet is visible in the heading.
  private static let learningSeconds = 8.0
  /// The length of the error's gradient below which the correction becomes weaker, so that noise is not followed.
  ///
  /// An error of one radian has a gradient of length 2.
  private static let gentle = 0.3
  /// The difference in g between an acceleration's strength and 1 g at which the correction stops.
  ///
  /// Such an acceleration does not count as gravity.
  private static let reach = 0.3
  /// The shortest pause between two readings, in seconds, after which the filter begins anew.
  ///
  /// After the same pause between two magnetic fields, the heading jumps.
  private static let longestStep = 0.5

  /// Creates a filter without readings.
  public init() {}

  /// Adds the gyroscope's next reading, with the latest readings of the other sensors.
  ///
  /// - Parameters:
  ///   - rotation: the gyroscope's reading.
  ///   - acceleration: with gravity, in units of g; nil if it is unknown, such as while the accelerometer is gone.
  ///     The filter then follows only the gyroscope.
  ///   - field: the magnetic field in any unit; nil without a magnetometer, or without a new reading. After 0.5 s
  ///     without a field, the heading jumps to the next field.
  /// - Returns: the present orientation; nil for a rotation or acceleration that is not finite, for an acceleration
  ///   of zero, and before the first acceleration. While the acceleration is nil, the orientation is lost when 0.5 s
  ///   or more pass between two readings, or when time goes backwards. It then stays nil until the next acceleration.
  public mutating func update(
    _ rotation: Rotation, acceleration: SIMD3<Float>?, field: SIMD3<Float>? = nil
  ) -> Orientation? {
    let speed = SIMD3<Double>(SIMD3(rotation.x, rotation.y, rotation.z))
    guard speed.sum().isFinite else { return nil }
    guard let acceleration else { return integrateGyro(speed, at: rotation.time) }
    let strength = Double((acceleration * acceleration).sum().squareRoot())
    guard strength.isFinite, strength > 0 else { return nil }
    let up = SIMD3<Double>(acceleration) / strength
    let north = field.flatMap { OrientationFilter.unit(SIMD3<Double>($0)) }
    let step = rotation.time.seconds(since: last)
    last = rotation.time
    defer { if north != nil { lastField = rotation.time } }
    guard var turn, step >= 0, step < Self.longestStep else {
      start = rotation.time
      lastField = .distantPast
      lastSpeed = speed
      self.turn = OrientationFilter.held(up: up, field: north)
      return orientation(rotation.time)
    }
    let trust = max(0, 1 - abs(strength - 1) / Self.reach)
    let age = rotation.time.seconds(since: start)
    let early = max(0, 1 - age / Self.firstSeconds)
    let pull = (Self.pull + Self.firstPull * early) * trust
    // Not before the start orientation is corrected.
    let fresh = max(0, 1 - age / Self.learningSeconds)
    let learning = (Self.learning + Self.firstLearning * fresh) * (early < 0.8 ? trust : 0)
    // First the rotation up to now, then the present readings of the other sensors: otherwise they would pull it back.
    turn = turned(turn, by: speed, for: step)
    if let north, rotation.time.seconds(since: lastField) >= Self.longestStep {
      turn = OrientationFilter.aligned(turn, with: north)
    }
    let slope = OrientationFilter.slope(turn, up: up, field: north)
    turn -= pull * step * slope
    // A large error is not a bias, but a wrong start.
    if (slope * slope).sum() < 0.99 {
      let error = 2 * OrientationFilter.product(OrientationFilter.conjugate(turn), slope)
      bias += learning * step * SIMD3(error.y, error.z, error.w)
    }
    self.turn = turn / (turn * turn).sum().squareRoot()
    return orientation(rotation.time)
  }

  /// Updates the orientation by the gyroscope alone.
  ///
  /// Returns nil if there is no earlier orientation, or if the last reading is 0.5 s old or older, or has a later time.
  private mutating func integrateGyro(_ speed: SIMD3<Double>, at time: HostTime) -> Orientation? {
    let step = time.seconds(since: last)
    guard let turn, step >= 0, step < Self.longestStep else {
      // The old orientation is out of date: the next acceleration starts anew.
      self.turn = nil
      return nil
    }
    last = time
    let next = turned(turn, by: speed, for: step)
    self.turn = next / (next * next).sum().squareRoot()
    return orientation(time)
  }

  /// Returns `turn` after a further rotation of `step` seconds.
  ///
  /// During this time, the speed of the rotation changes linearly from `lastSpeed` to `speed`.
  private mutating func turned(
    _ turn: SIMD4<Double>, by speed: SIMD3<Double>, for step: Double
  ) -> SIMD4<Double> {
    let own = (speed + lastSpeed) / 2 - bias
    lastSpeed = speed
    return turn + 0.5 * step * OrientationFilter.product(turn, SIMD4(0, own.x, own.y, own.z))
  }

  private func orientation(_ time: HostTime) -> Orientation? {
    turn.map { Orientation(time: time, w: Float($0.x), x: Float($0.y), y: Float($0.z), z: Float($0.w)) }
  }

  /// Returns the gradient of the error, as a vector of length 1, or shorter if the error is tiny.
  ///
  /// The error is the difference between the expected and the measured directions of gravity and the magnetic field.
  ///
  /// A quaternion's w, x, y and z are stored as x, y, z and w of a `SIMD4`.
  private static func slope(
    _ q: SIMD4<Double>, up: SIMD3<Double>, field: SIMD3<Double>?
  ) -> SIMD4<Double> {
    // The expected axes of the world as the device sees them: the rows of the rotation's matrix.
    let (a, b, c, d) = (q.x, q.y, q.z, q.w)
    let vertical = Axis(
      value: SIMD3(2 * (b * d - a * c), 2 * (a * b + c * d), 1 - 2 * (b * b + c * c)),
      x: SIMD4(-2 * c, 2 * d, -2 * a, 2 * b), y: SIMD4(2 * b, 2 * a, 2 * d, 2 * c),
      z: SIMD4(0, -4 * b, -4 * c, 0))
    var slope = vertical.slope(of: vertical.value - up)
    if let field {
      let level = Axis(
        value: SIMD3(1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (a * c + b * d)),
        x: SIMD4(0, 0, -4 * c, -4 * d), y: SIMD4(-2 * d, 2 * c, 2 * b, -2 * a),
        z: SIMD4(2 * c, 2 * d, 2 * a, 2 * b))
      // The field in the world, rotated so that it has no western part.
      let world = world(q, field)
      let north = (world.y * world.y + world.z * world.z).squareRoot()
      let error = level.value * north + vertical.value * world.w - field
      slope += level.slope(of: error) * north + vertical.slope(of: error) * world.w
    }
    let length = (slope * slope).sum().squareRoot()
    return slope / max(length, gentle)
  }

  /// An axis of the world in the device's axes, and the derivatives of its x, y and z with respect to the quaternion.
  private struct Axis {
    var value: SIMD3<Double>
    var x: SIMD4<Double>
    var y: SIMD4<Double>
    var z: SIMD4<Double>

    func slope(of error: SIMD3<Double>) -> SIMD4<Double> { x * error.x + y * error.y + z * error.z }
  }

  /// Returns an orientation with the same tilt, and with the heading that a magnetic field shows.
  private static func aligned(_ q: SIMD4<Double>, with field: SIMD3<Double>) -> SIMD4<Double> {
    let world = world(q, field)
    let half = -atan2(world.z, world.y) / 2
    return product(SIMD4(cos(half), 0, 0, sin(half)), q)
  }

  /// Returns a direction of the device in the world: the components y, z and w point to the north, the west and up.
  private static func world(_ q: SIMD4<Double>, _ own: SIMD3<Double>) -> SIMD4<Double> {
    product(product(q, SIMD4(0, own.x, own.y, own.z)), conjugate(q))
  }

  /// Returns the orientation of a device at rest; the top edge points north if there is no field.
  private static func held(up: SIMD3<Double>, field: SIMD3<Double>?) -> SIMD4<Double> {
    func level(_ vector: SIMD3<Double>) -> SIMD3<Double>? { unit(vector - up * (vector * up).sum()) }
    let north = field.flatMap(level) ?? level(SIMD3(0, 1, 0)) ?? level(SIMD3(0, 0, -1)) ?? SIMD3(1, 0, 0)
    let west = SIMD3(
      up.y * north.z - up.z * north.y, up.z * north.x - up.x * north.z, up.x * north.y - up.y * north.x)
    // From a matrix with these rows, by its largest component: S. W. Shepperd, Quaternion from rotation matrix, 1978.
    let squares = SIMD4(
      1 + north.x + west.y + up.z, 1 + north.x - west.y - up.z, 1 - north.x + west.y - up.z,
      1 - north.x - west.y + up.z)
    let (a, b, c) = (up.y - west.z, north.z - up.x, west.x - north.y)
    let (d, e, f) = (west.x + north.y, up.x + north.z, up.y + west.z)
    let turn: SIMD4<Double> =
      switch squares.max() {
      case squares.x: SIMD4(squares.x, a, b, c)
      case squares.y: SIMD4(a, squares.y, d, e)
      case squares.z: SIMD4(b, d, squares.z, f)
      default: SIMD4(c, e, f, squares.w)
      }
    return turn / (turn * turn).sum().squareRoot()
  }

  private static func unit(_ vector: SIMD3<Double>) -> SIMD3<Double>? {
    let length = (vector * vector).sum().squareRoot()
    return length > 1e-9 && length.isFinite ? vector / length : nil
  }

  private static func conjugate(_ q: SIMD4<Double>) -> SIMD4<Double> { SIMD4(q.x, -q.y, -q.z, -q.w) }

  private static func product(_ p: SIMD4<Double>, _ q: SIMD4<Double>) -> SIMD4<Double> {
    let w = p.x * q.x - p.y * q.y - p.z * q.z - p.w * q.w
    let x = p.x * q.y + p.y * q.x + p.z * q.w - p.w * q.z
    let y = p.x * q.z - p.y * q.w + p.z * q.x + p.w * q.y
    let z = p.x * q.w + p.y * q.z - p.z * q.y + p.w * q.x
    return SIMD4(w, x, y, z)
  }
}
