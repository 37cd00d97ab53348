import MoTime

/// Lets so many through a second, evenly.
///
/// Between any two moments that are T seconds apart it lets through T · rate + 1 at most, one more where the first of
/// them was late, since that puts off none that follow; of an even stream that is
/// faster, rate a second in the long run, whatever the two rates are.
struct RateLimit: Sendable {
  private let period: Int64
  /// When the next may go.
  private(set) var next = HostTime.distantPast

  /// - Parameter rate: a second, above 0.
  init(_ rate: Double) { period = Int64(1e9 / rate) }

  func allows(_ time: HostTime) -> Bool { time >= next }

  /// One goes now.
  mutating func note(_ time: HostTime) {
    // Moments on a grid: one that comes a little late does not put off all that follow it. After a pause the grid
    // begins anew, since what was not sent is not made up for.
    let onGrid = next == .distantPast ? next : next.advanced(byNanoseconds: period)
    next = onGrid > time ? onGrid : time.advanced(byNanoseconds: period)
  }
}
