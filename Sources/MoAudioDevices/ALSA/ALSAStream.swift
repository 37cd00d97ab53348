import CALSA
import Glibc
import MoAudioEngine
import MoCore
import MoRuntime

/// One direction of a card: an open PCM and its settings.
///
/// - Thread: opened and closed on an ordinary thread, used by the audio thread.
/// - Real-time safe: all members except opening, closing and `deepen`; they call ALSA, and allocate no memory
///   themselves.
package final class ALSAStream: PCMStream {
  let name: String
  private(set) var agreed: PCMParameters
  /// The index of the card behind the PCM; nil if there is no card, as with the plugin of a sound server.
  let card: Int?
  private let isCapture: Bool
  private let wanted: PCMRequest
  private let pcm: OpaquePointer
  private let statusRecord: OpaquePointer
  private let descriptors: UnsafeMutableBufferPointer<pollfd>
  private var isOpen = true

  /// Opens a PCM and negotiates its settings.
  ///
  /// - Throws: `AudioError`, whose text says what to do.
  init(name: String, wanted: PCMRequest) throws(AudioError) {
    self.name = name
    isCapture = wanted.isCapture
    self.wanted = wanted
    let pcm = try ALSAError.open(name, isCapture: wanted.isCapture)
    self.pcm = pcm
    var status: OpaquePointer?
    snd_pcm_status_malloc(&status)
    do throws(AudioError) {
      guard let status else { throw .device(name: name, reason: "out of memory") }
      statusRecord = status
      card = Self.card(of: pcm)
      agreed = try PCMParameters(pcm, name: name, card: card, wanted: wanted)
    } catch {
      snd_pcm_close(pcm)
      snd_pcm_status_free(status)
      throw error
    }
    descriptors = .allocate(capacity: max(0, Int(snd_pcm_poll_descriptors_count(pcm))))
    descriptors.initialize(repeating: pollfd())
  }

  deinit {
    close()
    snd_pcm_status_free(statusRecord)
    descriptors.deallocate()
  }

  package var bufferFrames: Int { agreed.bufferFrames }
  package var periodFrames: Int { agreed.periodFrames }
  package var channels: Int { agreed.channels }
  package var sampleFormat: SampleFormat { agreed.sampleFormat }
  package var descriptorCount: Int { descriptors.count }

  package func addDescriptors(to requests: UnsafeMutablePointer<pollfd>) {
    snd_pcm_poll_descriptors(pcm, requests, UInt32(descriptorCount))
  }

  package func events(in requests: UnsafeMutablePointer<pollfd>) -> Int32 {
    var events: UInt16 = 0
    // Plugins such as that of PulseAudio give the meaning of their descriptors only here.
    let result = snd_pcm_poll_descriptors_revents(pcm, requests, UInt32(descriptorCount), &events)
    return result < 0 ? POLLERR : Int32(events)
  }

  package func status() -> PCMStatus {
    let result = snd_pcm_status(pcm, statusRecord)
    guard result == 0 else {
      return PCMStatus(state: result == -ENODEV ? .disconnected : .sound, error: result)
    }
    let state: PCMStatus.State =
      switch snd_pcm_status_get_state(statusRecord) {
      case SND_PCM_STATE_XRUN: .xrun
      case SND_PCM_STATE_SUSPENDED: .suspended
      case SND_PCM_STATE_DISCONNECTED: .disconnected
      default: .sound
      }
    return PCMStatus(
      state: state, available: Int(snd_pcm_status_get_avail(statusRecord)),
      delay: max(0, snd_pcm_status_get_delay(statusRecord)), time: stamp)
  }

  package func available() -> Int { snd_pcm_avail_update(pcm) }

  package func write(_ frames: UnsafeRawPointer, count: Int) -> Int {
    snd_pcm_writei(pcm, frames, snd_pcm_uframes_t(count))
  }

  package func read(_ frames: UnsafeMutableRawPointer, count: Int) -> Int {
    snd_pcm_readi(pcm, frames, snd_pcm_uframes_t(count))
  }

  package var deepestFrames: Int {
    card == nil && !isCapture ? PCMParameters.deepest(blockFrames: agreed.periodFrames) : 0
  }

  package func deepen(to frames: Int) -> Bool {
    guard snd_pcm_hw_free(pcm) == 0 else { return false }
    do throws(AudioError) {
      let deeper = try PCMParameters(pcm, name: name, card: card, wanted: wanted, depth: frames)
      let isSame =
        deeper.periodFrames == agreed.periodFrames && deeper.channels == agreed.channels
        && deeper.sampleFormat == agreed.sampleFormat && deeper.depth == frames
      if isSame {
        agreed = deeper
        return true
      }
      snd_pcm_hw_free(pcm)
      agreed = try PCMParameters(pcm, name: name, card: card, wanted: wanted, depth: agreed.depth)
    } catch {
      // Without settings, the stream cannot be prepared; it is lost with that error.
    }
    return false
  }

  package func prepare() -> Int32 { snd_pcm_prepare(pcm) }
  package func begin() -> Int32 { snd_pcm_start(pcm) }
  package func drop() -> Int32 { snd_pcm_drop(pcm) }
  package func resume() -> Int32 { snd_pcm_resume(pcm) }

  package func close() {
    guard isOpen else { return }
    isOpen = false
    snd_pcm_close(pcm)
  }

  /// Links this stream with another stream of the same card, so that both start and stop at the same instant; returns
  /// false if the card cannot link them.
  func link(with other: ALSAStream) -> Bool { snd_pcm_link(pcm, other.pcm) == 0 }

  /// The time of the last status query, by the card's timestamp.
  ///
  /// It is nil if the card gives no timestamp, or if the timestamp differs from the present time by 1 s or more.
  private var stamp: HostTime? {
    var stamp = snd_htimestamp_t()
    snd_pcm_status_get_htstamp(statusRecord, &stamp)
    let nanoseconds = Int64(stamp.tv_sec) * 1_000_000_000 + Int64(stamp.tv_nsec)
    guard nanoseconds != 0 else { return nil }
    let clock = SystemClock()
    let time =
      agreed.stampClock.map { clock.hostTime(of: nanoseconds, on: $0) } ?? HostTime(nanoseconds: nanoseconds)
    return abs(clock.now.seconds(since: time)) < 1 ? time : nil
  }

  private static func card(of pcm: OpaquePointer) -> Int? {
    var made: OpaquePointer?
    guard snd_pcm_info_malloc(&made) == 0, let info = made else { return nil }
    defer { snd_pcm_info_free(info) }
    guard snd_pcm_info(pcm, info) == 0 else { return nil }
    let card = Int(snd_pcm_info_get_card(info))
    return card >= 0 ? card : nil
  }
}

/// Converts ALSA's error numbers to errors that say what to do.
package enum ALSAError {
  /// Opens a PCM in non-blocking mode.
  ///
  /// - Throws: `AudioError`.
  package static func open(_ name: String, isCapture: Bool) throws(AudioError) -> OpaquePointer {
    var pcm: OpaquePointer?
    momu_alsa_silence()
    let direction = isCapture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK
    let result = snd_pcm_open(&pcm, name, direction, Int32(SND_PCM_NONBLOCK))
    // Here EINVAL means that the name is wrong; later it means that the driver refuses settings.
    guard result == 0, let pcm else { throw error(result == -EINVAL ? -ENOENT : result, name) }
    return pcm
  }

  /// Returns the error for a negative result of an ALSA function that was called for the device `name`.
  package static func error(_ result: Int32, _ name: String) -> AudioError {
    switch -result {
    case ENOENT, ENODEV, ENXIO:
      // ALSA hides cards whose files the user may not open.
      hasForbiddenCard() ? .noAccess(name: name) : .noDevice(name: name, others: ALSADeviceList.names())
    case EBUSY, EAGAIN: .busy(name: name, holder: ALSADeviceOwner.name(of: name))
    case EACCES, EPERM: .noAccess(name: name)
    case EHOSTDOWN, ECONNREFUSED: .noSoundServer(name: name)
    case EINVAL: unfit(name, "its driver refuses the settings")
    default: .device(name: name, reason: String(cString: snd_strerror(result)))
    }
  }

  /// Returns the error of a device that cannot play or record as MoMu requests, with advice to use another device.
  package static func unfit(_ name: String, _ reason: String) -> AudioError {
    let advice = name.hasPrefix("hw:") ? "use plug\(name), which converts, or " : ""
    return .device(name: name, reason: "\(reason): \(advice)choose another device (--list-devices)")
  }

  /// Whether there are cards, but none that this user may use.
  package static func hasForbiddenCard(in folder: String = "/dev/snd") -> Bool {
    let cards = SystemFiles.names(in: folder).filter { $0.hasPrefix("controlC") }
    return !cards.isEmpty && cards.allSatisfy { access("\(folder)/\($0)", R_OK | W_OK) != 0 }
  }
}
