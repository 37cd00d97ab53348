import MoCore

/// How far a member has got in keeping the shared time.
struct SyncProgress: Sendable {
  /// How far the last estimate may be wrong, in nanoseconds; 0 for the keeper, infinite while nothing is known.
  private(set) var bound = Double.infinity
  private var symmetric = Double.infinity
  /// By how much that grows if no packet tells more, relative.
  private var growth = SyncProgress.wander
  private var since: HostTime?
  /// Whether the own clock was the shared one: others follow it, and its beat is heard.
  private var hasKept = false
  private var last: HostTime?
  private(set) var roundTrip = 0.0
  private(set) var loss = 0.0
  /// The member that the time is read from; nil for the keeper, and before any was found.
  var source: MemberID?
  /// When a correction that is too large to be slewed takes place.
  var correctAt: HostTime?

  /// A newcomer's clock may jump for so long (s): nobody hears it before the next bar line.
  static let arrival = 1.5
  /// The largest difference (ns) that is closed by slewing, in 20 s at most.
  static let farthestSlew = 8e6

  /// What a crystal may do to the rate once no packet tells it, relative.
  private static let wander = 1e-6

  /// Whether the shared clock is known at all.
  var isKnown: Bool { bound.isFinite }

  /// The own clock is the shared one.
  mutating func keep() {
    (bound, symmetric, last, growth, correctAt, source) = (0, 0, nil, 0, nil, nil)
    hasKept = true
  }

  mutating func update(
    _ estimate: ClockEstimate, _ seen: ClockEstimate, growth: Double, at now: HostTime
  ) {
    if since == nil { since = now }
    last = now
    self.growth = max(Self.wander, growth)
    bound = seen.errorBound
    symmetric = seen.symmetricBound
    roundTrip = estimate.roundTrip
    loss = estimate.loss
  }

  /// Whether the clock may still jump; not once it was the shared one.
  func isArriving(at now: HostTime) -> Bool {
    guard !hasKept else { return false }
    guard let since else { return true }
    return now.seconds(since: since) < Self.arrival
  }

  /// The bounds if the keeper is gone: the last known ones, and the drift since.
  func bounds(at now: HostTime) -> (surely: Double, likely: Double) {
    (bound + drift(at: now), symmetric + drift(at: now))
  }

  private func drift(at now: HostTime) -> Double {
    last.map { now.seconds(since: $0) * growth * 1e9 } ?? 0
  }
}
