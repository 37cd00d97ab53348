import MoAudioEngine
import MoCore
import MoRuntime

/// What opens cards for the server, so that tests can have cards of their own.
protocol DeviceOpener: Sendable {
  /// Opens the device of that ALSA name, not started; `default` for the system's choice.
  ///
  /// - Throws: an error whose text says what to do.
  func open(_ name: String, wanted: DeviceRequest) throws -> any AudioDevice

  /// What `default` leads to at present, as one word to compare; nil where there is no card.
  func currentDefault() -> String?

  /// The cards' devices, as options name them.
  func devices() -> [NamedDevice]

  /// A descriptor that becomes readable when cards come or go, if the system can tell.
  var changes: Int32? { get }

  /// Takes note of the changes that made the descriptor readable.
  func drainChanges()
}
