/// What is known of another clock at one moment of the own one.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct ClockEstimate: Hashable, Sendable, BitwiseCopyable {
  /// The moment of the own clock that it holds for.
  public var at: HostTime
  /// The other clock less the own one at that moment, in nanoseconds.
  public var offset: Int64
  /// How much faster the other clock runs: 50e-6 is 50 ppm, negative where slower.
  public var rate: Double
  /// How far `offset` may be wrong, in nanoseconds, whatever the network does.
  ///
  /// From the one thing that is certain, that no packet arrives before it was sent: about half of
  /// `leastRoundTrip`, plus what the rate's uncertainty adds since the last packets. Two ways of
  /// different length are covered. Exceeded only where the rate is off by more than two standard deviations.
  public var errorBound: Double
  /// How far `offset` may be wrong, in nanoseconds, if the fastest packets take equally long both ways.
  ///
  /// Holds in 95 of 100 cases; queues may differ from one way to the other. What remains to the truth is half
  /// the difference of the two shortest ways, which nobody can measure from the ends.
  public var symmetricBound: Double
  /// Time there and back without the other's thinking time, smoothed, in nanoseconds.
  public var roundTrip: Double
  /// The shortest way there and the shortest back of late, in nanoseconds.
  public var leastRoundTrip: Double
  /// Share of exchanges that came to nothing, smoothed, 0…1.
  public var loss: Double

  /// An estimate from its parts, in nanoseconds but for the relative `rate` and the share `loss`.
  @inlinable
  public init(
    at: HostTime, offset: Int64, rate: Double, errorBound: Double, symmetricBound: Double, roundTrip: Double,
    leastRoundTrip: Double, loss: Double
  ) {
    (self.at, self.offset, self.rate) = (at, offset, rate)
    (self.errorBound, self.symmetricBound) = (errorBound, symmetricBound)
    (self.roundTrip, self.leastRoundTrip, self.loss) = (roundTrip, leastRoundTrip, loss)
  }

  /// The other clock's time at any moment of the own clock.
  @inlinable
  public func other(at own: HostTime) -> HostTime {
    let drift = Double(own.nanoseconds &- at.nanoseconds) * rate
    return HostTime(nanoseconds: own.nanoseconds &+ offset &+ Int64(drift.rounded()))
  }

  /// How good the connection is for playing together, from 0 to 1.
  ///
  /// 1 is exact and without loss; a millisecond of `symmetricBound` halves it, loss takes its share.
  @inlinable
  public var quality: Double { max(0, 1 - loss) / (1 + symmetricBound * 1e-6) }
}
