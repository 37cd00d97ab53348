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
  package mutating func note(_ reading: Reading, channel: String?) {
    latest[channel ?? ""] = reading
    if latest.count > Self.most, let oldest = latest.min(by: { $0.value.time < $1.value.time })?.key {
      latest[oldest] = nil
    }
  }

  /// Removes all readings, since the source is lost.
  package mutating func removeAll() { latest = [:] }
}
