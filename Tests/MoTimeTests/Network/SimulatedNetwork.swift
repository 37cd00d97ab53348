import MoTime
import Testing

/// Two machines, each with its crystal, and what lies between them; virtual time, seeded.
struct SimulatedNetwork: Sendable, CustomTestStringConvertible {
  var name: String
  var out: SimulatedDelay
  var back: SimulatedDelay
  /// Share of packets lost, and how many in a row.
  var loss = 0.0
  var burst = 1.0
  /// Wanted at p95 from 10 s on, in nanoseconds; and after one or two seconds.
  var wanted: Double
  var wantedSoon: Double
  var soon: Double

  var testDescription: String { name }

  static let wire = wired(.gaussian(middle: 150e3, deviation: 14e3))

  /// Round trips of 3.9, 5.5 and 7.9 ms at p50, p95 and p99.
  static let good: [Self] = [
    good("log-normal", .logNormal(floor: 1.801e6, median: 104.6e3, sigma: 1.4186)),
    good("gamma", .gamma(floor: 1.947e6, scale: 2.247e6, shape: 0.0636)),
    good("exponential", .exponential(floor: 1.604e6, scale: 389.9e3, slow: 0.04, longer: 5.207)),
    good("two-state", .twoState(floor: 1.551e6, quick: 280.2e3, slow: 0.0293, mean: 3.79e6)),
  ]

  /// Round trips of 10.4, 34 and 78 ms at p50, p95 and p99.
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

/// The packets of one run over a `SimulatedNetwork`, and the truth.
struct SimulatedTalk {
  var network: SimulatedNetwork
  /// The other clock's lead at own time zero, in nanoseconds; its relative rate; and how that grows a second.
  var offset = 1e12
  var rate = 50e-6
  var wander = 0.0
  /// When no packet passes, in seconds.
  var silence = 0.0..<0
  /// Exchanges a second: in the first two seconds, and later.
  var pace = (20.0, 4.0)

  private(set) var random: TestRandom
  private var now = 0.0
  private var losing = false

  init(_ network: SimulatedNetwork, seed: UInt64) {
    self.network = network
    random = TestRandom(seed: seed)
    rate *= random.uniform() < 0.5 ? -1 : 1
  }

  /// The other clock less the own one, in nanoseconds, `seconds` after the start by the own.
  func truth(_ seconds: Double) -> Double {
    offset + (rate + wander * seconds / 2) * seconds * 1e9
  }

  /// What one exchange leaves behind: either way, or both, may be lost.
  struct Packet {
    var exchange: ClockExchange
    var outLost = false
    var backLost = false
    /// When the last of it is known, in own nanoseconds.
    var arrives: Double
  }

  /// The next exchange.
  mutating func next() -> Packet {
    let pause = 1e9 / (now < 2e9 ? pace.0 : pace.1)
    now += pause * (0.9 + 0.2 * random.uniform())
    let received = now + network.out.draw(&random)
    let answered = received + 20e3
    let returned = answered + network.back.draw(&random)
    let silent = silence.contains(now * 1e-9)
    let lost = (packetIsLost() || silent, packetIsLost() || silent)
    let exchange = ClockExchange(
      sent: own(now), received: other(received), answered: other(answered), returned: own(returned))
    return Packet(exchange: exchange, outLost: lost.0, backLost: lost.0 || lost.1, arrives: returned)
  }

  /// All exchanges of so many seconds, in the order of their arrival.
  mutating func packets(seconds: Double) -> [Packet] {
    var all: [Packet] = []
    while now < seconds * 1e9 { all.append(next()) }
    return all.sorted { $0.arrives < $1.arrives }
  }

  private func own(_ time: Double) -> HostTime { HostTime(nanoseconds: Int64(time.rounded())) }
  private func other(_ time: Double) -> HostTime {
    HostTime(nanoseconds: Int64((time + truth(time * 1e-9)).rounded()))
  }

  /// Whether the next packet is lost; losses come in bursts.
  ///
  /// - Source: E. Gilbert, *Capacity of a burst-noise channel*, 1960.
  private mutating func packetIsLost() -> Bool {
    let chance = losing ? 1 - 1 / network.burst : network.loss / network.burst
    losing = random.uniform() < chance
    return losing
  }
}
