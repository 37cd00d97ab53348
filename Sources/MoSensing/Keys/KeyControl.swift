import MoCore
import MoRuntime

/// A mapping from the terminal's keys to readings of a sensor, which is thus played on the keys.
protocol KeyControl: Sendable {
  associatedtype Reading: SensorReading

  /// Takes over from a simulated player, which sent `last` as its last reading.
  ///
  /// - Returns: readings that lift the player's finger or release its button.
  mutating func takeOver(from last: Reading, at now: HostTime) -> [Reading]

  /// Returns the readings for a typed key; nil if this sensor does not use the key.
  mutating func take(_ key: TerminalKey, at now: HostTime) -> [Reading]?

  /// The time of the next reading that comes without a key, such as the release of a button; nil for none.
  var nextTime: HostTime? { get }

  /// Returns the readings without a key, such as releases of buttons, that are due by `now`.
  mutating func due(at now: HostTime) -> [Reading]
}

extension KeyControl {
  var nextTime: HostTime? { nil }

  mutating func due(at now: HostTime) -> [Reading] { [] }
}
