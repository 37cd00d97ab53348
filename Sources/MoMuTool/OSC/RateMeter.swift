import MoCore

/// How often messages come, for each sender and address.
struct RateMeter {
  struct Source: Hashable {
    var sender: String
    var address: String
  }

  /// Those of the last messages whose intervals are averaged.
  private static let window = 16
  /// After so many seconds without a message the counting starts anew.
  private static let longestPause = 2.0
  /// Senders may make up addresses without end; beyond this many, all is forgotten.
  private static let mostSources = 4_096

  /// By a hash of each source: addresses may be as long as a datagram.
  private var arrivals: [Int: [HostTime]] = [:]

  /// Takes note of a message; the messages a second at its source, nil for the first.
  mutating func rate(of source: Source, at time: HostTime) -> Double? {
    let key = source.hashValue
    if arrivals.count >= Self.mostSources && arrivals[key] == nil { arrivals = [:] }
    var recent = arrivals[key, default: []]
    if let last = recent.last, time.seconds(since: last) > Self.longestPause { recent = [] }
    if recent.count == Self.window { recent.removeFirst() }
    recent.append(time)
    arrivals[key] = recent
    let span = time.seconds(since: recent[0])
    return span > 0 ? Double(recent.count - 1) / span : nil
  }
}
