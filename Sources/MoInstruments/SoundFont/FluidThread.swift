import CMoSystem
import MoMu
import Synchronization

/// Runs FluidSynth on a separate thread, a little behind the audio callback.
///
/// FluidSynth 2.3 allocates memory for each 64 frames that it renders, which an audio callback must not do. So the
/// callback sends each event with its frame, and reports the number of frames that it has requested. The thread renders
/// up to this number. The callback plays each rendered frame `delay` frames after the frame was requested.
///
/// The delay must be at least the number of frames that the device requests at once. This number can be several blocks,
/// and can grow when another device takes over. So the delay is found while playing: if a frame is not ready, the delay
/// grows by the missing frames and 3 ms, with one short silence. The delay cannot grow beyond `most`. If the thread
/// does not keep up even with this delay, missing frames are left out, counted in `missed`, and reported once.
///
/// The class is `@unchecked Sendable`: once the rendering thread runs, the synth belongs to it. The variables `delay`,
/// `position`, `late`, `pause` and `isOverrun` belong to the audio thread. Both threads share only the queues and the
/// atomics.
final class FluidThread: @unchecked Sendable {
  /// An event for the synth, and the frame at which it takes effect, counted from the first rendered frame.
  struct Command: BitwiseCopyable {
    enum Kind: UInt8, BitwiseCopyable {
      case noteOn, noteOff, pedal, preset, bend, allOff
    }

    var kind: Kind
    var first: Int32 = 0
    var second: Int32 = 0
    var frame = 0
  }

  /// The delay from an event to its sound, in frames; for the audio thread only.
  private(set) var delay: Int
  /// The maximum delay, in frames: 0.2 s, or the initial delay if that is longer.
  ///
  /// At 48 kHz, 0.2 s are more than four blocks of 2,048 frames.
  private let most: Int
  /// The frames by which the delay grows in addition to the frames that were not ready: 3 ms.
  private let margin: Int
  private let synth: FluidSynth
  private let commands = MoQueue<Command>(capacity: 1024)
  private let frames: MoQueue<SIMD2<Float>>
  /// The number of frames, counted from the start, for which the audio thread has sent all events.
  private let known = Atomic<Int>(0)
  private var thread: MoThread?

  /// Whether the rendering thread has rendered all frames whose events it has received; for tests.
  var isCaughtUp: Bool { done.load(ordering: .acquiring) == known.load(ordering: .acquiring) }
  private let done = Atomic<Int>(0)

  // For the audio thread only.
  private var position = 0
  private var late = 0
  /// The frames of silence that are still to be played because the delay has grown.
  private var pause = 0
  private var isOverrun = false
  /// The number of frames that were left out, because they were not ready and the delay could not grow beyond `most`.
  var missed: Int { missing.load(ordering: .relaxed) }
  private let missing = Atomic<Int>(0)

  /// The number of elements of the command queue that are reserved for the ends of notes, so that no note sounds
  /// forever.
  private static let roomForEnds = 256

  // For the rendering thread only.
  private var rendered = 0
  private var next: Command?
  private var hasComplained = false
  private var samples = [Float](repeating: 0, count: 128)

  /// - Parameters:
  ///   - delay: the initial delay, in frames.
  ///   - runsItself: whether this object starts the thread; otherwise the caller calls `advance`.
  init(
    _ synth: FluidSynth, delay: Int, sampleRate: Double = 48_000, runsItself: Bool = true
  ) throws(MoThread.Failure) {
    most = max(delay, Int(0.2 * sampleRate))
    margin = Int(0.003 * sampleRate)
    (self.synth, self.delay) = (synth, delay)
    frames = MoQueue(capacity: 2 * most + 8_192)
    for _ in 0..<delay { frames.push(.zero) }
    guard runsItself else { return }
    thread = try MoThread(name: "mo-synth", priority: .besideAudio) { [weak self] thread in
      momu_flush_denormals()
      self?.synth.library.useOneCore()
      // The thread ends with the instrument, so it must not keep it alive.
      while !thread.isCancelled {
        guard let self else { return }
        advance()
        warnMissed()
        thread.sleep(for: .milliseconds(1))
      }
    }
  }

  deinit { thread?.cancel() }

  // MARK: The audio thread

  /// Queues a command, which takes effect `frames` frames after the start of the block that `render` fills next.
  ///
  /// If the queue is nearly full, commands are dropped, except the ends of notes. If the end of a note is dropped, all
  /// notes end.
  func send(_ command: Command, after frames: Int = 0) {
    var command = command
    command.frame = position + frames
    let isEnd = command.kind == .noteOff || command.kind == .allOff
    guard isEnd || commands.count < commands.capacity - Self.roomForEnds else { return }
    if !commands.push(command) { isOverrun = true }
  }

  /// Fills a block with the next rendered frames, and lets the rendering thread render the same number of further
  /// frames.
  func render(_ block: inout AudioBlock) {
    if isOverrun { isOverrun = !commands.push(Command(kind: .allOff, frame: position)) }
    position += block.frames.count
    known.store(position, ordering: .releasing)
    while late > 0, frames.pop() != nil { late -= 1 }
    let silent = min(pause, block.frames.count)
    pause -= silent
    for frame in silent..<block.frames.count {
      guard let sample = frames.pop() else { return grow(by: block.frames.count - frame) }
      (block[frame, 0], block[frame, 1]) = (sample.x, sample.y)
    }
  }

  /// Increases the delay by `count`, the number of frames that were not ready, and by `margin`; the delay is at most
  /// `most`.
  private func grow(by count: Int) {
    let later = min(count, most - delay)
    delay += later
    if later < count {
      late += count - later
      missing.wrappingAdd(count - later, ordering: .relaxed)
    }
    pause = min(margin, most - delay)
    delay += pause
  }

  // MARK: The rendering thread

  /// Renders all frames for which the audio thread has sent all events; called by the rendering thread.
  func advance() {
    let known = known.load(ordering: .acquiring)
    while rendered < known {
      if next == nil { next = commands.pop() }
      while let command = next, command.frame <= rendered {
        synth.execute(command)
        next = commands.pop()
      }
      let end = min(known, next?.frame ?? known, rendered + 64)
      write(end - rendered)
      rendered = end
      done.store(end, ordering: .releasing)
    }
  }

  private func warnMissed() {
    guard !hasComplained, missed > 0 else { return }
    hasComplained = true
    MoLog.log(
      .warning,
      "FluidSynth cannot keep up, so the SoundFont's sound breaks off: play fewer notes at the same time, or a smaller SoundFont"
    )
  }

  private func write(_ count: Int) {
    samples.withUnsafeMutableBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      synth.write(start, frames: count)
      for frame in 0..<count { frames.push(SIMD2(samples[2 * frame], samples[2 * frame + 1])) }
    }
  }
}
