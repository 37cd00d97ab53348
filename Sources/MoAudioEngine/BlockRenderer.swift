import CMoSystem
import Glibc
import MoCore
import MoDSPCore
import Synchronization

/// The renderer of blocks: it calls the program's callback for each block, with its own input and output buffers.
///
/// The renderer does not know devices: in real time, the engine moves the buffers' samples from and to a card. Offline,
/// the output goes to a file or is discarded.
///
/// - Thread: any, but only one thread at a time; during play the audio thread.
/// - Real-time safe: `render`, yes.
package final class BlockRenderer: @unchecked Sendable {
  // Unchecked: the thread that renders owns the buffers and the guard.
  package typealias Callback = @Sendable (inout AudioBlock) -> Void

  /// The largest block, in frames.
  package static let capacityFrames = 8192

  let sampleRate: Double
  let inputs: Int
  let outputs: Int
  /// The interleaved samples of the next block's input, `frames × inputs`.
  let input: UnsafeMutableBufferPointer<Float>
  /// The interleaved samples of the last block's output, `frames × outputs`, finite and within ±1.
  package let output: UnsafeMutableBufferPointer<Float>
  package let statistics: AudioStatistics
  /// The gain towards which the output fades, as the bits of a `Float`: 0 when muted or ending, else the level squared.
  package let gain = Atomic<UInt32>(Float(1).bitPattern)
  /// The number of frames rendered since the start of the sound.
  package private(set) var position: Int64 = 0
  /// Whether the sounds of strikes have the same spacing in time as the strikes.
  ///
  /// If false, each strike sounds as soon as possible.
  package let spacesEvenly = Atomic<Bool>(true)
  private let callback: Callback
  /// The `pthread_t` of the thread that renders a block now; 0 while no thread renders.
  private let rendering = Atomic<UInt>(0)
  private var outputGuard: OutputGuard
  private var playThrough = StrikeLatency()

  /// - Parameter gain: the initial gain, 0…1; 0 starts in silence.
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
    // 10 ms: no click, and no noticeable wait.
    outputGuard = OutputGuard(fadeFrames: Int(format.sampleRate / 100), gain: gain)
    self.gain.store(gain.bitPattern, ordering: .relaxed)
  }

  deinit {
    input.deallocate()
    output.deallocate()
  }

  /// Whether the calling thread is inside the program's callback now.
  package var isCurrent: Bool { rendering.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Whether the gain of the output has reached its goal, `gain`, so that no fade runs.
  package var isSettled: Bool { outputGuard.gain == Float(bitPattern: gain.load(ordering: .relaxed)) }

  /// Locks the buffers in memory, so that no page must be fetched during play.
  ///
  /// - Returns: whether the system allowed it.
  package func lockMemory() -> Bool {
    mlock(input.baseAddress!, input.count * 4) == 0 && mlock(output.baseAddress!, output.count * 4) == 0
  }

  /// Calls the callback once with silent input and discards its output.
  ///
  /// A first call may allocate, but a call during play may not. Sound files do not advance in this call, so that the
  /// first audible block gets their first frames.
  package func warmUp(frames: Int, at time: HostTime) {
    momu_thread_set_rehearsing(1)
    call(frames: frames, time: time, nanosecondsPerFrame: 1e9 / sampleRate)
    momu_thread_set_rehearsing(0)
    output.update(repeating: 0)
  }

  /// Renders one block from `input` to `output`.
  ///
  /// - Parameters:
  ///   - frames: the length of the block, 1 … `capacityFrames`.
  ///   - time: the time at which the first frame is heard.
  ///   - nanosecondsPerFrame: the measured time from one frame to the next.
  ///   - now: the time of this call; nil offline if the output has no latency. If nil, no strike is delayed, since each
  ///     block ends at the next sensor reading or earlier.
  ///   - inputTime: the time at which the first frame of the input reached the microphone; nil if unknown.
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
