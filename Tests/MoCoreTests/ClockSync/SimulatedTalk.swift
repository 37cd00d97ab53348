import MoCore
import MoSessionCore

/// The packets of one run over a `SimulatedNetwork`, and the truth.
struct SimulatedTalk {
  var network: SimulatedNetwork
  /// The other clock's lead at local time zero, in nanoseconds; its relative rate; the growth of the rate per second.
  var offset = 1e12
  var rate = 50e-6
  var wander = 0.0
  /// The local time of the first packet, in seconds.
  var start = 0.0 { didSet { now = start * 1e9 } }
  /// The jump of the other clock in nanoseconds, and its local time in seconds.
  var step = (at: Double.infinity, by: 0.0)
  /// The time without packets, in seconds.
  var silence = 0.0..<0
  /// The exchanges per second: in the first two seconds, until 15 s, and later.
  var pace = (20.0, 8.0, 4.0)

  private(set) var random: TestRandom
  private var now = 0.0
  private var losing = false

  init(_ network: SimulatedNetwork, seed: UInt64) {
    self.network = network
    random = TestRandom(seed: seed)
    rate *= random.uniform() < 0.5 ? -1 : 1
  }

  /// Returns the other clock minus the local one, in nanoseconds, `seconds` after the start by the local clock.
  func truth(_ seconds: Double) -> Double {
    offset + (rate + wander * seconds / 2) * seconds * 1e9 + (seconds < step.at ? 0 : step.by)
  }

  /// The result of an exchange: packets of either direction, or of both, may be lost.
  struct Packet {
    var exchange: ClockExchange
    var outLost = false
    var backLost = false
    /// The time when the last packet has arrived, in local nanoseconds.
    var arrives: Double
  }

  /// Returns the next exchange.
  mutating func next() -> Packet {
    let pause = 1e9 / (now < start * 1e9 + 2e9 ? pace.0 : now < 15e9 ? pace.1 : pace.2)
    now += pause * (0.9 + 0.2 * random.uniform())
    return exchange(at: now)
  }

  /// Returns an exchange that starts at a local time, in nanoseconds.
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

  /// Returns all exchanges of a number of seconds, in the order of their arrival.
  mutating func packets(seconds: Double) -> [Packet] {
    var all: [Packet] = []
    while now < seconds * 1e9 { all.append(next()) }
    return all.sorted { $0.arrives < $1.arrives }
  }

  /// Runs a number of seconds of exchanges, and reports the estimate with the true offset ten times a second.
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

  /// Returns whether the next packet is lost; losses come in bursts.
  ///
  /// - Source: E. Gilbert, *Capacity of a burst-noise channel*, 1960.
  private mutating func packetIsLost() -> Bool {
    let chance = losing ? 1 - 1 / network.burst : network.loss / network.burst
    losing = random.uniform() < chance
    return losing
  }
}
