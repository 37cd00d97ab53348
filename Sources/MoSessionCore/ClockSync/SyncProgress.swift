import MoCore

/// A member's progress in synchronising with the shared clock.
package struct SyncProgress: Sendable {
  /// The largest possible error of the last estimate of the shared clock, in nanoseconds.
  ///
  /// The value is 0 for the keeper, and infinite while the shared clock is not known.
  private(set) var bound = Double.infinity
  private var symmetric = Double.infinity
  /// The growth of `bound` while no packets arrive, in nanoseconds per nanosecond.
  private var growth = SyncProgress.wander
  private var since: HostTime?
  /// Whether this member has been the keeper: other members then follow its clock, and its beat is audible.
  private var wasKeeper = false
  private var last: HostTime?
  private(set) var roundTrip = 0.0
  private(set) var loss = 0.0
  /// The member from which the time is read; nil for the keeper, and before such a member was found.
  package var source: MemberID?
  /// The time at which the clock will jump, because a correction is too large for slewing; nil if no jump is planned.
  package var correctAt: HostTime?

  /// The seconds after the first estimate in which a newcomer's clock may jump.
  ///
  /// The newcomer is not audible before the next bar line.
  static let arrival = 1.5
  /// The largest correction of the clock, in ns, that is made by slewing.
  ///
  /// This takes 16 s if both crystals have the same rate, and 27 s if their rates differ by 200 ppm.
  static let mostSlew = 8e6

  /// The least value of `growth`: a crystal's relative rate may wander by 1 ppm.
  private static let wander = 1e-6

  /// Whether the shared clock is known.
  var isKnown: Bool { bound.isFinite }

  /// Makes this member's clock the shared clock.
  package mutating func becomeKeeper() {
    (bound, symmetric, last, growth, correctAt, source) = (0, 0, nil, 0, nil, nil)
    wasKeeper = true
  }

  mutating func update(
    _ estimate: ClockEstimate, _ combined: ClockEstimate, growth: Double, at now: HostTime
  ) {
    if since == nil { since = now }
    last = now
    self.growth = max(Self.wander, growth)
    bound = combined.errorBound
    symmetric = combined.symmetricBound
    roundTrip = estimate.roundTrip
    loss = estimate.loss
  }

  /// Returns whether this member is a newcomer, so that its clock may still jump.
  ///
  /// The result is false if this member has been the keeper.
  package func isArriving(at now: HostTime) -> Bool {
    guard !wasKeeper else { return false }
    guard let since else { return true }
    return now.seconds(since: since) < Self.arrival
  }

  /// Returns the error bounds in nanoseconds while no clock can be measured.
  ///
  /// They are the bounds of the last estimate, plus the drift since that estimate.
  func bounds(at now: HostTime) -> (guaranteed: Double, likely: Double) {
    (bound + drift(at: now), symmetric + drift(at: now))
  }

  private func drift(at now: HostTime) -> Double {
    last.map { now.seconds(since: $0) * growth * 1e9 } ?? 0
  }
}
