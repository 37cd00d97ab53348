/// Another machine's clock as readers may see it: continuous and always rising, whatever the estimates do.
///
/// It follows estimates gently: a difference fades over a second, or slower so that the clock stays within
/// 500 ppm of the own one's rate, which as a change of pitch is under a cent. It may jump only when told that
/// nobody listens, or at an announced bar line (`settle(on:at:)`).
///
/// A plain value: between updates a pure function of the own clock, so an audio thread can hold a copy. Without
/// updates it runs on at the last rate, the difference closed.
///
/// - Thread: any for a copy; one owner to update it.
/// - Real-time safe: yes.
@frozen
public struct SlewedClock: Hashable, Sendable, BitwiseCopyable {
  // At own time `own` the followed line shows `other` + `fraction` ns and advances 1 + `rate` a nanosecond; readers see
  // `gap` ns more, which is gone `fade` ns later.
  @usableFromInline var own: HostTime = .zero
  @usableFromInline var other: HostTime = .zero
  @usableFromInline var fraction = 0.0
  @usableFromInline var gap = 0.0
  @usableFromInline var fade = 1.0

  /// How much faster than the own clock the followed clock runs, relative.
  public private(set) var rate = 0.0

  /// Whether it follows anything yet: before that it shows the own clock.
  public private(set) var hasStarted = false

  /// The most by which the rate differs from the own clock's: 500 ppm.
  public static let steepest = 500e-6

  private static let shortestFade = 1e9
  private static let steepestRate = 400e-6

  /// The own clock, until it is told of another.
  public init() {}

  /// The other clock's time at a moment of the own one.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func other(at moment: HostTime) -> HostTime {
    let elapsed = Double(moment.nanoseconds &- own.nanoseconds)
    let bend = fraction + rate * elapsed + remaining(after: elapsed)
    return moment.advanced(byNanoseconds: (other.nanoseconds &- own.nanoseconds) &+ Int64(bend.rounded()))
  }

  /// The own clock's time at a moment of the other one, to a nanosecond.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func own(at moment: HostTime) -> HostTime {
    let elapsed = Double(moment.nanoseconds &- other.nanoseconds) - fraction
    // Where the fade ends, readers and line meet; before it the slope is another.
    let fading = elapsed < fade * (1 + rate)
    let past = fading ? (elapsed - gap) / (1 + rate - gap / fade) : elapsed / (1 + rate)
    return own.advanced(
      byNanoseconds: (moment.nanoseconds &- other.nanoseconds) &+ Int64((past - elapsed - fraction).rounded())
    )
  }

  /// How far it is still ahead of what it follows at a moment of the own clock, in nanoseconds.
  @inlinable
  public func gap(at moment: HostTime) -> Double {
    remaining(after: Double(moment.nanoseconds &- own.nanoseconds))
  }

  /// Follows an estimate from `now` on, without a step.
  ///
  /// The first one is believed at once.
  public mutating func follow(_ estimate: ClockEstimate, at now: HostTime) {
    guard hasStarted else { return settle(on: estimate, at: now) }
    let elapsed = Double(now.nanoseconds &- own.nanoseconds)
    let exact = fraction + rate * elapsed + remaining(after: elapsed)
    let shown = now.advanced(byNanoseconds: other.nanoseconds &- own.nanoseconds)
    settle(on: estimate, at: now)
    gap = Double(shown.nanoseconds &- other.nanoseconds) + (exact - fraction)
    fade = max(Self.shortestFade, abs(gap) / (Self.steepest - abs(rate)))
  }

  /// Jumps onto an estimate: only where nobody hears it.
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
