import MoCore

/// The measurement of a member's clock: unanswered pings, and the comparison from the pongs.
struct Measurement: Sendable {
  var comparison = ClockComparison()
  var nextPing: HostTime
  /// The number of complete exchanges.
  var exchanges = 0
  private var number: Int32 = 0
  private var out: [(number: Int32, sent: HostTime)] = []

  /// Seconds after which an answer counts as lost.
  private static let timeout = 1.5
  private static let most = 48

  init(now: HostTime) { nextPing = now }

  /// Registers a ping that leaves now; returns its number.
  mutating func ping(at now: HostTime) -> Int32 {
    number &+= 1
    if out.count == Self.most { out.removeFirst() }
    out.append((number, now))
    return number
  }

  /// Processes an answer to a ping; returns false if this member waits for no such answer.
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

  /// Removes the pings that were not answered in time, and adds them to the measured loss.
  mutating func expire(at now: HostTime) {
    while let first = out.first, now.seconds(since: first.sent) > Self.timeout {
      out.removeFirst()
      comparison.addLoss()
    }
  }

  /// Drops the unanswered pings and the earlier exchanges, after a step of the host's clock or a sleep of the machine.
  mutating func forget() {
    out = []
    comparison.forget()
  }
}

/// The linear map from a member's host clock to the shared clock, as the member reports it.
package struct ClockMap: Hashable, Sendable {
  /// A time of the member's host clock.
  package var host: HostTime
  /// The time of the shared clock at the time `host`.
  package var session: SessionTime
  /// The relative rate by which the shared clock is faster than the member's host clock; 0 if they run equally fast.
  package var rate: Double
  /// The largest possible error of the map, in nanoseconds.
  package var bound: Double

  /// Creates a map from its parts.
  package init(host: HostTime, session: SessionTime, rate: Double, bound: Double) {
    (self.host, self.session, self.rate, self.bound) = (host, session, rate, bound)
  }

  /// Returns the nanoseconds by which this map differs from an earlier map of the same member.
  ///
  /// A difference that the member's gradual corrections of its shared clock can explain (0.1 % of the time between both
  /// maps) does not count.
  func jump(from earlier: ClockMap) -> Double {
    let elapsed = Double(host.nanoseconds &- earlier.host.nanoseconds)
    let shift = Double(
      (session.nanoseconds &- host.nanoseconds) &- (earlier.session.nanoseconds &- earlier.host.nanoseconds))
    return abs(shift - elapsed * earlier.rate) - abs(elapsed) * 0.001
  }

  /// Returns an estimate of the shared clock, by way of the host clock of the member that reported this map.
  ///
  /// - Parameter estimate: the estimate of that host clock, as measured from here.
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
