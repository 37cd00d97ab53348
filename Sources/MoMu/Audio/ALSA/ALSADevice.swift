import CALSA
import Glibc
import MoTime

/// A card through ALSA: one PCM for playing, one for recording, or both, run as one device.
///
/// The output is kept three blocks ahead, however large the card's buffer: that is the latency. Where two cards
/// of different clocks are joined, the one that records follows: a block is dropped or repeated now and then.
final class ALSADevice: AudioDevice {
  let name: String
  let format: AudioFormat
  private let output: ALSAStream?
  private let input: ALSAStream?
  private let isLinked: Bool
  private let clock = SystemClock()
  /// Frames kept between the program and the card.
  private let fill: Int
  private var written: Int64 = 0
  private var lastReady = HostTime.zero
  private var delay = 0
  private var pending: Int = 0
  private var failures = 0

  /// Blocks kept ahead: one being played, one waiting, one for a thread that comes late.
  private static let fillBlocks = 3
  /// A card that says nothing for so long, in seconds, is taken for gone.
  private static let longestSilence = 4.0
  /// How long a card may take to wake from suspend, in seconds.
  private static let longestResume = 2.0

  /// Opens the device, not started.
  ///
  /// - Parameters:
  ///   - name: what options call it.
  ///   - playback: the PCM to play on; nil for none.
  ///   - capture: the PCM to record from; nil for silence.
  ///   - wanted: the rate is kept exactly; the block may come out differently.
  /// - Throws: `AudioError`.
  init(name: String, playback: String?, capture: String?, wanted: AudioFormat) throws(AudioError) {
    self.name = name
    var output: ALSAStream?
    var input: ALSAStream?
    if let playback {
      output = try ALSAStream(
        name: playback, isCapture: false, rate: wanted.sampleRate, channels: wanted.outputs,
        blockFrames: wanted.blockFrames)
    }
    let blockFrames = min(output?.periodFrames ?? wanted.blockFrames, BlockRenderer.capacityFrames)
    if let capture {
      input = try ALSAStream(
        name: capture, isCapture: true, rate: wanted.sampleRate, channels: wanted.inputs,
        blockFrames: blockFrames)
    }
    self.output = output
    self.input = input
    // On one card the two then start and stop in the same instant; on two it is refused, and they run free.
    isLinked =
      if let output, let input { snd_pcm_link(output.pcm, input.pcm) == 0 } else { false }
    format = AudioFormat(
      sampleRate: wanted.sampleRate, blockFrames: blockFrames, inputs: wanted.inputs, outputs: wanted.outputs)
    fill = min(ALSADevice.fillBlocks * blockFrames, output?.bufferFrames ?? .max)
  }

  var outputLatencyFrames: Int { delay > 0 ? delay : fill }

  func start() throws {
    written = 0
    pending = 0
    failures = 0
    let result = restart()
    if result < 0 { throw ALSAError.error(Int32(result), name) }
    lastReady = clock.now
  }

  func stop() {
    if let output { snd_pcm_drop(output.pcm) }
    if let input, !isLinked { snd_pcm_drop(input.pcm) }
  }

  func close() {
    output?.close()
    input?.close()
  }

  func wait() -> AudioDeviceState {
    if pending < 0 { return recover(from: pending) }
    let began = clock.now
    while true {
      let room = output?.available() ?? .max
      if room < 0 { return recover(from: room) }
      let captured = input?.available() ?? .max
      if captured < 0 { return recover(from: captured) }
      let block = format.blockFrames
      let needed = (output?.bufferFrames ?? 0) - fill + block
      let canPlay = room >= needed
      // Input that is late is waited for as long as two blocks are still to be played.
      let isStarving = output != nil && room >= needed + fill - 2 * block && canPlay
      if canPlay && (captured >= block || (output != nil && input != nil && isStarving)) { return ready() }
      let stream = canPlay ? input ?? output : output ?? input
      let result = stream?.poll(milliseconds: 250) ?? -ENODEV
      if result < 0 { return recover(from: Int(result)) }
      let waited = clock.now
      if waited.seconds(since: lastReady) > ALSADevice.longestSilence { return .lost }
      if waited.seconds(since: began) > 0.5 { return .waiting }
      // The card woke us early: its period is no whole part of what is waited for. Not in a busy loop.
      if result > 0 { clock.sleep(until: waited.advanced(bySeconds: Double(block) / format.sampleRate / 8)) }
    }
  }

  func read(_ block: UnsafeMutableBufferPointer<Float>) -> Bool {
    guard let input, let samples = block.baseAddress else { return false }
    let frames = format.blockFrames
    let waiting = input.available()
    guard waiting >= frames else { return false }
    // The recording card's clock runs faster than the playing one's: skip what has piled up.
    if !isLinked, output != nil, waiting > 4 * frames {
      snd_pcm_forward(input.pcm, snd_pcm_uframes_t(frames))
    }
    let count = input.read(samples, frames: frames, channels: format.inputs)
    if count < 0 && count != Int(-EAGAIN) { pending = count }
    return count == frames
  }

  func write(_ block: UnsafeBufferPointer<Float>) -> Bool {
    guard let output, let samples = block.baseAddress else {
      written += Int64(format.blockFrames)
      return output == nil
    }
    let frames = format.blockFrames
    let count = output.write(samples, frames: frames, channels: format.outputs)
    if count < 0 && count != Int(-EAGAIN) { pending = count }
    written += Int64(max(0, count))
    return count == frames
  }

  private func ready() -> AudioDeviceState {
    lastReady = clock.now
    failures = 0
    guard let output, let position = output.position(clock) else {
      // Only recording: what comes in now was heard a block ago.
      return .ready(
        position: CardPosition(frame: written - Int64(format.blockFrames), time: lastReady))
    }
    delay = max(0, position.delay)
    return .ready(position: CardPosition(frame: written - Int64(position.delay), time: position.time))
  }

  /// Sets the card going again after an xrun or suspend, or finds that it is gone.
  private func recover(from error: Int) -> AudioDeviceState {
    pending = 0
    failures += 1
    switch Int32(-error) {
    case EPIPE: break
    case ESTRPIPE: resume()
    case EIO where failures <= 3: break
    case EINTR, EAGAIN: return .waiting
    default: return .lost
    }
    guard failures <= 8, restart() >= 0 else { return .lost }
    let now = clock.now
    let silent = now.seconds(since: lastReady) * format.sampleRate - Double(fill)
    lastReady = now
    return .recovered(lostFrames: max(format.blockFrames, Int(silent)))
  }

  /// After suspend: lets the driver wake up, as long as it says that it is about to.
  private func resume() {
    let deadline = clock.now.advanced(bySeconds: ALSADevice.longestResume)
    for stream in [output, input].compactMap(\.self) {
      while snd_pcm_resume(stream.pcm) == -EAGAIN && clock.now < deadline {
        clock.sleep(until: clock.now.advanced(bySeconds: 0.02))
      }
    }
  }

  /// Fills the output with silence and starts; a negative error where that fails.
  private func restart() -> Int {
    for stream in [output, input].compactMap(\.self) {
      snd_pcm_drop(stream.pcm)
      let result = snd_pcm_prepare(stream.pcm)
      if result < 0 { return Int(result) }
    }
    if let output {
      var left = fill
      while left > 0 {
        let count = output.writeSilence(frames: min(left, BlockRenderer.capacityFrames))
        if count <= 0 { return count == 0 ? Int(-EIO) : count }
        left -= count
      }
      let result = snd_pcm_start(output.pcm)
      if result < 0 { return Int(result) }
    }
    if let input, !isLinked || output == nil {
      let result = snd_pcm_start(input.pcm)
      if result < 0 { return Int(result) }
    }
    return 0
  }
}
