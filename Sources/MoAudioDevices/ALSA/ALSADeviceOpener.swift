import MoAudioEngine
import MoCore
import MoRuntime

/// Opens ALSA and JACK devices for `AudioServer`, and detects cards that are added or removed.
final class SystemDeviceOpener: DeviceOpener, @unchecked Sendable {
  // Unchecked: only the `mo-cards` thread drains the watch.
  private let watch = DeviceWatch(folder: "/dev/snd") {}

  func open(_ name: String, wanted wish: DeviceRequest) throws -> any AudioDevice {
    let wanted = wish.format
    let rateIsFixed = wish.isRateFixed
    if JACKOpening.isJACK(name) { return try JACKOpening.open(name, wanted: wish) }
    // `hw:0+hw:1` plays on the first and records from the second.
    let parts = name.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: true).map(String.init)
    let playback = wanted.outputs > 0 ? parts.first ?? name : nil
    let capture = wanted.inputs > 0 ? parts.last ?? name : nil
    do throws(AudioError) {
      return try ALSAOpening.open(
        name, playback: playback, capture: capture, wanted: wanted, rateIsFixed: rateIsFixed)
    } catch {
      // If one name means both and the card cannot record, the program plays with silent input.
      guard parts.count == 1, playback != nil, capture != nil,
        let device = try? ALSAOpening.open(
          name, playback: playback, capture: nil, wanted: wanted, rateIsFixed: rateIsFixed)
      else { throw error }
      MoLog.log(.warning, "no input from \(name), so the input is silent: \(error)")
      return device
    }
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
