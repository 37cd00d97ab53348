import MoCore

/// A meter for the rate of messages, separately for each sender and each of the sender's OSC addresses.
struct RateMeter {
  struct Source: Hashable {
    var sender: String
    var address: String
  }

  /// The maximum number of messages from which the rate of a source is computed; only the source's latest messages
  /// count.
  private static let window = 16
  /// The longest pause between two messages of a source, in seconds; after a longer pause, earlier messages do not
  /// count.
  private static let longestPause = 2.0
  /// The maximum number of sources, since a sender may invent any number of addresses.
  ///
  /// When a further source appears, the meter removes all sources.
  private static let mostSources = 4_096

  /// The arrival times of the latest messages, by the hash of their source.
  ///
  /// The meter stores no addresses, since an address may be as long as a datagram.
  private var arrivals: [Int: [HostTime]] = [:]

  /// Adds a message, and returns the messages per second from its source.
  ///
  /// The rate is nil for the first message of a source, and for the first message after a pause.
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
