import MoAudioEngine
import MoCore
import MoTesting

/// A simulated card whose microphone records its loudspeaker, with an unreported delay, noise and its own crystal,
/// under a manual clock.
final class LoopbackCard: AudioDevice {
  let name = "loopback"
  let format = AudioFormat(sampleRate: 48_000, blockFrames: 256, inputs: 1, outputs: 2)
  /// Frames from the reported time of output to the microphone.
  var hidden = 0
  var gain: Float = 0.5
  var noise: Float = 0
  var ppm = 0.0
  /// Whether it reports the time of recording.
  var hasMicrophone = true
  /// The frame at which the microphone is unplugged.
  var unpluggedAfter = Int64.max
  /// The delay of each block's report, in nanoseconds; the reports of cards are late, never early.
  var lateness: (Int64) -> Int64 = { _ in 0 }
  private let clock: ManualClock
  private var random = TestRandom(seed: 5)
  private var sound: [Float] = []
  private var written: Int64 = 0

  init(_ clock: ManualClock) { self.clock = clock }

  /// Two blocks are queued for output.
  var outputLatencyFrames: Int { 2 * format.blockFrames }

  /// A block is recorded before it can be read.
  var inputTime: HostTime? {
    guard hasMicrophone, written < unpluggedAfter else { return nil }
    return moment(written - Int64(format.blockFrames)).advanced(bySeconds: Double(late) * 1e-9)
  }

  private var late: Int64 { lateness(written / Int64(format.blockFrames)) }

  /// Returns the time at which the card has counted the given number of frames.
  private func moment(_ frame: Int64) -> HostTime {
    HostTime.zero.advanced(bySeconds: 1 + Double(frame) / (format.sampleRate * (1 + ppm * 1e-6)))
  }

  func start() {}

  func wait() -> AudioDeviceState {
    clock.advance(to: moment(written))
    let ear = written - Int64(outputLatencyFrames)
    return .ready(
      position: CardPosition(frame: ear, time: moment(written).advanced(bySeconds: Double(late) * 1e-9)))
  }

  func read(_ block: UnsafeMutableBufferPointer<Float>) -> Bool {
    // The sound at the ear was written two blocks ago. The block just recorded began a block before that.
    let delay = outputLatencyFrames + format.blockFrames + hidden
    for index in block.indices {
      let source = Int(written) + index - delay
      let hiss = noise * Float(2 * random.uniform() - 1)
      block[index] = (sound.indices.contains(source) ? gain * sound[source] : 0) + hiss
    }
    return true
  }

  func write(_ block: UnsafeBufferPointer<Float>) -> Bool {
    for frame in 0..<format.blockFrames { sound.append(block[2 * frame]) }
    written += Int64(format.blockFrames)
    return true
  }

  func stop() {}
  func close() {}
}
