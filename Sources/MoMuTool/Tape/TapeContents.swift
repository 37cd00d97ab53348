import Glibc
import MoOSC

/// Statistics of a tape's streams; the memory does not grow with the tape's length.
struct TapeContents {
  /// The streams, in the order of their first messages.
  private(set) var streams: [Stream] = []
  private(set) var messages = 0
  /// The time of the last message, in nanoseconds.
  private(set) var latest: Int64 = 0
  /// The number of messages in streams beyond the limit.
  private(set) var others = 0
  private var places: [Name: Int] = [:]

  /// The limit of streams, since senders may invent any number of addresses.
  private static let mostStreams = 1024

  /// The identity of a stream.
  struct Name: Hashable {
    var address: String
    /// The channel of a sensor with several channels.
    var channel: String?
  }

  struct Stream {
    var name: Name
    /// The type letters of the first message.
    var types: String
    var count = 0
    var first: Int64
    var last: Int64
    var longestPause: Int64 = 0
    /// The time at which the longest pause began, in nanoseconds.
    var longestPauseAt: Int64 = 0
    /// A histogram of the intervals; the key is the logarithm of the nanoseconds, in hundredths.
    fileprivate var intervals: [Int: (count: Int, sum: Int64)] = [:]
  }

  mutating func take(_ reading: OSCTapeReading) {
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
    streams[place].note(reading.nanoseconds)
  }
}

extension TapeContents.Stream {
  fileprivate mutating func note(_ time: Int64) {
    count += 1
    let interval = max(0, time - last)
    if interval > longestPause { (longestPause, longestPauseAt) = (interval, last) }
    let alike = intervals[Self.bucket(interval)] ?? (0, 0)
    intervals[Self.bucket(interval)] = (alike.count + 1, alike.sum + interval)
    last = max(last, time)
  }

  /// Returns the histogram key of an interval; intervals in a bucket differ by less than 1 %.
  private static func bucket(_ interval: Int64) -> Int {
    interval < 1 ? -1 : Int(log(Double(interval)) * 100)
  }

  /// The median interval in seconds, as the mean of its histogram bucket; nil if there are no intervals or the median
  /// is 0.
  var usualInterval: Double? {
    let total = intervals.values.reduce(0) { $0 + $1.count }
    var seen = 0
    for (bucket, alike) in intervals.sorted(by: { $0.key < $1.key }) {
      seen += alike.count
      if seen * 2 >= total { return bucket < 0 ? nil : Double(alike.sum) / Double(alike.count) * 1e-9 }
    }
    return nil
  }

  /// The number of intervals at least ten times as long as the usual one.
  var pauses: Int {
    guard let usualInterval else { return 0 }
    let least = Self.bucket(Int64(usualInterval * 1e10))
    return intervals.filter { $0.key >= least }.values.reduce(0) { $0 + $1.count }
  }
}
