import MoMu
import Synchronization

/// FluidSynth on a thread of its own, a little behind the audio callback.
///
/// FluidSynth 2.3 allocates memory in every step of 64 frames, which no audio callback may. So the callback says what
/// happens at which frame, and how far it has come; the thread renders up to there; and the callback plays what was
/// rendered `delay` frames before. Where that is not ready, it is left out, counted in `missed`, and told of once.
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

  /// Frames from an event to its sound.
  let delay: Int
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

  init(_ synth: FluidSynth, delay: Int) throws(MoThread.Failure) {
    (self.synth, self.delay) = (synth, delay)
    frames = MoQueue(capacity: 2 * delay + 8_192)
    for _ in 0..<delay { frames.push(.zero) }
    thread = try MoThread(name: "mo-synth", priority: .besideAudio) { [weak self] thread in
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
    for frame in block.frames {
      guard let sample = frames.pop() else {
        late += block.frames.count - frame
        missing.wrappingAdd(block.frames.count - frame, ordering: .relaxed)
        return
      }
      (block[frame, 0], block[frame, 1]) = (sample.x, sample.y)
    }
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
