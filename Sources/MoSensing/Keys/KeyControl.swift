import MoCore
import MoRuntime

/// What the terminal's keys do to a sensor that is played on them.
protocol KeyControl: Sendable {
  associatedtype Reading: SensorReading

  /// Goes on where somebody else left off; what ends that.
  mutating func takeOver(from last: Reading, at now: HostTime) -> [Reading]

  /// What is read when a key is typed; nil for a key that says nothing here.
  mutating func take(_ key: TerminalKey, at now: HostTime) -> [Reading]?

  /// When there is more to read without another key; nil for nothing.
  var nextTime: HostTime? { get }

  /// What is to be read by now without another key.
  mutating func due(at now: HostTime) -> [Reading]
}

extension KeyControl {
  var nextTime: HostTime? { nil }

  mutating func due(at now: HostTime) -> [Reading] { [] }
}
