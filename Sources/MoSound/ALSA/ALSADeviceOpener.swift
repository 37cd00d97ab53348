import MoEngine
import MoProgram
import MoTime

/// Opens ALSA's devices for the server, and notices cards that come and go.
final class ALSADeviceOpener: DeviceOpener, @unchecked Sendable {
  // Unchecked: only the `mo-cards` thread drains the watch.
  private let watch = DeviceWatch(folder: "/dev/snd") {}

  func open(_ name: String, wanted: AudioFormat) throws -> any AudioDevice {
    // `hw:0+hw:1` plays on the first and records from the second.
    let parts = name.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: true).map(String.init)
    let playback = wanted.outputs > 0 ? parts.first ?? name : nil
    let capture = wanted.inputs > 0 ? parts.last ?? name : nil
    do throws(AudioError) {
      return try ALSAOpening.open(name, playback: playback, capture: capture, wanted: wanted)
    } catch {
      // Where one name stands for both and the card cannot record, the program plays with silent input.
      guard parts.count == 1, playback != nil, capture != nil,
        let device = try? ALSAOpening.open(name, playback: playback, capture: nil, wanted: wanted)
      else { throw error }
      MoLog.log(.warning, "\(name) gives no input, which is silent now: \(error)")
      return device
    }
  }

  func currentDefault() -> String? { ALSADefault.current() }

  func devices() -> [NamedDevice] { ALSADeviceList.devices() }

  var changes: Int32? { watch.descriptor }

  func drainChanges() { watch.service(until: .zero) }
}
