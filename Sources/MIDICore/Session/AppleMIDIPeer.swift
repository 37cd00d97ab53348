import MoCore

/// The state that this end of a session stores about a peer that has joined, or that is about to join.
struct AppleMIDIPeer: Sendable {
  enum Stage: Sendable { case invitingControl, invitingData, awaitingData, awaitingClock, joined }

  var stage: Stage
  /// Whether this end sent the invitation.
  let isInviter: Bool
  var token: UInt32
  /// The peer's SSRC; 0 until it is known.
  var source: UInt32
  /// The SSRC that the peer uses on its control port; 0 if the peer uses `source` on both ports.
  ///
  /// The two SSRCs differ in pymidi, a Python library for network MIDI.
  var controlSource: UInt32 = 0
  var name = ""
  var control: MIDIEndpoint
  var data: MIDIEndpoint
  var lastHeard: HostTime
  /// The time of the next invitation or clock comparison by this end, or of the timeout of an unfinished invitation.
  var next: HostTime
  var tries = 0
  /// The time at which the peer joined; `.distantPast` before the join.
  var joinedAt = HostTime.distantPast
  /// Whether a refused invitation with the peer's SSRC from another host has been reported.
  var hasReportedDuplicate = false
  var lastTick = HostTime.distantPast
  /// The times of the first and last clock comparisons that the peer began, and the longest time between two successive
  /// comparisons, in seconds.
  ///
  /// The property is nil before the first comparison.
  private(set) var comparisons: (first: HostTime, last: HostTime, longest: Double)?

  /// A random number of ticks (100 µs) that this end adds to all times that it sends to this peer.
  ///
  /// Other programs do not know this number. So a correct answer to a clock comparison proves that the peer receives
  /// datagrams at its address.
  let shift: UInt64
  private(set) var stamps = AppleMIDIStamps()
  /// The time that this end sent in the last clock comparison, in ticks of 100 µs; nil if no answer is expected.
  ///
  /// The peer's answer must repeat this time.
  var sentTime: UInt64?

  var sender: RTPMIDISender
  var receiver: RTPMIDIReceiver
  /// The number of the last packet that this end has confirmed to the peer; nil before the first confirmation.
  var confirmed: UInt16?
  /// The time of the last confirmation to the peer; `.distantPast` before the first confirmation.
  var confirmedAt = HostTime.distantPast
  /// Whether the peer's last packet was long, because of its journal of unconfirmed changes.
  var hasLongJournal = false

  /// Returns the time `now` on the clock that this end shows to the peer: the host time plus `shift`, in ticks of 100
  /// µs.
  func ticks(at now: HostTime) -> UInt64 {
    UInt64(bitPattern: now.nanoseconds / 100_000) &+ shift
  }

  /// Returns the RTP timestamp of a moment.
  func stamp(at time: HostTime) -> UInt32 { UInt32(truncatingIfNeeded: ticks(at: time)) }

  /// Updates `comparisons` when the peer begins a clock comparison.
  mutating func noteComparison(at now: HostTime) {
    guard let known = comparisons else {
      comparisons = (now, now, 0)
      return
    }
    comparisons = (known.first, now, max(known.longest, now.seconds(since: known.last)))
  }

  /// The seconds without a datagram after which the peer counts as lost.
  ///
  /// If this end sent the invitation, the timeout is 8 s. Otherwise, the peer begins the clock comparisons: MoMu every
  /// 2 s, macOS every 10 s after some quicker comparisons. The timeout is then 30 s, until the peer's first and last
  /// comparisons are 25 s apart. After that, it is three times the longest time between two comparisons, within 6 s to
  /// 60 s.
  var silence: Double {
    if isInviter { return AppleMIDISession.inviterSilence }
    guard let comparisons, comparisons.last.seconds(since: comparisons.first) >= 25 else { return 30 }
    return min(max(3 * comparisons.longest, 6), 60)
  }

  /// Stores the result of a clock comparison: this end's clock minus the peer's clock (`offset`), and the duration of
  /// the exchange (`roundTrip`); both in ticks of 100 µs.
  mutating func compare(offset: UInt64, roundTrip: UInt64) { stamps.add(offset, roundTrip) }

  /// Returns the host time of a timestamp of the peer.
  ///
  /// If the peer's clock is not known, or if the time is more than 5 s before or 1 s after `now`, the result is `now`.
  func moment(of stamp: UInt32, now: HostTime) -> HostTime {
    guard let offset = stamps.offset else { return now }
    let own = stamp &+ UInt32(truncatingIfNeeded: offset)
    let ticks = Int64(Int32(bitPattern: own &- self.stamp(at: now)))
    return (-50_000...10_000).contains(ticks) ? now.advanced(byNanoseconds: ticks * 100_000) : now
  }
}

/// The results of the last eight clock comparisons; the comparison with the fastest exchange determines the offset.
struct AppleMIDIStamps: Sendable {
  private var samples = InlineArray<8, (offset: UInt64, roundTrip: UInt64)>(repeating: (0, 0))
  private var count = 0

  /// This end's clock minus the peer's clock, in ticks of 100 µs; nil before the first comparison.
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
