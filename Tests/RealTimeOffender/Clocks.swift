import MoAudioEngine
import MoCore

/// Input on a second clock, 100 ppm beside playback's: a block in, a block out, now and then a restart; no offence.
final class HeldClocks: @unchecked Sendable {
  // Unchecked: the program has one callback and waits for it.
  private static let frames = 256
  private let input = AdaptiveInput(
    format: AudioFormat(sampleRate: 48_000, blockFrames: frames, inputs: 2, outputs: 2), periodFrames: frames,
    bufferFrames: 8 * frames)
  private let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * frames)
  private var played: Int64 = 0
  private var blocks = 0
  /// Blocks that were filled.
  private(set) var filled = 0

  func exchange() {
    blocks += 1
    if blocks % 1000 == 0 { input.restart(bothClocks: blocks % 2000 == 0) }
    let now = HostTime(seconds: 1 + Double(played) / 48_000)
    input.observeInput(pending: Self.frames, at: now.advanced(bySeconds: -1e-4 * Double(played) / 48_000))
    input.append(frames: Self.frames) { $0.update(repeating: 0.5, count: 2 * Self.frames) }
    input.observeOutput(frame: played - 512, at: now, written: played)
    if input.read(block, written: played) != nil { filled += 1 }
    played += Int64(Self.frames)
  }
}

let heldClocks = HeldClocks()
