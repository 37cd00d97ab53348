import MoCore

/// An estimator of another machine's clock, from packets with variable delays.
///
/// Add each exchange, or a single packet if its answer was lost; ask for an estimate at any time. Samples of the last
/// 20 s to two minutes count (longer on a noisy network), since a crystal's rate wanders; at most 512 packets each way.
/// The estimator detects a step of either clock, or a suspend, from three packets in a row that arrive before they can
/// have been sent. It then forgets all earlier samples, but keeps the rate.
///
/// Accuracy, with exchanges at `interval` and paths that differ in their queues only: 95 of 100 errors are below 5 µs
/// on a wire, 20 µs on good and 100 µs on bad Wi-Fi. Round trips take 4 to 8 ms on good Wi-Fi, and 10 to 78 ms on bad.
/// The figures hold from 10 s after the start. After 1 s, or at the end of 9 s without packets, errors are two to five
/// times as large. If hardly any packet is near the shortest delay, they are up to three times as large. See
/// `EnvelopeFitter`.
///
/// - Source: F. Cristian, *Probabilistic clock synchronization*, Distributed Computing 3 (1989), for the bound; D.
///   Mills et al., RFC 5905 (2010), for the exchange.
/// - Thread: one owner.
/// - Real-time safe: no; a fit takes up to 0.3 ms. A comparison has 24 kB, allocated only when it is created or copied.
package struct ClockComparison: Sendable {
  private var out = DelaySamples(capacity: capacity)
  private var back = DelaySamples(capacity: capacity)
  private var fitter = EnvelopeFitter(capacity: capacity)
  private var current: EnvelopeFit?

  /// The number of detected steps of either clock; a network path that suddenly becomes much shorter counts as a step,
  /// too.
  package private(set) var steps = 0

  /// The local time and the clocks' difference to which the samples are relative.
  private var reference: (own: Int64, difference: Int64)?
  private var earlyOut = EarlySamples()
  private var earlyBack = EarlySamples()
  private var prior = (rate: 0.0, variance: firstRate * firstRate)
  private var learningSince = 0.0
  private var fittedAt = 0.0
  private var roundTrip: Double?
  private var loss = 0.0

  private static let capacity = 512
  private static let shortestWindow = 20e9
  private static let longestWindow = 120e9

  /// The uncertainty of an unknown rate (two crystals of some 50 ppm each), as a standard deviation.
  ///
  /// A relative rate has no unit: 1e-6 is 1 ppm.
  private static let firstRate = 60e-6
  /// The uncertainty that a step or a suspend adds to a known rate, as a standard deviation.
  private static let keptRate = 3e-6

  /// The time, 10 s in ns, within which a second step means that the rate of a clock has changed.
  ///
  /// If no packets arrive for longer than this time, the last fitted rate still counts as known.
  private static let soon = 10e9

  /// The number of standard deviations that contain 95 of 100 errors, if the deviation is itself an estimate.
  private static let deviations = 2.6

  /// The constant part of the least size of a detected step, in ns.
  private static let leastStep = 100e3
  /// The variable part of the least size of a detected step, in standard deviations of the offset.
  private static let stepDeviations = 6.0

  private static let longestTrip: Int64 = 60_000_000_000

  /// The largest valid time or difference, 73 years in ns: a calculation with larger values would overflow.
  private static let farthest: UInt64 = 1 << 61

  /// Creates a comparison with an unknown clock.
  package init() {}

  /// Adds an exchange.
  ///
  /// An exchange that ends before it starts, or that took over a minute, is ignored.
  package mutating func add(_ exchange: ClockExchange) {
    guard exchange.returned >= exchange.sent, exchange.answered >= exchange.received,
      (0...Self.longestTrip).contains(exchange.roundTrip)
    else { return }
    let trip = Double(exchange.roundTrip)
    roundTrip = roundTrip.map { $0 + (trip - $0) / 8 } ?? trip
    loss -= loss / 32
    add(outbound: exchange.outbound)
    add(inbound: exchange.inbound)
  }

  /// Adds an outgoing packet whose time of arrival the other machine has reported.
  package mutating func add(outbound crossing: ClockCrossing) {
    guard let (time, difference) = place(crossing) else { return }
    let sample = DelaySamples.Sample(time: time, delay: difference)
    if let current, out.count >= Self.fewest, current.shortfall(out: sample) > leastStep(at: time) {
      if earlyOut.add(sample) { relearn(since: earlyOut[0].time) }
      return
    }
    earlyOut.removeAll()
    out.add(sample)
    refit(at: time)
  }

  /// Adds an incoming packet that carries its time of departure.
  package mutating func add(inbound crossing: ClockCrossing) {
    guard let (time, difference) = place(crossing) else { return }
    let sample = DelaySamples.Sample(time: time, delay: -difference)
    if let current, back.count >= Self.fewest, current.shortfall(back: sample) > leastStep(at: time) {
      if earlyBack.add(sample) { relearn(since: earlyBack[0].time) }
      return
    }
    earlyBack.removeAll()
    back.add(sample)
    refit(at: time)
  }

  /// Counts an exchange as lost, since its ping was not answered.
  ///
  /// The loss is a running mean over some 32 exchanges, 0 … 1.
  package mutating func addLoss() { loss += (1 - loss) / 32 }

  /// Returns the other clock's time at a local time; nil before a packet in each direction.
  package func estimate(at own: HostTime) -> ClockEstimate? {
    guard let current, let reference else { return nil }
    let time = Double(own.nanoseconds &- reference.own)
    let least = current.leastOut + current.leastBack
    let reach = current.reach(at: time)
    return ClockEstimate(
      at: own,
      offset: reference.difference &+ Int64(current.offset(at: time).rounded()),
      rate: current.rate,
      errorBound: reach,
      symmetricBound: min(reach, Self.deviations * current.deviation(at: time)),
      roundTrip: roundTrip ?? least, leastRoundTrip: least, loss: loss)
  }

  /// Forgets everything except the rate, after a known step or sleep of a clock.
  package mutating func forget() {
    keepRate()
    current = nil
    reference = nil
    out.removeAll()
    back.removeAll()
    earlyOut.removeAll()
    earlyBack.removeAll()
    (learningSince, fittedAt) = (0, 0)
  }

  /// The seconds to wait between two exchanges.
  ///
  /// This gives 20 exchanges a second for two seconds after the start and after a step, 8 a second until 15 s, then 4 a
  /// second. More exchanges improve the rate less than a longer span does.
  package var interval: Double {
    guard back.count > 0 else { return 0.05 }
    let learning = back[back.count - 1].time - learningSince
    return learning < 2e9 ? 0.05 : learning < 15e9 ? 0.125 : 0.25
  }

  /// The least number of samples in a direction for which the minimum of the delays is reliable.
  private static let fewest = 8

  private func leastStep(at time: Double) -> Double {
    Self.leastStep + Self.stepDeviations * (current?.deviation(at: time) ?? 0)
  }

  /// Returns a packet's local time and clock difference, each minus that of the reference, in ns; nil if invalid.
  ///
  /// The first packet becomes the reference.
  private mutating func place(_ crossing: ClockCrossing) -> (time: Double, difference: Double)? {
    let (own, other) = (crossing.own.nanoseconds, crossing.other.nanoseconds)
    guard own.magnitude < Self.farthest, other.magnitude < Self.farthest else { return nil }
    let reference = reference ?? (own, other - own)
    self.reference = reference
    let difference = other - own - reference.difference
    guard difference.magnitude < Self.farthest else { return nil }
    return (Double(own - reference.own), Double(difference))
  }

  /// Fits the lines to the samples again: at first after each packet, later once a second.
  private mutating func refit(at time: Double) {
    guard out.count > 0, back.count > 0, earlyOut.isEmpty, earlyBack.isEmpty else { return }
    let pause = min(1e9, (time - learningSince) / 50)
    guard current == nil || time - fittedAt >= pause else { return }
    // After a silence there may be no other samples left, but the rate is known.
    if time - fittedAt > Self.soon { keepRate() }
    let window = min(Self.longestWindow, max(Self.shortestWindow, current?.bestWindow ?? 0))
    out.drop(before: time - window)
    back.drop(before: time - window)
    guard out.count > 0, back.count > 0 else { return }
    let span = time - min(out[0].time, back[0].time)
    let fit = fitter.fit(out: out, back: back, prior: prior)
    fittedAt = time
    // A round trip in negative time: a clock stepped among the first few packets, at an unknown point.
    guard fit.leastOut + fit.leastBack > -leastStep(at: time) - Self.firstRate * span else {
      return relearn(since: time)
    }
    current = fit
  }

  /// Begins the estimate anew after a step of a clock, with only the packets that were sent or received since the step.
  private mutating func relearn(since time: Double) {
    steps += 1
    // Two steps in a short time mean that the rate changed, not the offset.
    if time - learningSince < Self.soon {
      prior = (0, Self.firstRate * Self.firstRate)
    } else {
      keepRate()
    }
    out.drop(before: time)
    back.drop(before: time)
    for index in 0..<earlyOut.count { out.add(earlyOut[index]) }
    for index in 0..<earlyBack.count { back.add(earlyBack[index]) }
    earlyOut.removeAll()
    earlyBack.removeAll()
    (learningSince, fittedAt) = (time, time)
    guard out.count > 0, back.count > 0 else {
      current = nil
      return
    }
    current = fitter.fit(out: out, back: back, prior: prior)
  }

  private mutating func keepRate() {
    guard let current else { return }
    prior = (current.rate, min(prior.variance, current.rateVariance + Self.keptRate * Self.keptRate))
  }
}
