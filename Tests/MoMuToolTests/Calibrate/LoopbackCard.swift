import MoCore
import MoTesting

@testable import MoAudioEngine

/// A card whose microphone hears its own loudspeaker: with a delay that it does not tell of, noise, and a crystal of
/// its own, under a manual clock.
final class LoopbackCard: AudioDevice {
  let name = "loopback"
  let format = AudioFormat(sampleRate: 48_000, blockFrames: 256, inputs: 1, outputs: 2)
  /// Frames from the sound's leaving the card, by its own account, to the microphone.
  var hidden = 0
  var gain: Float = 0.5
  var noise: Float = 0
  var ppm = 0.0
  /// Whether it says when it records.
  var hasMicrophone = true
  /// After so many frames the microphone is unplugged.
  var unpluggedAfter = Int64.max
  /// What is told late, by block, in nanoseconds; late is the only way in which cards err.
  var lateness: (Int64) -> Int64 = { _ in 0 }
  private let clock: ManualClock
  private var random = TestRandom(seed: 5)
  private var sound: [Float] = []
  private var written: Int64 = 0

  init(_ clock: ManualClock) { self.clock = clock }

  /// Two blocks are queued towards the ear.
  var outputLatencyFrames: Int { 2 * format.blockFrames }

  /// One block was recorded before it can be read.
  var inputTime: HostTime? {
    guard hasMicrophone, written < unpluggedAfter else { return nil }
    return moment(written - Int64(format.blockFrames)).advanced(bySeconds: Double(late) * 1e-9)
  }

  private var late: Int64 { lateness(written / Int64(format.blockFrames)) }

  /// When the card has counted so many frames.
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
    // What is at the ear now was written two blocks ago; the block just recorded began a block before that.
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
