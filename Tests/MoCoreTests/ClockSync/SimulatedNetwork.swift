import MoCore
import Testing

/// Two machines, each with its crystal, and the network between them; in virtual time, seeded.
struct SimulatedNetwork: Sendable, CustomTestStringConvertible {
  var name: String
  var out: SimulatedDelay
  var back: SimulatedDelay
  /// The share of lost packets, and the mean length of a burst of losses.
  var loss = 0.0
  var burst = 1.0
  /// The wanted error at p95 from 10 s on, in nanoseconds; and that after one or two seconds.
  var wanted: Double
  var wantedSoon: Double
  var soon: Double

  var testDescription: String { name }

  static let wire = wired(.gaussian(middle: 150e3, deviation: 14e3))

  /// Networks with round trips of 3.9, 5.5 and 7.9 ms at p50, p95 and p99.
  static let good: [Self] = [
    good("log-normal", .logNormal(floor: 1.801e6, median: 104.6e3, sigma: 1.4186)),
    good("gamma", .gamma(floor: 1.947e6, scale: 2.247e6, shape: 0.0636)),
    good("exponential", .exponential(floor: 1.604e6, scale: 389.9e3, slow: 0.04, longer: 5.207)),
    good("two-state", .twoState(floor: 1.551e6, quick: 280.2e3, slow: 0.0293, mean: 3.79e6)),
  ]

  /// Networks with round trips of 10.4, 34 and 78 ms at p50, p95 and p99.
  static let bad: [Self] = [
    bad("log-normal", .logNormal(floor: 3.74e6, median: 923.8e3, sigma: 1.6682)),
    bad("gamma", .gamma(floor: 5.193e6, scale: 44.58e6, shape: 0.0458)),
    bad("exponential", .exponential(floor: 3.448e6, scale: 1.668e6, slow: 0.1, longer: 12.31)),
    bad("two-state", .twoState(floor: 4.271e6, quick: 935e3, slow: 0.121, mean: 17.15e6)),
  ]

  static let humps: [Self] = [
    good("hump", .hump(floor: 1.384e6, scale: 173.4e3, slow: 0.08, longer: 4.007)),
    bad("hump", .hump(floor: 2.038e6, scale: 993.1e3, slow: 0.08, longer: 9.494)),
  ]

  /// A network on which the fastest packets take the same time both ways, but queues do not.
  static let lopsided = Self(
    name: "good out, bad back", out: good[2].out,
    back: .exponential(floor: 1.604e6, scale: 1.668e6, slow: 0.1, longer: 12.31), loss: 0.03, burst: 4,
    wanted: 250e3, wantedSoon: 3e6, soon: 2)

  static let all = [wire] + good + bad + humps

  private static func wired(_ delay: SimulatedDelay) -> Self {
    Self(name: "wire", out: delay, back: delay, wanted: 20e3, wantedSoon: 1e6, soon: 1)
  }
  private static func good(_ name: String, _ delay: SimulatedDelay) -> Self {
    Self(
      name: "good Wi-Fi, \(name)", out: delay, back: delay, loss: 0.002, wanted: 70e3, wantedSoon: 1e6,
      soon: 1)
  }
  private static func bad(_ name: String, _ delay: SimulatedDelay) -> Self {
    Self(
      name: "bad Wi-Fi, \(name)", out: delay, back: delay, loss: 0.03, burst: 4, wanted: 250e3,
      wantedSoon: 3e6,
      soon: 2)
  }
}
