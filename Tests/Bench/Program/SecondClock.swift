import Glibc
import MoAudioEngine
import MoMu

/// Prints the nanoseconds a block of stereo input costs when its card runs 100 ppm fast of playback's.
///
/// The blocks come and go as fast as they can; the clocks are counted.
func measureSecondClock(frames: Int, blocks: Int) {
  let input = AdaptiveInput(
    format: AudioFormat(sampleRate: 48_000, blockFrames: frames, inputs: 2, outputs: 2), periodFrames: frames,
    bufferFrames: 8 * frames)
  let noise = (0..<2 * frames).map { Float($0 &* 7919 % frames) / Float(frames / 2) - 1 }
  let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * frames)
  block.initialize(repeating: 0)
  let clock = SystemClock()
  var (written, filled, begun) = (0 as Int64, 0, clock.now)
  for number in -blocks / 10..<blocks {
    // What comes before is for the loop to settle.
    if number == 0 { (filled, begun) = (0, clock.now) }
    let now = HostTime(seconds: 1 + Double(written) / 48_000)
    input.observeInput(pending: frames, at: now.advanced(bySeconds: -1e-4 * Double(written) / 48_000))
    input.append(frames: frames) { samples in
      noise.withUnsafeBufferPointer { samples.update(from: $0.baseAddress!, count: 2 * frames) }
    }
    input.observeOutput(frame: written - Int64(2 * frames), at: now, written: written)
    if input.read(block, written: written) != nil { filled += 1 }
    written += Int64(frames)
  }
  let taken = (clock.now - begun).nanoseconds
  // At 100 ppm, each ten thousandth block has to be waited for, or is passed over.
  guard filled * 100 > blocks * 98, block.contains(where: { $0 != 0 }) else {
    print("only \(filled) of \(blocks) blocks were filled")
    exit(1)
  }
  print(Double(taken) / Double(blocks))
}
