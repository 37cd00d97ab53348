import Glibc
import MoOSC

/// Statistics of a tape's streams, in memory that does not grow with the tape's length.
///
/// A stream is the messages of an address; for `/momu/sensor`, the messages of a channel.
struct TapeContents {
  /// The streams, in the order of their first messages.
  private(set) var streams: [Stream] = []
  private(set) var messages = 0
  /// The time of the last message, in nanoseconds from the tape's start.
  private(set) var latest: Int64 = 0
  /// The number of messages of further streams, which have no statistics because there are already 1024 streams.
  private(set) var others = 0
  private var places: [Name: Int] = [:]

  /// The largest number of streams with statistics; there is a limit because senders may invent any number of
  /// addresses.
  private static let mostStreams = 1024

  /// The identity of a stream.
  struct Name: Hashable {
    var address: String
    /// The channel, which is the first value of a `/momu/sensor` message; nil for other addresses.
    var channel: String?
  }

  struct Stream {
    var name: Name
    /// The OSC type tags of the stream's first message, such as `ff`.
    var types: String
    var count = 0
    var first: Int64
    var last: Int64
    /// The longest interval between two successive messages of the stream, in nanoseconds.
    var longestPause: Int64 = 0
    /// The time at which the longest interval began, in nanoseconds from the tape's start.
    var longestPauseAt: Int64 = 0
    /// A histogram of the intervals between messages: for each key, the number of intervals and their sum in
    /// nanoseconds.
    ///
    /// The key is 100 times the natural logarithm of an interval's nanoseconds, rounded down; -1 for intervals of 0.
    fileprivate var intervals: [Int: (count: Int, sum: Int64)] = [:]
  }

  mutating func add(_ reading: OSCTapeReading) {
    messages += 1
    latest = max(latest, reading.nanoseconds)
    let message = reading.message
    let name = Name(
      address: message.address,
      channel: message.address == "/momu/sensor" ? message.arguments.first?.text : nil)
    guard let place = places[name] else {
      guard streams.count < Self.mostStreams else {
        others += 1
        return
      }
      places[name] = streams.count
      streams.append(
        Stream(
          name: name, types: message.typeTags, count: 1, first: reading.nanoseconds, last: reading.nanoseconds
        ))
      return
    }
    streams[place].add(reading.nanoseconds)
  }
}

extension TapeContents.Stream {
  fileprivate mutating func add(_ time: Int64) {
    count += 1
    let interval = max(0, time - last)
    if interval > longestPause { (longestPause, longestPauseAt) = (interval, last) }
    let alike = intervals[Self.bucket(interval)] ?? (0, 0)
    intervals[Self.bucket(interval)] = (alike.count + 1, alike.sum + interval)
    last = max(last, time)
  }

  /// Returns the histogram key of an interval in nanoseconds; intervals with the same key differ by about 1 % at most.
  private static func bucket(_ interval: Int64) -> Int {
    interval < 1 ? -1 : Int(log(Double(interval)) * 100)
  }

  /// The median interval between messages in seconds: the mean of the intervals in the histogram bucket of the median.
  ///
  /// Nil if there are no intervals or the median is 0.
  var usualInterval: Double? {
    let total = intervals.values.reduce(0) { $0 + $1.count }
    var seen = 0
    for (bucket, alike) in intervals.sorted(by: { $0.key < $1.key }) {
      seen += alike.count
      if seen * 2 >= total { return bucket < 0 ? nil : Double(alike.sum) / Double(alike.count) * 1e-9 }
    }
    return nil
  }

  /// The number of intervals that are at least ten times as long as `usualInterval`; 0 if `usualInterval` is nil.
  var pauses: Int {
    guard let usualInterval else { return 0 }
    // Ten times an interval of decades is more nanoseconds than an Int64 can hold.
    let least = Self.bucket(Int64(min(usualInterval * 1e10, 9e18)))
    return intervals.filter { $0.key >= least }.values.reduce(0) { $0 + $1.count }
  }
}
