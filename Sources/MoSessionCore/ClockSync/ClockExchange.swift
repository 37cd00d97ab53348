import MoCore

/// One question and answer between two clocks: a ping that carried its time, and the pong that came back.
///
/// Stamps should be taken as near to the wire as can be had; for received packets the kernel's
/// (SO_TIMESTAMPNS), since a thread that wakes late looks like a slow network.
///
/// - Source: NTP's on-wire protocol, D. Mills et al., RFC 5905 (2010), § 8.
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct ClockExchange: Hashable, Sendable, BitwiseCopyable {
  /// When the ping left, by the own clock.
  public var sent: HostTime
  /// When the ping arrived, by the other's clock.
  public var received: HostTime
  /// When the pong left, by the other's clock.
  public var answered: HostTime
  /// When the pong arrived, by the own clock.
  public var returned: HostTime

  /// An exchange from its four stamps.
  @inlinable
  public init(sent: HostTime, received: HostTime, answered: HostTime, returned: HostTime) {
    (self.sent, self.received, self.answered, self.returned) = (sent, received, answered, returned)
  }

  /// Nanoseconds on the way, there and back, without the other's thinking time.
  @inlinable
  public var roundTrip: Int64 {
    (returned.nanoseconds &- sent.nanoseconds) &- (answered.nanoseconds &- received.nanoseconds)
  }

  /// What a packet that went out says of the clocks.
  @inlinable
  public var outbound: ClockCrossing { ClockCrossing(own: sent, other: received) }

  /// What a packet that came in says of the clocks.
  @inlinable
  public var inbound: ClockCrossing { ClockCrossing(own: returned, other: answered) }
}

/// A packet's two stamps, one at either end: half an exchange.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct ClockCrossing: Hashable, Sendable, BitwiseCopyable {
  /// When it left or arrived here, by the own clock.
  public var own: HostTime
  /// When it left or arrived there, by the other's clock.
  public var other: HostTime

  /// A crossing from the stamps at both ends.
  @inlinable
  public init(own: HostTime, other: HostTime) { (self.own, self.other) = (own, other) }
}
