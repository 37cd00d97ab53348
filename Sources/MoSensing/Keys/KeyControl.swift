import MoCore
import MoRuntime

/// The mapping of the terminal's keys to a sensor that is played on them.
protocol KeyControl: Sendable {
  associatedtype Reading: SensorReading

  /// Takes over from another source after its last reading; returns readings that end its touches and held buttons.
  mutating func takeOver(from last: Reading, at now: HostTime) -> [Reading]

  /// Returns the readings for a typed key; nil if the key has no meaning here.
  mutating func take(_ key: TerminalKey, at now: HostTime) -> [Reading]?

  /// The time of the next reading without another key; nil for none.
  var nextTime: HostTime? { get }

  /// Returns the readings that are due by now without another key.
  mutating func due(at now: HostTime) -> [Reading]
}

extension KeyControl {
  var nextTime: HostTime? { nil }

  mutating func due(at now: HostTime) -> [Reading] { [] }
}
