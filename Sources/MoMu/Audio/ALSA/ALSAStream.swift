import CALSA
import MoTime

/// One direction of a card: an open PCM with what was agreed on, and room for a block in the card's own samples.
///
/// - Thread: opened and closed on an ordinary thread, used by the audio thread.
/// - Real-time safe: the calls that move samples allocate nothing.
final class ALSAStream {
  let name: String
  let isCapture: Bool
  let pcm: OpaquePointer
  let sampleRate: Double
  let channels: Int
  let periodFrames: Int
  let bufferFrames: Int
  let sampleFormat: SampleFormat
  /// Samples beyond what the card can take, by the converter's count.
  private(set) var faults = SampleConversion.Faults()
  /// Whether the card stamps with the host's own clock.
  private let hasRawStamps: Bool
  private let status: OpaquePointer
  private let bytes: UnsafeMutableRawPointer
  private let floats: UnsafeMutableBufferPointer<Float>
  private var requests: [pollfd]
  private var isOpen = true

  /// Opens a PCM and agrees on how it runs.
  ///
  /// - Parameters:
  ///   - rate: frames a second, which the card must give.
  ///   - channels: wanted; the card may have more or fewer.
  ///   - blockFrames: wanted as the card's period.
  /// - Throws: `AudioError`, whose text says what to do.
  init(name: String, isCapture: Bool, rate: Double, channels: Int, blockFrames: Int) throws(AudioError) {
    self.name = name
    self.isCapture = isCapture
    let pcm = try ALSAError.open(name, isCapture: isCapture)
    self.pcm = pcm
    do throws(AudioError) {
      let agreed = try ALSAAgreement(
        pcm, name: name, isCapture: isCapture, rate: rate, channels: channels, blockFrames: blockFrames)
      sampleRate = agreed.sampleRate
      self.channels = agreed.channels
      periodFrames = agreed.periodFrames
      bufferFrames = agreed.bufferFrames
      sampleFormat = agreed.sampleFormat
      hasRawStamps = agreed.hasRawStamps
    } catch {
      snd_pcm_close(pcm)
      throw error
    }
    var status: OpaquePointer?
    snd_pcm_status_malloc(&status)
    guard let status else {
      snd_pcm_close(pcm)
      throw .device(name: name, reason: "out of memory")
    }
    self.status = status
    let samples = BlockRenderer.capacityFrames * self.channels
    bytes = .allocate(byteCount: samples * 4, alignment: 16)
    floats = .allocate(capacity: samples)
    floats.initialize(repeating: 0)
    requests = [pollfd](repeating: pollfd(), count: max(1, Int(snd_pcm_poll_descriptors_count(pcm))))
  }

  /// Lets go of the card; nothing but the end of this object may follow.
  func close() {
    guard isOpen else { return }
    isOpen = false
    snd_pcm_close(pcm)
  }

  deinit {
    close()
    snd_pcm_status_free(status)
    bytes.deallocate()
    floats.deallocate()
  }

  /// Frames that can be written or read now, or a negative error.
  func available() -> Int { snd_pcm_avail_update(pcm) }

  /// Waits until the card has something to say, for so many milliseconds at most; a negative error.
  func poll(milliseconds: Int32) -> Int32 {
    let count = UInt32(requests.count)
    let filled = snd_pcm_poll_descriptors(pcm, &requests, count)
    guard filled > 0 else { return -EIO }
    let ready = CALSA.poll(&requests, nfds_t(filled), milliseconds)
    guard ready > 0 else { return 0 }
    var events: UInt16 = 0
    // Plugins such as Pulse's say only here what their descriptors mean.
    let result = snd_pcm_poll_descriptors_revents(pcm, &requests, UInt32(filled), &events)
    return result < 0 ? result : 1
  }

  /// How many frames lie between the program and the converter, and when that was; nil where nobody knows.
  func position(_ clock: some TimeSource) -> (delay: Int, time: HostTime)? {
    guard snd_pcm_status(pcm, status) == 0 else { return nil }
    let delay = snd_pcm_status_get_delay(status)
    var stamp = snd_htimestamp_t()
    snd_pcm_status_get_htstamp(status, &stamp)
    let now = clock.now
    let nanoseconds = Int64(stamp.tv_sec) * 1_000_000_000 + Int64(stamp.tv_nsec)
    guard nanoseconds != 0 else { return (delay, now) }
    let time =
      hasRawStamps
      ? HostTime(nanoseconds: nanoseconds) : SystemClock().hostTime(of: nanoseconds, on: .monotonic)
    // A plugin that stamps with some other clock is not believed.
    return abs(now.seconds(since: time)) < 1 ? (delay, time) : (delay, now)
  }

  /// Writes a block of the program's frames, converted; the frames taken, or a negative error.
  func write(_ block: UnsafePointer<Float>, frames: Int, channels: Int) -> Int {
    ChannelMap(from: channels, to: self.channels).copy(block, to: floats.baseAddress!, frames: frames)
    return send(frames)
  }

  /// Writes silence; the frames taken, or a negative error.
  func writeSilence(frames: Int) -> Int {
    floats.baseAddress!.update(repeating: 0, count: frames * channels)
    return send(frames)
  }

  /// Reads frames into the program's block, converted; the frames read, or a negative error.
  func read(_ block: UnsafeMutablePointer<Float>, frames: Int, channels: Int) -> Int {
    let count = snd_pcm_readi(pcm, bytes, snd_pcm_uframes_t(frames))
    guard count == frames else { return count }
    faults += SampleConversion.decode(
      bytes, as: sampleFormat, to: UnsafeMutableBufferPointer(rebasing: floats[..<(frames * self.channels)]))
    ChannelMap(from: self.channels, to: channels).copy(floats.baseAddress!, to: block, frames: frames)
    return count
  }

  private func send(_ frames: Int) -> Int {
    faults += SampleConversion.encode(
      UnsafeMutableBufferPointer(rebasing: floats[..<(frames * channels)]), to: bytes, as: sampleFormat)
    return snd_pcm_writei(pcm, bytes, snd_pcm_uframes_t(frames))
  }
}
