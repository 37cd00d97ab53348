import Glibc

/// The delay of a packet in one direction, in nanoseconds: a minimum, and a tail of some shape above it.
///
/// The parameters are fitted so that round trips have the named percentiles. There are several shapes for each, so that
/// nothing is tuned to one of them. `hump` is the hardest: hardly any packet comes near the minimum.
enum SimulatedDelay: Sendable {
  case constant(Double)
  case gaussian(middle: Double, deviation: Double)
  case logNormal(floor: Double, median: Double, sigma: Double)
  case gamma(floor: Double, scale: Double, shape: Double)
  /// Exponential; with probability `slow`, it is `longer` times longer.
  case exponential(floor: Double, scale: Double, slow: Double, longer: Double)
  case twoState(floor: Double, quick: Double, slow: Double, mean: Double)
  case hump(floor: Double, scale: Double, slow: Double, longer: Double)

  func draw(_ random: inout TestRandom) -> Double {
    switch self {
    case .constant(let delay): delay
    case .gaussian(let middle, let deviation): max(0, middle + deviation * random.gaussian())
    case .logNormal(let floor, let median, let sigma): floor + median * exp(sigma * random.gaussian())
    case .gamma(let floor, let scale, let shape): floor + scale * random.gamma(shape)
    case .exponential(let floor, let scale, let slow, let longer):
      floor + scale * random.exponential() * (random.uniform() < slow ? longer : 1)
    case .twoState(let floor, let quick, let slow, let mean):
      floor + quick * abs(random.gaussian()) + (random.uniform() < slow ? mean * random.exponential() : 0)
    case .hump(let floor, let scale, let slow, let longer):
      floor + scale * random.gamma(3) * (random.uniform() < slow ? longer : 1)
    }
  }
}

extension TestRandom {
  /// Returns a gamma variate (Marsaglia and Tsang 2000).
  mutating func gamma(_ shape: Double) -> Double {
    if shape < 1 { return gamma(shape + 1) * pow(1 - uniform(), 1 / shape) }
    let d = shape - 1 / 3.0
    let c = 1 / (9 * d).squareRoot()
    while true {
      let x = gaussian()
      let v = pow(1 + c * x, 3)
      if v > 0, log(1 - uniform()) < 0.5 * x * x + d - d * v + d * log(v) { return d * v }
    }
  }
}
