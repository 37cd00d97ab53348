import MoCore
import MoSessionCore

/// The packets of one run over a `SimulatedNetwork`, and the truth.
struct SimulatedTalk {
  var network: SimulatedNetwork
  /// The other clock's lead at own time zero, in nanoseconds; its relative rate; and how that grows a second.
  var offset = 1e12
  var rate = 50e-6
  var wander = 0.0
  /// The own second of the first packet.
  var start = 0.0 { didSet { now = start * 1e9 } }
  /// By how many nanoseconds the other clock jumps, and at which own second.
  var step = (at: Double.infinity, by: 0.0)
  /// When no packet passes, in seconds.
  var silence = 0.0..<0
  /// Exchanges a second: in the first two seconds, until 15 s, and later.
  var pace = (20.0, 8.0, 4.0)

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
    offset + (rate + wander * seconds / 2) * seconds * 1e9 + (seconds < step.at ? 0 : step.by)
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
    let pause = 1e9 / (now < start * 1e9 + 2e9 ? pace.0 : now < 15e9 ? pace.1 : pace.2)
    now += pause * (0.9 + 0.2 * random.uniform())
    return exchange(at: now)
  }

  /// An exchange that starts at an own time, in nanoseconds.
  mutating func exchange(at sent: Double) -> Packet {
    let received = sent + network.out.draw(&random)
    let answered = received + 20e3
    let returned = answered + network.back.draw(&random)
    let silent = silence.contains(sent * 1e-9)
    let lost = (packetIsLost() || silent, packetIsLost() || silent)
    let exchange = ClockExchange(
      sent: own(sent), received: other(received), answered: other(answered), returned: own(returned))
    return Packet(exchange: exchange, outLost: lost.0, backLost: lost.0 || lost.1, arrives: returned)
  }

  /// All exchanges of so many seconds, in the order of their arrival.
  mutating func packets(seconds: Double) -> [Packet] {
    var all: [Packet] = []
    while now < seconds * 1e9 { all.append(next()) }
    return all.sorted { $0.arrives < $1.arrives }
  }

  /// Runs so many seconds of talk and shows the estimate ten times a second, with the true offset.
  func run(
    seconds: Double, into comparison: inout ClockComparison,
    show: (Double, ClockEstimate, Double) -> Void = { _, _, _ in }
  ) {
    var talk = self
    var tick = Int(start * 10) + 1
    for packet in talk.packets(seconds: seconds) {
      while Double(tick) * 1e8 < packet.arrives {
        let elapsed = Double(tick) * 0.1
        tick += 1
        guard let estimate = comparison.estimate(at: HostTime(seconds: elapsed)) else { continue }
        show(elapsed, estimate, truth(elapsed))
      }
      if packet.backLost { comparison.addLoss() } else { comparison.add(packet.exchange) }
    }
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
