import MoAudioEngine
import MoCore
import MoRuntime

/// Opens sound cards for `AudioServer`; a test can supply its own cards.
protocol DeviceOpener: Sendable {
  /// Opens the device with an ALSA name, not started; `default` is the system's choice.
  ///
  /// - Throws: an error whose text says what to do.
  func open(_ name: String, wanted: DeviceRequest) throws -> any AudioDevice

  /// Returns the present target of `default`, as a string to compare; nil if there is no card.
  func currentDefault() -> String?

  /// Returns the devices of the cards, by the names that options use.
  func devices() -> [NamedDevice]

  /// A descriptor that becomes readable when cards come or go; nil if the system reports no such changes.
  var changes: Int32? { get }

  /// Consumes the changes that made the descriptor readable.
  func drainChanges()
}
