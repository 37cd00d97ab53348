import MoCore
import MoOSC

/// The latest reading of each channel of a source; a sender that begins later gets these readings.
///
/// A switch or a joystick at rest sends no reading until it moves, and so without these readings a new sender would
/// have no value to send.
package struct PresentValues: Sendable {
  /// The values of a reading, and the time at which they were measured.
  package struct Reading: Sendable {
    let arguments: [OSCArgument]
    let time: HostTime
    /// Whether the channel had an earlier reading; a name that noise has made has only one reading.
    fileprivate(set) var hasPredecessor = false

    /// The rank in which readings are removed if there are too many: channels with a single reading first.
    fileprivate var rank: Int { hasPredecessor ? 1 : 0 }

    package init(_ arguments: [OSCArgument], at time: HostTime) {
      (self.arguments, self.time) = (arguments, time)
    }
  }

  /// The latest reading of each channel, by the channel's name; the name is empty for a sensor without channels.
  private var latest: [String: Reading] = [:]

  /// The largest number of channels that are stored: noise on a serial line can look like any number of channel names.
  private static let most = 256

  package init() {}

  /// The readings, the oldest first.
  package var readings: [Reading] { latest.values.sorted { $0.time < $1.time } }

  /// Stores a reading; nil as `channel` means a sensor without channels.
  package mutating func store(_ reading: Reading, channel: String?) {
    let name = channel ?? ""
    var reading = reading
    reading.hasPredecessor = latest[name] != nil
    latest[name] = reading
    guard latest.count > Self.most else { return }
    let oldest = latest.min { ($0.value.rank, $0.value.time) < ($1.value.rank, $1.value.time) }
    if let oldest { latest[oldest.key] = nil }
  }

  /// Removes all readings, since the source is lost.
  package mutating func removeAll() { latest = [:] }
}
