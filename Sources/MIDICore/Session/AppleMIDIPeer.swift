import MoCore

/// The sender or receiver of a datagram: an IPv6 address, or an IPv4 address mapped to IPv6, and a port.
public struct MIDIEndpoint: Hashable, Sendable, BitwiseCopyable {
  /// The address's first eight bytes.
  public var high: UInt64
  /// The address's last eight bytes.
  public var low: UInt64
  /// The number of the network interface, for a link-local IPv6 address; 0 for other addresses.
  public var scope: UInt32
  /// The UDP port.
  public var port: UInt16

  /// Creates an endpoint from its parts.
  public init(high: UInt64, low: UInt64, scope: UInt32 = 0, port: UInt16) {
    (self.high, self.low, self.scope, self.port) = (high, low, scope, port)
  }

  /// Creates an endpoint with an IPv4 address.
  public init(ipv4 address: UInt32, port: UInt16) {
    self.init(high: 0, low: 0xFFFF_0000_0000 | UInt64(address), port: port)
  }

  func isSameHost(as other: MIDIEndpoint) -> Bool { with(port: 0) == other.with(port: 0) }

  func with(port: UInt16) -> MIDIEndpoint { MIDIEndpoint(high: high, low: low, scope: scope, port: port) }
}

/// A member of a session as seen by this end, or a member that is about to join.
struct AppleMIDIPeer: Sendable {
  enum Stage: Sendable { case invitingControl, invitingData, awaitingData, awaitingClock, joined }

  var stage: Stage
  /// Whether this end sent the invitation.
  let isInviter: Bool
  var token: UInt32
  /// The peer's SSRC; 0 until it is known.
  var source: UInt32
  /// The SSRC of the peer's control port: in pymidi it differs from `source`; 0 if both are the same.
  var controlSource: UInt32 = 0
  var name = ""
  var control: MIDIEndpoint
  var data: MIDIEndpoint
  var lastHeard: HostTime
  /// The time of the next transmission or timeout.
  var next: HostTime
  var tries = 0
  var lastTick = HostTime.distantPast
  /// The times of the peer's first and last clock comparisons, and the most seconds between two of them.
  private(set) var comparisons: (first: HostTime, last: HostTime, longest: Double)?

  /// Random offset of this peer's clock comparisons and timestamps.
  ///
  /// The offset is unknown to other programs, so that an answer proves that the peer receives at its address.
  let shift: UInt64
  private(set) var stamps = AppleMIDIStamps()
  /// The time that this end sent last in a clock comparison; the peer's answer must repeat this time.
  var sentTime: UInt64?

  var sender: RTPMIDISender
  var receiver: RTPMIDIReceiver
  /// The last packet that this end has confirmed to the peer, and the time of that confirmation.
  var confirmed: UInt16?
  var confirmedAt = HostTime.distantPast

  /// Returns the clock that this peer sees, in ticks of 100 µs.
  func ticks(at now: HostTime) -> UInt64 {
    UInt64(bitPattern: now.nanoseconds / 100_000) &+ shift
  }

  /// Returns the RTP timestamp of a moment.
  func stamp(at time: HostTime) -> UInt32 { UInt32(truncatingIfNeeded: ticks(at: time)) }

  /// Records a clock comparison that the peer begins.
  mutating func noteComparison(at now: HostTime) {
    guard let known = comparisons else {
      comparisons = (now, now, 0)
      return
    }
    comparisons = (known.first, now, max(known.longest, now.seconds(since: known.last)))
  }

  /// The seconds without a datagram after which the peer counts as lost.
  ///
  /// An inviter sends clock comparisons at its own rate: MoMu every 2 s, macOS every 10 s after some quicker ones.
  var silence: Double {
    if isInviter { return AppleMIDISession.inviterSilence }
    guard let comparisons, comparisons.last.seconds(since: comparisons.first) >= 25 else { return 30 }
    return min(max(3 * comparisons.longest, 6), 60)
  }

  /// Records a complete clock comparison: our clock minus the peer's, and the duration of the exchange.
  mutating func compare(offset: UInt64, roundTrip: UInt64) { stamps.add(offset, roundTrip) }

  /// Returns the moment of the peer's timestamp; now if that is unknown, more than 5 s ago, or more than 1 s ahead.
  func moment(of stamp: UInt32, now: HostTime) -> HostTime {
    guard let offset = stamps.offset else { return now }
    let own = stamp &+ UInt32(truncatingIfNeeded: offset)
    let ticks = Int64(Int32(bitPattern: own &- self.stamp(at: now)))
    return (-50_000...10_000).contains(ticks) ? now.advanced(byNanoseconds: ticks * 100_000) : now
  }
}

/// The last clock comparisons; the one with the fastest exchange is used.
struct AppleMIDIStamps: Sendable {
  private var samples = InlineArray<8, (offset: UInt64, roundTrip: UInt64)>(repeating: (0, 0))
  private var count = 0

  /// Our clock minus the peer's, in ticks of 100 µs; nil before the first comparison.
  var offset: UInt64? {
    guard count > 0 else { return nil }
    var best = samples[0]
    for index in 1..<max(1, min(count, 8)) where samples[index].roundTrip < best.roundTrip {
      best = samples[index]
    }
    return best.offset
  }

  mutating func add(_ offset: UInt64, _ roundTrip: UInt64) {
    samples[count % 8] = (offset, roundTrip)
    count = count == 1 << 30 ? 8 : count + 1
  }
}
