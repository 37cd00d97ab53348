import MoCore
import MoMu
import Synchronization

/// A player of the clicks of `momu calibrate`, which also records the microphone.
///
/// - Thread: `play` on the audio thread; the rest on any thread, `recording` only when `isDone` is true.
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
  func recording(from device: String) throws(CalibrationError) -> ClickRecording {
    guard isWhole else { throw .lost(device: device) }
    return recording()
  }

  /// Returns the recording, also if the device was lost before the end.
  func recording() -> ClickRecording {
    ClickRecording(recording: Array(sound), blocks: Array(blocks[..<count]), sampleRate: sampleRate)
  }
}

/// The recording of the clicks, and the delay from playing to recording that the device reported for each block.
struct ClickRecording {
  /// The reported times of a block.
  struct Block: Equatable {
    /// The number of frames that were played before the block; the same number of frames was recorded before the block.
    var position: Int
    /// The time at which the first played frame of the block reaches the ear, as the device reports.
    var played: HostTime
    /// The time at which the first recorded frame of the block reached the microphone, as the device reports.
    var recorded: HostTime
  }

  /// The recorded samples; the index of a sample is the position of the frame that was played in the same callback.
  var recording: [Float]
  let sampleRate: Double
  /// The positions of the blocks' first frames, in order.
  private let positions: [Int]
  /// The reported delay from playing to recording, for each block, in seconds.
  private let known: [Double]

  /// Half the width of the time window, in seconds, over which `knownSeconds(around:)` takes the median of the reported
  /// delays.
  ///
  /// Because of the median, a single late report has no effect.
  private static let medianReach = 0.15

  /// - Parameter blocks: the blocks in order of position; empty if the device recorded nothing.
  init(recording: [Float], blocks: [Block], sampleRate: Double) {
    (self.recording, self.sampleRate) = (recording, sampleRate)
    // The playing times are smoothed already.
    var clock = CardClock(nominalRate: sampleRate)
    positions = blocks.map(\.position)
    known = blocks.map { block in
      clock.observe(frame: Int64(block.position), at: block.recorded)
      return block.played.seconds(since: clock.time(ofFrame: Int64(block.position)))
    }
  }

  /// Returns the median of the delays that the device reported near a frame, in seconds; nil if none was reported near
  /// the frame.
  func knownSeconds(around frame: Int) -> Double? {
    let reach = Int(Self.medianReach * sampleRate)
    let near = positions.indices.filter { abs(positions[$0] - frame) < reach }
    return median(near.map { known[$0] })
  }
}

/// Returns the median; nil without numbers.
func median(_ numbers: [Double]) -> Double? {
  guard !numbers.isEmpty else { return nil }
  let sorted = numbers.sorted()
  return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}
