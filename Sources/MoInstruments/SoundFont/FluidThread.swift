import CMoSystem
import MoMu
import Synchronization

/// FluidSynth on a thread of its own, a little behind the audio callback.
///
/// FluidSynth 2.3 allocates memory in every step of 64 frames, which no audio callback may. So the callback says what
/// happens at which frame, and how far it has come; the thread renders up to there; and the callback plays what was
/// rendered `delay` frames before.
///
/// How far behind it must be is found by playing: by as much as the device asks for at once, which may be several blocks,
/// and more after another device has taken over. So where a frame is not ready, the delay grows by what is lacking and
/// 3 ms, up to `most`; in between there is silence, once. At `most` the thread cannot keep up: what is not ready is left
/// out, counted in `missed`, and told of once.
///
/// Unchecked: the synth belongs to the thread once it runs, `position` and what stands with it to the audio thread; the
/// queues and the atomic number are all that both use.
final class FluidThread: @unchecked Sendable {
  /// Something that happens to the synth.
  struct Command: BitwiseCopyable {
    enum Kind: UInt8, BitwiseCopyable {
      case noteOn, noteOff, pedal, preset, bend, allOff
    }

    var kind: Kind
    var first: Int32 = 0
    var second: Int32 = 0
    var frame = 0
  }

  /// Frames from an event to its sound; the audio thread's, as what stands with `position`.
  private(set) var delay: Int
  /// The longest that it grows: four blocks of 2,048 frames at 48 kHz, and some more.
  private let most: Int
  /// What it grows by beyond what was lacking.
  private let margin: Int
  private let synth: FluidSynth
  private let commands = MoQueue<Command>(capacity: 1024)
  private let frames: MoQueue<SIMD2<Float>>
  /// Frames whose events are all known.
  private let known = Atomic<Int>(0)
  private var thread: MoThread?

  /// Whether all that is known is rendered, for tests.
  var isCaughtUp: Bool { done.load(ordering: .acquiring) == known.load(ordering: .acquiring) }
  private let done = Atomic<Int>(0)

  // The audio thread's.
  private var position = 0
  private var late = 0
  /// Frames of silence still to come by which the delay has grown.
  private var pause = 0
  private var isOverrun = false
  /// Frames that were not ready.
  var missed: Int { missing.load(ordering: .relaxed) }
  private let missing = Atomic<Int>(0)

  /// Room in the queue that ends alone may use: what has begun must not sound for ever.
  private static let roomForEnds = 256

  // The other thread's.
  private var rendered = 0
  private var next: Command?
  private var hasComplained = false
  private var samples = [Float](repeating: 0, count: 128)

  /// - Parameters:
  ///   - delay: frames to begin with.
  ///   - runsItself: whether there is a thread; if not, the caller calls `advance`.
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
      // It ends with the instrument, which it must not keep alive.
      while !thread.isCancelled {
        guard let self else { return }
        advance()
        complain()
        thread.sleep(for: .milliseconds(1))
      }
    }
  }

  deinit { thread?.cancel() }

  // MARK: The audio thread

  /// Takes what happens so many frames after the next.
  ///
  /// Where there is too much, beginnings are left out before ends are, and in place of an end that had no room all notes
  /// end.
  func send(_ command: Command, after frames: Int = 0) {
    var command = command
    command.frame = position + frames
    let isEnd = command.kind == .noteOff || command.kind == .allOff
    guard isEnd || commands.count < commands.capacity - Self.roomForEnds else { return }
    if !commands.push(command) { isOverrun = true }
  }

  /// Writes the next frames, and lets the thread render as many.
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

  /// Lengthens the delay by the frames that were not ready, up to `most`.
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

  // MARK: Its own

  /// Renders as far as events are known.
  func advance() {
    let known = known.load(ordering: .acquiring)
    while rendered < known {
      if next == nil { next = commands.pop() }
      while let command = next, command.frame <= rendered {
        synth.obey(command)
        next = commands.pop()
      }
      let end = min(known, next?.frame ?? known, rendered + 64)
      write(end - rendered)
      rendered = end
      done.store(end, ordering: .releasing)
    }
  }

  private func complain() {
    guard !hasComplained, missed > 0 else { return }
    hasComplained = true
    MoLog.log(
      .warning,
      "FluidSynth cannot keep up, so the SoundFont's sound breaks off: play fewer notes at once, or a smaller SoundFont"
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
