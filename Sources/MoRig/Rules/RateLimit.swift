import MoCore

/// Lets so many through a second, evenly.
///
/// Between any two moments that are T seconds apart it lets through T · rate + 2 at most; of an even stream that is
/// faster, rate a second in the long run, whatever the two rates are.
///
/// Of a stream twice as fast, every second reading goes as it comes while it trembles by less than `lead` against the
/// first: the moments lie a little before its readings, and what was kept back waits a little for a newer one, which
/// goes in its place. One whose clock drifts against this machine's does so part of the time.
struct RateLimit: Sendable {
  private let period: Int64
  /// How long before an even stream's readings the moments lie: as much as readings tremble, in nanoseconds.
  private let lead: Int64
  /// When the next may go.
  private(set) var next = HostTime.distantPast

  /// - Parameter rate: a second, above 0.
  init(_ rate: Double) {
    period = Int64(1e9 / rate)
    lead = min(period / 8, 2_500_000)
  }

  func allows(_ time: HostTime) -> Bool { time >= next }

  /// When something that was kept back goes, unless a newer reading has gone in its place.
  var nextKept: HostTime { next.advanced(byNanoseconds: 2 * lead) }

  /// One goes now.
  mutating func note(_ time: HostTime) {
    // Moments on a grid: one that comes a little late does not put off all that follow it. After a pause the grid
    // begins anew, since what was not sent is not made up for.
    let onGrid = next == .distantPast ? next : next.advanced(byNanoseconds: period)
    next = onGrid > time ? onGrid : time.advanced(byNanoseconds: period - lead)
  }
}
