import MoAudioEngine
import MoCore
import MoRuntime

/// Opens sound cards for `AudioServer`; a test can supply its own cards.
protocol DeviceOpener: Sendable {
  /// Opens the device with a name such as `hw:1`, but does not start it; `default` is the device that the system
  /// chooses.
  ///
  /// - Throws: an error whose text says what to do.
  func open(_ name: String, wanted: DeviceRequest) throws -> any AudioDevice

  /// Returns the card or sound server to which `default` leads now, as a string to compare with earlier results.
  ///
  /// The result is nil if `default` leads to no card or sound server.
  func currentDefault() -> String?

  /// Returns the devices of all cards and sound servers, each with its name for `--audio`.
  func devices() -> [NamedDevice]

  /// A file descriptor that becomes readable when cards are added or removed; nil if the system does not report such
  /// changes.
  var changes: Int32? { get }

  /// Reads the reports of changed cards, so that the descriptor `changes` is no longer readable.
  func drainChanges()
}
