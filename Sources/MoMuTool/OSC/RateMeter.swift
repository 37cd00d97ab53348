import MoCore

/// The rate of messages, for each sender and address.
struct RateMeter {
  struct Source: Hashable {
    var sender: String
    var address: String
  }

  /// The number of latest messages whose intervals are averaged.
  private static let window = 16
  /// Seconds without a message after which the average starts again.
  private static let longestPause = 2.0
  /// The limit of sources, since senders may invent any number of addresses; beyond it, all are forgotten.
  private static let mostSources = 4_096

  /// Arrival times by the hash of the source, since an address may be as long as a datagram.
  private var arrivals: [Int: [HostTime]] = [:]

  /// Counts a message; returns the messages per second from its source, nil for the first.
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
