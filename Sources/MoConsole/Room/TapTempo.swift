import MoCore

/// The tempo that a player taps: the mean over the last two to five taps.
struct TapTempo: Sendable {
  private var taps: [HostTime] = []

  /// The largest number of taps from which the tempo is computed; older taps are dropped.
  private static let most = 5
  /// The longest time between two taps of a series, in seconds: a beat at the slowest tempo, 20 beats per minute.
  ///
  /// A tap after a longer time starts a new series.
  private static let longest = 3.0

  /// Adds a tap; returns the tempo in whole beats per minute.
  ///
  /// The result is nil for the first tap of a series, and for a tempo outside 20 … 999.
  mutating func tap(at now: HostTime) -> Double? {
    if let last = taps.last, now.seconds(since: last) > Self.longest { taps = [] }
    taps = (taps + [now]).suffix(Self.most)
    guard let first = taps.first, taps.count > 1 else { return nil }
    let tempo = 60 * Double(taps.count - 1) / now.seconds(since: first)
    return Tempo.range.contains(tempo) ? tempo.rounded() : nil
  }
}
