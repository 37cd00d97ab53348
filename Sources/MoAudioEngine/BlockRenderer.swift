import CMoSystem
import Glibc
import MoCore
import MoDSPCore
import Synchronization

/// Calls the program's callback for one block after another, over buffers of its own.
///
/// It knows nothing of devices: in real time the engine moves its buffers to and from a card, offline the
/// renderer writes them to a file.
///
/// - Thread: one at a time; the audio thread once playing.
/// - Real-time safe: `render`, yes.
package final class BlockRenderer: @unchecked Sendable {
  // Unchecked: the buffers and the guard belong to the thread that renders.
  package typealias Callback = @Sendable (inout AudioBlock) -> Void

  /// The largest block it can render.
  package static let capacityFrames = 8192

  let sampleRate: Double
  let inputs: Int
  let outputs: Int
  /// Interleaved input of the next block, `frames × inputs`.
  let input: UnsafeMutableBufferPointer<Float>
  /// Interleaved output of the last block, `frames × outputs`, finite and within ±1.
  package let output: UnsafeMutableBufferPointer<Float>
  package let statistics: AudioStatistics
  /// Where the output gain is going: 0 when muted or ending, else what the level says.
  package let gain = Atomic<UInt32>(Float(1).bitPattern)
  /// Frames rendered since the start.
  package private(set) var position: Int64 = 0
  /// Whether strokes keep their spacing; else each sounds as soon as it can.
  package let spacesEvenly = Atomic<Bool>(true)
  private let callback: Callback
  /// The thread that renders at the moment, 0 for none.
  private let rendering = Atomic<UInt>(0)
  private var outputGuard: OutputGuard
  private var playThrough = StrikeLatency()

  /// - Parameter gain: what it begins with, 0…1: 0 in silence.
  package init(
    format: AudioFormat, statistics: AudioStatistics, gain: Float = 1, callback: @escaping Callback
  ) {
    sampleRate = format.sampleRate
    inputs = format.inputs
    outputs = format.outputs
    input = .allocate(capacity: max(1, BlockRenderer.capacityFrames * format.inputs))
    output = .allocate(capacity: max(1, BlockRenderer.capacityFrames * format.outputs))
    input.initialize(repeating: 0)
    output.initialize(repeating: 0)
    self.statistics = statistics
    self.callback = callback
    // 10 ms: no click, and no wait that anybody notices.
    outputGuard = OutputGuard(fadeFrames: Int(format.sampleRate / 100), gain: gain)
    self.gain.store(gain.bitPattern, ordering: .relaxed)
  }

  deinit {
    input.deallocate()
    output.deallocate()
  }

  /// Whether the caller is the callback itself.
  package var isCurrent: Bool { rendering.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Whether the output has reached the gain it was going to.
  package var isSettled: Bool { outputGuard.gain == Float(bitPattern: gain.load(ordering: .relaxed)) }

  /// Keeps the buffers in memory, so that no page of theirs must be fetched while playing.
  ///
  /// - Returns: whether the system granted it.
  package func lockMemory() -> Bool {
    mlock(input.baseAddress!, input.count * 4) == 0 && mlock(output.baseAddress!, output.count * 4) == 0
  }

  /// Calls the callback once on silence and throws the result away: first calls allocate, live ones may not.
  ///
  /// Files do not go on meanwhile: their first frames are for the first block that is heard.
  package func warmUp(frames: Int, at time: HostTime) {
    momu_thread_set_rehearsing(1)
    call(frames: frames, time: time, nanosecondsPerFrame: 1e9 / sampleRate)
    momu_thread_set_rehearsing(0)
    output.update(repeating: 0)
  }

  /// Renders one block from `input` to `output`.
  ///
  /// - Parameters:
  ///   - frames: 1 … `capacityFrames`.
  ///   - time: when the first frame reaches the ear.
  ///   - nanosecondsPerFrame: the measured spacing of frames.
  ///   - now: when this is called; nil in counted time, where each block ends at the next reading.
  ///   - inputTime: when the first frame of the input had reached the microphone, where that is known.
  package func render(
    frames: Int, time: HostTime, nanosecondsPerFrame: Double, now: HostTime? = nil, inputTime: HostTime? = nil
  ) {
    if let now {
      playThrough.follow(heard: time, now: now, frames: frames, frameNanoseconds: nanosecondsPerFrame)
    }
    let delay = spacesEvenly.load(ordering: .relaxed) ? playThrough.delay : .zero
    statistics.playThroughNanoseconds.store(delay.nanoseconds, ordering: .relaxed)
    rendering.store(UInt(pthread_self()), ordering: .relaxed)
    RealTimeCheck.enter()
    call(
      frames: frames, time: time, nanosecondsPerFrame: nanosecondsPerFrame, inputTime: inputTime,
      playThrough: delay)
    RealTimeCheck.leave()
    rendering.store(0, ordering: .relaxed)
    position &+= Int64(frames)
    let findings = outputGuard.process(
      output.baseAddress!, frames: frames, channels: outputs,
      goal: Float(bitPattern: gain.load(ordering: .relaxed)))
    statistics.raisePeak(to: findings.peak)
    if findings.nonFinite > 0 { statistics.nonFinite.wrappingAdd(findings.nonFinite, ordering: .relaxed) }
    if findings.clipped > 0 { statistics.clipped.wrappingAdd(findings.clipped, ordering: .relaxed) }
    statistics.blocks.wrappingAdd(1, ordering: .relaxed)
  }

  private func call(
    frames: Int, time: HostTime, nanosecondsPerFrame: Double, inputTime: HostTime? = nil,
    playThrough: Duration = .zero
  ) {
    let outputSamples = UnsafeMutableBufferPointer(rebasing: output[..<(frames &* outputs)])
    outputSamples.update(repeating: 0)
    var block = AudioBlock(
      output: outputSamples.mutableSpan,
      input: UnsafeBufferPointer(rebasing: input[..<(frames &* inputs)]).span,
      outputs: outputs, inputs: inputs, frames: frames, sampleRate: sampleRate, position: position,
      time: time, nanosecondsPerFrame: nanosecondsPerFrame, inputTime: inputTime,
      playThrough: playThrough)
    callback(&block)
  }
}
