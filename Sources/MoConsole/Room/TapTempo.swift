import MoCore

/// A tempo that is tapped: the mean of the last taps.
struct TapTempo: Sendable {
  private var taps: [HostTime] = []

  /// Taps that count.
  private static let most = 5
  /// Seconds after which a tap begins anew: 20 beats per minute.
  private static let longest = 3.0

  /// Takes in a tap; the tempo in beats per minute, nil for the first tap and for what is no tempo.
  mutating func tap(at now: HostTime) -> Double? {
    if let last = taps.last, now.seconds(since: last) > Self.longest { taps = [] }
    taps = (taps + [now]).suffix(Self.most)
    guard let first = taps.first, taps.count > 1 else { return nil }
    let tempo = 60 * Double(taps.count - 1) / now.seconds(since: first)
    return Tempo.range.contains(tempo) ? tempo.rounded() : nil
  }
}
