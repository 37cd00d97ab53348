import Glibc
import MoCore
import MoDSPCore

/// A generator of repeatable random numbers.
///
/// - Source: Marsaglia, *Xorshift RNGs* (2003).
struct Dice {
  var state: UInt64

  init(_ seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    for _ in 0..<8 { _ = next() }
  }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * Double(next() >> 11) / Double(1 << 53)
  }

  /// A normally distributed number, by the method of Box and Muller (1958).
  mutating func normal() -> Double {
    (-2 * log(uniform(1e-12...1))).squareRoot() * cos(2 * .pi * uniform(0...1))
  }

  mutating func direction() -> SIMD3<Double> {
    let vector = SIMD3(normal(), normal(), normal())
    return vector / (vector * vector).sum().squareRoot()
  }
}

/// A shake: its onset and its movement.
struct Shake: CustomStringConvertible {
  enum Shape: CaseIterable {
    /// One swing in one direction.
    case halfSine
    /// There and back, a whole sine.
    case sine
    /// There and back in two unequal half-sines.
    case uneven
    /// Swings that decay.
    case damped
    /// Several swings under one envelope.
    case burst

    /// The number of swings in both directions.
    var halfWaves: Int {
      switch self {
      case .halfSine: 1
      case .sine, .uneven: 2
      case .damped, .burst: 4
      }
    }
  }

  var shape: Shape
  var onset: Double
  /// The onset, in seconds.
  var length: Double
  /// The largest value of the movement, in g.
  var peak: Double
  var axis: SIMD3<Double>

  var description: String { "\(shape) of \(peak) g and \(length) s at \(onset) s" }

  func acceleration(at time: Double) -> SIMD3<Double> {
    let part = (time - onset) / length
    guard part > 0, part < 1 else { return .zero }
    let value: Double
    switch shape {
    case .halfSine: value = sin(.pi * part)
    case .sine: value = sin(2 * .pi * part)
    case .uneven: value = part < 0.6 ? sin(.pi * part / 0.6) : -0.7 * sin(.pi * (part - 0.6) / 0.4)
    // e^{-3p} sin 4πp has its maximum, 0.695, near p = 0.107.
    case .damped: value = exp(-3 * part) * sin(4 * .pi * part) / 0.695
    case .burst: value = sin(.pi * part) * sin(4 * .pi * part) / 0.77
    }
    return axis * (peak * value)
  }
}

/// A player: shakes in addition to gravity, with the noise and drift of a real sensor.
struct Performance {
  var shakes: [Shake] = []
  var gravity = SIMD3(0.0, 0, 1)
  /// Standard deviation of each axis, in g.
  var noise = 0.0
  /// The range of the zero drift, in g.
  var drift = 0.0
  var seconds: Double

  func acceleration(at time: Double) -> SIMD3<Double> {
    var sum = gravity
    for shake in shakes where time >= shake.onset && time < shake.onset + shake.length {
      sum += shake.acceleration(at: time)
    }
    return sum + SIMD3(sin(0.7 * time), cos(0.3 * time), sin(0.11 * time + 1)) * drift
  }

  /// The readings of a sensor of this rate.
  ///
  /// - Parameter jitter: the deviation of the timestamps from the regular grid, as a fraction of the interval.
  func readings(
    rate: Double, jitter: Double = 0, dice: inout Dice
  ) -> [(time: HostTime, value: SIMD3<Float>)] {
    let phase = dice.uniform(0...1)
    return (0..<Int(seconds * rate)).map { index in
      let stray = jitter == 0 ? 0 : dice.uniform(-jitter...jitter)
      let time = (Double(index) + phase + stray) / rate
      let tremble = SIMD3(dice.normal(), dice.normal(), dice.normal()) * noise
      let value = SIMD3<Float>(acceleration(at: time) + tremble)
      return (HostTime(seconds: 100 + time), value)
    }
  }
}

extension MotionFeatures {
  /// Reads all readings and returns the motions.
  static func play(_ readings: [(time: HostTime, value: SIMD3<Float>)]) -> [Motion] {
    var features = MotionFeatures()
    return readings.compactMap {
      features.read(time: $0.time, x: $0.value.x, y: $0.value.y, z: $0.value.z)
    }
  }
}

extension [Motion] {
  /// The times of the strikes, in seconds of the performance.
  var strikeTimes: [Double] { filter { $0.strike != nil }.map { $0.time.seconds - 100 } }
}
