/// An estimate of another clock at one moment of the local clock.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct ClockEstimate: Hashable, Sendable, BitwiseCopyable {
  /// The moment of the local clock at which the estimate holds.
  public var at: HostTime
  /// The other clock minus the local clock at that moment, in nanoseconds.
  public var offset: Int64
  /// The relative amount by which the other clock runs faster: 50e-6 is 50 ppm, negative if it is slower.
  public var rate: Double
  /// The largest possible error of `offset`, in nanoseconds, whatever the network does.
  ///
  /// It follows from the only certain fact: no packet arrives before it was sent. The bound is about half of
  /// `leastRoundTrip`, plus the rate's uncertainty since the last packets. It covers paths of different length. The
  /// real error exceeds the bound only if the rate is off by more than two standard deviations.
  public var errorBound: Double
  /// The largest likely error of `offset`, in nanoseconds, if the fastest packets take equally long both ways.
  ///
  /// The bound holds in 95 of 100 cases; queues may differ between the two directions. If the two shortest delays
  /// differ, half their difference is a further error, which cannot be measured from the ends of the path.
  public var symmetricBound: Double
  /// The smoothed round-trip time in nanoseconds, without the time that the other machine needed to answer.
  public var roundTrip: Double
  /// The sum of the recent shortest delays there and back, in nanoseconds.
  public var leastRoundTrip: Double
  /// The smoothed share of exchanges that failed, 0…1.
  public var loss: Double

  /// Creates an estimate from its parts, in nanoseconds except for the relative `rate` and the share `loss`.
  @inlinable
  public init(
    at: HostTime, offset: Int64, rate: Double, errorBound: Double, symmetricBound: Double, roundTrip: Double,
    leastRoundTrip: Double, loss: Double
  ) {
    (self.at, self.offset, self.rate) = (at, offset, rate)
    (self.errorBound, self.symmetricBound) = (errorBound, symmetricBound)
    (self.roundTrip, self.leastRoundTrip, self.loss) = (roundTrip, leastRoundTrip, loss)
  }

  /// Returns the other clock's time at any moment of the local clock.
  @inlinable
  public func other(at own: HostTime) -> HostTime {
    let drift = Double(own.nanoseconds &- at.nanoseconds) * rate
    return HostTime(nanoseconds: own.nanoseconds &+ offset &+ Int64(drift.rounded()))
  }

  /// The quality of the connection for playing together, from 0 to 1.
  ///
  /// 1 is exact and without loss. A `symmetricBound` of a millisecond halves the quality; a loss of 10 % reduces it
  /// by 10 %.
  @inlinable
  public var quality: Double { max(0, 1 - loss) / (1 + symmetricBound * 1e-6) }
}
