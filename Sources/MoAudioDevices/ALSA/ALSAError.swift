import CALSA
import Glibc
import MoAudioEngine
import MoRuntime

/// Converts ALSA's error numbers to errors that say what to do.
enum ALSAError {
  /// Opens a PCM in non-blocking mode.
  ///
  /// - Throws: `AudioError`.
  static func open(_ name: String, isCapture: Bool) throws(AudioError) -> OpaquePointer {
    var pcm: OpaquePointer?
    momu_alsa_silence()
    let direction = isCapture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK
    let result = snd_pcm_open(&pcm, name, direction, Int32(SND_PCM_NONBLOCK))
    guard result == 0, let pcm else { throw error(result, name) }
    return pcm
  }

  /// Returns the error for a negative result of an ALSA function that was called for the device `name`.
  static func error(_ result: Int32, _ name: String) -> AudioError {
    switch -result {
    case ENOENT, ENODEV, ENXIO, EINVAL:
      // ALSA hides cards whose files the user may not open.
      hasForbiddenCard() ? .noAccess(name: name) : .noDevice(name: name, others: ALSADeviceList.names())
    case EBUSY, EAGAIN: .busy(name: name, holder: ALSADeviceOwner.name(of: name))
    case EACCES, EPERM: .noAccess(name: name)
    case EHOSTDOWN, ECONNREFUSED: .noSoundServer(name: name)
    default: .device(name: name, reason: String(cString: snd_strerror(result)))
    }
  }

  /// Whether there are cards, but none that this user may use.
  static func hasForbiddenCard(in folder: String = "/dev/snd") -> Bool {
    let cards = SystemFiles.names(in: folder).filter { $0.hasPrefix("controlC") }
    return !cards.isEmpty && cards.allSatisfy { access("\(folder)/\($0)", R_OK | W_OK) != 0 }
  }
}
