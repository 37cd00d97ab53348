import MoCore

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
