import MoCore

/// A tapped tempo: the mean of the last taps.
struct TapTempo: Sendable {
  private var taps: [HostTime] = []

  /// The most taps that count.
  private static let most = 5
  /// Seconds after which a tap starts a new series: 20 beats per minute.
  private static let longest = 3.0

  /// Adds a tap; returns the tempo in beats per minute, or nil for the first tap or a tempo out of range.
  mutating func tap(at now: HostTime) -> Double? {
    if let last = taps.last, now.seconds(since: last) > Self.longest { taps = [] }
    taps = (taps + [now]).suffix(Self.most)
    guard let first = taps.first, taps.count > 1 else { return nil }
    let tempo = 60 * Double(taps.count - 1) / now.seconds(since: first)
    return Tempo.range.contains(tempo) ? tempo.rounded() : nil
  }
}
