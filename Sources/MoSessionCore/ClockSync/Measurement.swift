import MoCore

/// A member's clock being measured: pings that are out, and what the pongs have shown.
struct Measurement: Sendable {
  var comparison = ClockComparison()
  var nextPing: HostTime
  /// How many exchanges have ended well.
  var exchanges = 0
  private var number: Int32 = 0
  private var out: [(number: Int32, sent: HostTime)] = []

  /// After so long an answer is held to be lost.
  private static let timeout = 1.5
  private static let most = 48

  init(now: HostTime) { nextPing = now }

  /// Numbers a ping that leaves now.
  mutating func ping(at now: HostTime) -> Int32 {
    number &+= 1
    if out.count == Self.most { out.removeFirst() }
    out.append((number, now))
    return number
  }

  /// Takes in an answer; whether it was asked for, and is the first.
  mutating func receive(_ pong: SessionMessage.Pong, returned: HostTime) -> Bool {
    guard let index = out.firstIndex(where: { $0.number == pong.number && $0.sent == pong.sent }) else {
      return false
    }
    out.remove(at: index)
    exchanges += 1
    comparison.add(
      ClockExchange(sent: pong.sent, received: pong.received, answered: pong.answered, returned: returned))
    return true
  }

  /// Counts what has not been answered in time.
  mutating func expire(at now: HostTime) {
    while let first = out.first, now.seconds(since: first.sent) > Self.timeout {
      out.removeFirst()
      comparison.addLoss()
    }
  }

  /// The host's clock has stepped, or the machine has slept: what is out means nothing.
  mutating func forget() {
    out = []
    comparison.forget()
  }
}

/// A member's own map from its host clock to the shared one, as it tells others: a straight line.
public struct ClockMap: Hashable, Sendable {
  /// A moment of its host clock.
  public var host: HostTime
  /// The shared clock's time at that moment.
  public var session: SessionTime
  /// How much faster the shared clock runs than its own, relative.
  public var rate: Double
  /// How far it may be wrong, in nanoseconds.
  public var bound: Double

  /// A map from its parts.
  public init(host: HostTime, session: SessionTime, rate: Double, bound: Double) {
    (self.host, self.session, self.rate, self.bound) = (host, session, rate, bound)
  }

  /// The shared clock seen from here, when that member's clock is known.
  ///
  /// - Parameter estimate: its host clock as measured from here.
  func seen(through estimate: ClockEstimate) -> ClockEstimate {
    let theirs = estimate.other(at: estimate.at)
    let elapsed = Double(theirs.nanoseconds &- host.nanoseconds)
    let session =
      session.nanoseconds &+ (theirs.nanoseconds &- host.nanoseconds) &+ Int64((elapsed * rate).rounded())
    var seen = estimate
    seen.offset = session &- estimate.at.nanoseconds
    seen.rate = (1 + estimate.rate) * (1 + rate) - 1
    seen.errorBound += bound
    seen.symmetricBound += bound
    return seen
  }
}
