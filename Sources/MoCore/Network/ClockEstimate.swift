/// An estimate of another machine's clock at a moment of the local clock.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct ClockEstimate: Hashable, Sendable, BitwiseCopyable {
  /// The moment of the local clock at which the estimate holds.
  public var at: HostTime
  /// The time of the other clock minus the time of the local clock at the moment `at`, in nanoseconds.
  public var offset: Int64
  /// The ratio of the other clock's speed to the local clock's speed, minus 1.
  ///
  /// If the other clock is faster by 50 ppm, the value is 50e-6. If the other clock is slower, the value is negative.
  public var rate: Double
  /// The largest error of `offset`, in nanoseconds, that the measured packet times allow.
  ///
  /// The bound assumes only that no packet arrives before it was sent. So the bound holds for any delays, and for paths
  /// of different length. The bound is about half of `leastRoundTrip`, plus the rate's uncertainty since the last
  /// packets. Only if the rate is off by more than two standard deviations, the real error can exceed the bound.
  public var errorBound: Double
  /// The largest likely error of `offset`, in nanoseconds, if the fastest packets take equally long both ways.
  ///
  /// The error is within this bound in 95 of 100 cases, even if slower packets wait longer in one direction. If the
  /// fastest packets take longer in one direction, half of the difference is a further error. The two machines cannot
  /// measure this further error.
  public var symmetricBound: Double
  /// The smoothed round-trip time in nanoseconds, without the time that the other machine needed to answer.
  public var roundTrip: Double
  /// The shortest recent delay to the other machine plus the shortest recent delay back, in nanoseconds.
  public var leastRoundTrip: Double
  /// The share of recent time requests that the other machine did not answer, 0…1.
  public var loss: Double

  /// Creates an estimate from its parts; see the properties for their units.
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
  /// Quality 1 means an exact clock and no lost exchange. If the clock may be wrong by 1 ms (`symmetricBound`), the
  /// quality is half as high. If 10 % of the exchanges are lost (`loss`), the quality is 10 % lower.
  @inlinable
  public var quality: Double { max(0, 1 - loss) / (1 + symmetricBound * 1e-6) }
}
