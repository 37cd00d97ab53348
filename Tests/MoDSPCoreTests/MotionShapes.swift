import Glibc
import MoCore
import MoDSPCore

/// Random numbers that repeat.
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

  /// A normal number, by the method of Box and Muller (1958).
  mutating func normal() -> Double {
    (-2 * log(uniform(1e-12...1))).squareRoot() * cos(2 * .pi * uniform(0...1))
  }

  mutating func direction() -> SIMD3<Double> {
    let vector = SIMD3(normal(), normal(), normal())
    return vector / (vector * vector).sum().squareRoot()
  }
}

/// One shake: when it sets in and how it moves.
struct Shake: CustomStringConvertible {
  enum Shape: CaseIterable {
    /// One swing, one way.
    case halfSine
    /// There and back, a whole sine.
    case sine
    /// There and back in two unequal half-sines.
    case uneven
    /// Swings that die away.
    case damped
    /// Several swings under one arch.
    case burst

    /// How many swings one way or the other it has.
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
  /// In seconds.
  var length: Double
  /// In g: the largest value of the movement.
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
    // e^{-3p} sin 4πp is largest, 0.695, near p = 0.107.
    case .damped: value = exp(-3 * part) * sin(4 * .pi * part) / 0.695
    case .burst: value = sin(.pi * part) * sin(4 * .pi * part) / 0.77
    }
    return axis * (peak * value)
  }
}

/// A player: shakes over gravity, with the tremble and drift of a real sensor.
struct Performance {
  var shakes: [Shake] = []
  var gravity = SIMD3(0.0, 0, 1)
  /// Standard deviation of each axis, in g.
  var noise = 0.0
  /// How far the zero wanders, in g.
  var drift = 0.0
  var seconds: Double

  func acceleration(at time: Double) -> SIMD3<Double> {
    var sum = gravity
    for shake in shakes where time >= shake.onset && time < shake.onset + shake.length {
      sum += shake.acceleration(at: time)
    }
    return sum + SIMD3(sin(0.7 * time), cos(0.3 * time), sin(0.11 * time + 1)) * drift
  }

  /// What a sensor of this rate makes of it.
  ///
  /// - Parameter jitter: how far the stamps stray from the even grid, as a part of the interval.
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
  /// Reads them all; what each said.
  static func play(_ readings: [(time: HostTime, value: SIMD3<Float>)]) -> [Motion] {
    var features = MotionFeatures()
    return readings.compactMap {
      features.read(time: $0.time, x: $0.value.x, y: $0.value.y, z: $0.value.z)
    }
  }
}

extension [Motion] {
  /// When the strikes were, in seconds of the performance.
  var strikeTimes: [Double] { filter { $0.jerk != nil }.map { $0.time.seconds - 100 } }
}
