import Glibc
import MoOSC

/// What is on a tape, stream by stream; it needs no more memory for a month than for a minute.
struct TapeContents {
  /// In the order of their first messages.
  private(set) var streams: [Stream] = []
  private(set) var messages = 0
  /// Of the last message, in nanoseconds.
  private(set) var latest: Int64 = 0
  /// Messages of streams for which there was no room.
  private(set) var others = 0
  private var places: [Name: Int] = [:]

  /// Anybody may make up addresses without end.
  private static let mostStreams = 1024

  /// What tells one stream from another.
  struct Name: Hashable {
    var address: String
    /// Of a sensor with many values, which.
    var channel: String?
  }

  struct Stream {
    var name: Name
    /// The letters of its values; of the first message.
    var types: String
    var count = 0
    var first: Int64
    var last: Int64
    var longestPause: Int64 = 0
    /// When the longest pause began.
    var longestPauseAt: Int64 = 0
    /// How many intervals are about so long, by hundredths of the logarithm of their nanoseconds.
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

  /// Hundredths of the logarithm: intervals that differ by less than a hundredth of themselves are one.
  private static func bucket(_ interval: Int64) -> Int {
    interval < 1 ? -1 : Int(log(Double(interval)) * 100)
  }

  /// The interval that half of all are not longer than, in seconds: the mean of those that differ from it by less than
  /// a hundredth; nil where there is none, or it is 0.
  var usualInterval: Double? {
    let total = intervals.values.reduce(0) { $0 + $1.count }
    var seen = 0
    for (bucket, alike) in intervals.sorted(by: { $0.key < $1.key }) {
      seen += alike.count
      if seen * 2 >= total { return bucket < 0 ? nil : Double(alike.sum) / Double(alike.count) * 1e-9 }
    }
    return nil
  }

  /// How many intervals are ten times as long as the usual one, or longer.
  var pauses: Int {
    guard let usualInterval else { return 0 }
    let least = Self.bucket(Int64(usualInterval * 1e10))
    return intervals.filter { $0.key >= least }.values.reduce(0) { $0 + $1.count }
  }
}
