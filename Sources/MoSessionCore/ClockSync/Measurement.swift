import MoCore

/// The measurement of a member's clock: unanswered pings, and the comparison from the pongs.
package struct Measurement: Sendable {
  package var comparison = ClockComparison()
  var nextPing: HostTime
  /// The number of complete exchanges.
  var exchanges = 0
  private var number: Int32 = 0
  private var out: [(number: Int32, sent: HostTime)] = []

  /// Seconds after which an answer counts as lost.
  private static let timeout = 1.5
  private static let most = 48

  package init(now: HostTime) { nextPing = now }

  /// Registers a ping that leaves now; returns its number.
  package mutating func ping(at now: HostTime) -> Int32 {
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
  package func combined(with estimate: ClockEstimate) -> ClockEstimate {
    let theirs = estimate.other(at: estimate.at)
    let elapsed = Double(theirs.nanoseconds &- host.nanoseconds)
    let session =
      session.nanoseconds &+ (theirs.nanoseconds &- host.nanoseconds) &+ Int64((elapsed * rate).rounded())
    var combined = estimate
    combined.offset = session &- estimate.at.nanoseconds
    combined.rate = (1 + estimate.rate) * (1 + rate) - 1
    combined.errorBound += bound
    combined.symmetricBound += bound
    return combined
  }
}

/// An exchange between two clocks: a ping that carried its time of departure, and the pong that answered it.
///
/// Take timestamps as near to the wire as possible. For received packets use the kernel's timestamps
/// (SO_TIMESTAMPNS): otherwise a thread that wakes late looks like a slow network.
///
/// - Source: NTP's on-wire protocol, D. Mills et al., RFC 5905 (2010), § 8.
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
package struct ClockExchange: Hashable, Sendable, BitwiseCopyable {
  /// The ping's departure, by the local clock.
  package var sent: HostTime
  /// The ping's arrival, by the other clock.
  package var received: HostTime
  /// The pong's departure, by the other clock.
  package var answered: HostTime
  /// The pong's arrival, by the local clock.
  package var returned: HostTime

  /// Creates an exchange from its four timestamps.
  @inlinable
  package init(sent: HostTime, received: HostTime, answered: HostTime, returned: HostTime) {
    (self.sent, self.received, self.answered, self.returned) = (sent, received, answered, returned)
  }

  /// The round-trip time in nanoseconds, without the other machine's processing time.
  @inlinable
  package var roundTrip: Int64 {
    (returned.nanoseconds &- sent.nanoseconds) &- (answered.nanoseconds &- received.nanoseconds)
  }

  /// The two timestamps of the outgoing packet.
  @inlinable
  package var outbound: ClockCrossing { ClockCrossing(own: sent, other: received) }

  /// The two timestamps of the incoming packet.
  @inlinable
  package var inbound: ClockCrossing { ClockCrossing(own: returned, other: answered) }
}

/// The two timestamps of a packet, one from each end: half an exchange.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
package struct ClockCrossing: Hashable, Sendable, BitwiseCopyable {
  /// The packet's departure or arrival here, by the local clock.
  package var own: HostTime
  /// The packet's departure or arrival at the other machine, by the other clock.
  package var other: HostTime

  /// Creates a crossing from the timestamps at both ends.
  @inlinable
  package init(own: HostTime, other: HostTime) { (self.own, self.other) = (own, other) }
}
