import MoAudioEngine
import MoCore
import MoRuntime

/// Opens sound cards for `AudioServer`; a test can supply its own cards.
package protocol DeviceOpener: Sendable {
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

/// The requested format of a device, and the parts of the request that the device must fulfil.
package struct DeviceRequest: Equatable, Sendable {
  package var format: AudioFormat
  /// Whether only the sample rate in `format` is acceptable: the user requested it, or the program already runs at it.
  package var isRateFixed: Bool
  /// Whether the user requested the block length in `format`; if false, a JACK server's period replaces it.
  package var isBlockFixed: Bool
  /// Whether an input that is busy or not permitted is an error; if false, the output then plays alone.
  package var needsInput: Bool

  package init(
    format: AudioFormat, isRateFixed: Bool = false, isBlockFixed: Bool = false, needsInput: Bool = false
  ) {
    (self.format, self.isRateFixed, self.isBlockFixed) = (format, isRateFixed, isBlockFixed)
    self.needsInput = needsInput
  }
}

/// Opens ALSA and JACK devices for `AudioServer`, and detects cards that are added or removed.
final class SystemDeviceOpener: DeviceOpener, @unchecked Sendable {
  // Unchecked: only the `mo-cards` thread drains the watch.
  private let watch = DeviceWatch(folder: "/dev/snd") {}

  func open(_ name: String, wanted request: DeviceRequest) throws -> any AudioDevice {
    if JACKOpening.isJACK(name) { return try JACKOpening.open(name, wanted: request) }
    return try ALSAOpening.open(
      name, wanted: request, warn: { MoLog.log(.warning, $0) },
      with: { playback, capture throws(AudioError) in
        try ALSAOpening.open(
          name, playback: playback, capture: capture, wanted: request.format, rateIsFixed: request.isRateFixed
        )
      })
  }

  func currentDefault() -> String? { ALSADefault.current() }

  func devices() -> [NamedDevice] {
    let cards = ALSADeviceList.devices()
    // If a server runs, its own list has `default`; the cards follow, used by it or free.
    let served = SoundServer.current().map { $0.devices() + cards.filter { $0.name != "default" } } ?? cards
    return served + (JACKOpening.device().map { [$0] } ?? [])
  }

  var changes: Int32? { watch.descriptor }

  func drainChanges() { watch.service(until: .zero) }
}
