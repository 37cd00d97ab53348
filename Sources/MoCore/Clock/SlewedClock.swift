/// A clock that follows the estimates of another machine's clock smoothly, although the estimates jump.
///
/// The clock approaches each `ClockEstimate` gradually, and its time always increases. It removes the difference from
/// the estimate within a second or more, so that it stays within 500 ppm of the local clock's rate. As a change of
/// pitch, that is less than a cent. The clock jumps only to the first estimate, or by `settle(on:at:)`: when nothing
/// sounds, or at an announced bar line.
///
/// The clock is a plain value: between updates, it is a pure function of the local clock, so an audio thread can hold a
/// copy. Without updates, the clock reaches the last estimate, and continues at the rate of this estimate.
///
/// - Thread: any for a copy; updates come from one owner.
/// - Real-time safe: yes.
@frozen
public struct SlewedClock: Hashable, Sendable, BitwiseCopyable {
  // At local time `own` the followed line shows `other` + `fraction` ns and advances by 1 + `rate` per nanosecond.
  // Readers see `gap` ns more, which shrinks to 0 within `fade` ns.
  @usableFromInline var own: HostTime = .zero
  @usableFromInline var other: HostTime = .zero
  @usableFromInline var fraction = 0.0
  @usableFromInline var gap = 0.0
  @usableFromInline var fade = 1.0

  /// The ratio of the other machine's clock speed to the local clock's speed, minus 1, within ±400 ppm (400e-6).
  ///
  /// The value is positive if the other machine's clock is faster.
  public private(set) var rate = 0.0

  /// Whether the clock follows an estimate yet; until then it shows the local clock.
  public private(set) var hasStarted = false

  /// The largest difference between this clock's rate and the local clock's: 500 ppm.
  public static let steepest = 500e-6

  private static let shortestFade = 1e9
  private static let steepestRate = 400e-6

  /// Creates a clock that shows the local clock until it follows an estimate.
  public init() {}

  /// Returns the other clock's time at a moment of the local clock.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func other(at moment: HostTime) -> HostTime {
    let elapsed = Double(moment.nanoseconds &- own.nanoseconds)
    let bend = fraction + rate * elapsed + remaining(after: elapsed)
    return moment.advanced(byNanoseconds: (other.nanoseconds &- own.nanoseconds) &+ Int64(bend.rounded()))
  }

  /// Returns the local clock's time at a moment of the other clock, exact to a nanosecond.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func own(at moment: HostTime) -> HostTime {
    let elapsed = Double(moment.nanoseconds &- other.nanoseconds) - fraction
    // At the end of the fade, readers and line meet; before it, the slope is different.
    let fading = elapsed < fade * (1 + rate)
    let past = fading ? (elapsed - gap) / (1 + rate - gap / fade) : elapsed / (1 + rate)
    return own.advanced(
      byNanoseconds: (moment.nanoseconds &- other.nanoseconds) &+ Int64((past - elapsed - fraction).rounded())
    )
  }

  /// Returns the remaining difference between this clock and the last estimate, in nanoseconds.
  ///
  /// The result is positive if this clock is ahead of the estimate, and negative if this clock is behind.
  ///
  /// - Parameter moment: a time of the local clock.
  @inlinable
  public func gap(at moment: HostTime) -> Double {
    remaining(after: Double(moment.nanoseconds &- own.nanoseconds))
  }

  /// Makes the clock approach an estimate gradually from `now` on.
  ///
  /// The first estimate is an exception: the clock jumps to the first estimate.
  public mutating func follow(_ estimate: ClockEstimate, at now: HostTime) {
    guard hasStarted else { return settle(on: estimate, at: now) }
    let elapsed = Double(now.nanoseconds &- own.nanoseconds)
    let exact = fraction + rate * elapsed + remaining(after: elapsed)
    let shown = now.advanced(byNanoseconds: other.nanoseconds &- own.nanoseconds)
    settle(on: estimate, at: now)
    gap = Double(shown.nanoseconds &- other.nanoseconds) + (exact - fraction)
    fade = max(Self.shortestFade, abs(gap) / (Self.steepest - abs(rate)))
  }

  /// Makes the clock jump to an estimate; call it only when nothing sounds, or at an announced bar line.
  public mutating func settle(on estimate: ClockEstimate, at now: HostTime) {
    rate = max(-Self.steepestRate, min(Self.steepestRate, estimate.rate))
    own = now
    other = estimate.other(at: now)
    (fraction, gap, fade) = (0, 0, Self.shortestFade)
    hasStarted = true
  }

  @inlinable
  func remaining(after elapsed: Double) -> Double { elapsed < fade ? gap * (1 - elapsed / fade) : 0 }
}

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
