import Glibc
import MoCore
import MoSensing

/// Random numbers that are the same in every run.
struct Chance {
  var state: UInt64 = 0x9E37_79B9_7F4A_7C15
  mutating func uniform() -> Double {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Double(state >> 11) * 0x1p-53
  }
  /// Returns a value around 0 with a standard deviation of 1 (Box and Muller, 1958).
  mutating func normal() -> Double { (-2 * log(1 - uniform())).squareRoot() * cos(2 * .pi * uniform()) }
}

/// A device in central Europe: the rotation from the world's axes (north, west, up) to the device's.
struct Held {
  /// The heading of its top edge, then its tilt, in degrees.
  var heading: Double
  var pitch: Double
  var roll: Double

  /// Returns a vector of the world (east, north, up) in the device's axes.
  func seen(_ world: SIMD3<Double>) -> SIMD3<Double> {
    let (h, p, r) = (heading * .pi / 180, pitch * .pi / 180, roll * .pi / 180)
    // Clockwise about the vertical, then the top edge up, then sideways.
    let flat = SIMD3(world.x * cos(h) - world.y * sin(h), world.x * sin(h) + world.y * cos(h), world.z)
    let nosed = SIMD3(flat.x, flat.y * cos(p) + flat.z * sin(p), flat.z * cos(p) - flat.y * sin(p))
    return SIMD3(nosed.x * cos(r) - nosed.z * sin(r), nosed.y, nosed.z * cos(r) + nosed.x * sin(r))
  }

  /// Returns the position at a time in a figure of eight, which turns the device about all its axes.
  static func inFigureOfEight(at seconds: Double) -> Held {
    Held(
      heading: 40 * seconds, pitch: 70 * sin(2 * .pi * seconds / 3), roll: 60 * sin(2 * .pi * seconds / 1.5))
  }

  /// The earth's field in µT, to the east, to the north and up.
  static let earth = SIMD3<Double>(0, 20, -44)

  /// Returns the reading of a magnetometer in a device with the field `own` of its own.
  func field(_ own: SIMD3<Double>, _ chance: inout Chance, noise: Double = 0.5, at time: HostTime) -> Field {
    let value = seen(Held.earth) + own
    func part(_ number: Double) -> Float { Float(number + noise * chance.normal()) }
    return Field(time: time, x: part(value.x), y: part(value.y), z: part(value.z))
  }
}
