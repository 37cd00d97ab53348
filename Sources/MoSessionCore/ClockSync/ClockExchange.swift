import MoCore

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
