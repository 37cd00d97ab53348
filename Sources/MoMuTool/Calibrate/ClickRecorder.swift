import MoMu
import Synchronization

/// A player of the clicks of `momu calibrate`, which also records the microphone.
///
/// - Thread: `play` on the audio thread; the rest on any thread, `take` only when `isDone` is true.
/// - Real-time safe: `play`, yes.
final class ClickRecorder: @unchecked Sendable {
  // Unchecked: only the audio thread uses the memory until `isDone` is true.
  private let score: UnsafeMutableBufferPointer<Float>
  private let sound: UnsafeMutableBufferPointer<Float>
  private let blocks: UnsafeMutableBufferPointer<ClickRecording.Block>
  private var count = 0
  private var sampleRate = 0.0
  private let played = Atomic<Int>(0)
  private let hearing = Atomic<Int>(0)

  /// The average block length, in frames, for which the array `blocks` is sized; shorter blocks would not all fit.
  private static let shortestBlock = 16

  init(_ score: ClickScore) {
    let frames = score.samples.count
    self.score = .allocate(capacity: frames)
    _ = self.score.initialize(from: score.samples)
    sound = .allocate(capacity: frames)
    sound.initialize(repeating: 0)
    blocks = .allocate(capacity: frames / Self.shortestBlock)
    blocks.initialize(repeating: ClickRecording.Block(position: 0, played: .zero, recorded: .zero))
  }

  deinit {
    score.deallocate()
    sound.deallocate()
    blocks.deallocate()
  }

  /// Plays and records one block.
  func play(_ block: inout AudioBlock) {
    let position = Int(block.position)
    sampleRate = block.sampleRate
    guard position < score.count else { return }
    if let recorded = block.inputTime, count < blocks.count {
      blocks[count] = ClickRecording.Block(position: position, played: block.time, recorded: recorded)
      count += 1
      hearing.wrappingAdd(block.frames.count, ordering: .relaxed)
    }
    for frame in block.frames where position + frame < score.count {
      block[frame] = score[position + frame]
      if block.inputs > 0 { sound[position + frame] = block.input(frame) }
    }
    played.store(position + block.frames.count, ordering: .releasing)
  }

  /// Whether all clicks and the silence after the last click were played.
  var isDone: Bool { played.load(ordering: .acquiring) >= score.count }

  /// Whether the device has played a sixteenth of the frames and recorded nothing, as a device without a microphone
  /// does.
  var isDeaf: Bool {
    played.load(ordering: .acquiring) >= score.count / 16 && hearing.load(ordering: .relaxed) == 0
  }

  /// Whether more than nine tenths of the frames were recorded; if not, the device was lost before the end.
  var isWhole: Bool { hearing.load(ordering: .relaxed) > score.count * 9 / 10 }

  /// Throws an error as soon as it is certain that the device has no microphone.
  func checkHearing(_ device: String) throws(CalibrationError) {
    if isDeaf { throw .noMicrophone(device: device) }
  }

  /// Returns the recording; throws if the device was lost before the end.
  func take(from device: String) throws(CalibrationError) -> ClickRecording {
    guard isWhole else { throw .lost(device: device) }
    return take()
  }

  /// Returns the recording, also if the device was lost before the end.
  func take() -> ClickRecording {
    ClickRecording(recording: Array(sound), blocks: Array(blocks[..<count]), sampleRate: sampleRate)
  }
}
