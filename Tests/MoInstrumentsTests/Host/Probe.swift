import MoCore
import MoDSP
import MoInstruments
import MoTesting

/// An instrument that plays an impulse for each event, or the value of a parameter.
struct Probe: Instrument {
  static let sheet = InstrumentInfo(
    name: "probe", summary: "shows what reaches it", tail: 0.1, grid: .sixteenth)

  enum Control: Int, InstrumentControl {
    case level
    case held
    case size

    var parameter: Parameter {
      switch self {
      case .level: Parameter("level", 0...1, default: 0, smoothing: 0.01)
      case .held: Parameter("held", 0...1, default: 0, smoothing: 0.01)
      case .size: Parameter("size", 1...100, default: 10, curve: .exponential, smoothing: 0)
      }
    }
  }

  private var impulse: Float = 0
  private var isBroken = false

  init(seed: UInt64? = nil) {}

  mutating func prepare(sampleRate: Double, blockFrames: Int) {}

  mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {
    switch event {
    case .noteOn(let note): impulse += note.velocity + note.pitch / 1000
    case .noteOff: impulse -= 0.25
    case .strike(let force): impulse += force
    case .bend(let semitones): isBroken = semitones == 24
    case .line: impulse += 0.5
    case .rhythm, .noteMove, .motion, .allOff: break
    }
  }

  mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
    for frame in block.frames {
      block[frame, 0] = isBroken ? .nan : impulse + controls[.level, frame]
      block[frame, 1] = controls[.held]
      impulse = 0
    }
  }
}

/// Renders a bus without a device, as a device with latency would request it.
///
/// Frame n is heard at n / 48,000 s, and rendered earlier by `latency`. So events that are sent at their
/// time arrive late, as from real players. The bus's limiter does not look ahead, so that frames can be
/// counted.
struct Harness {
  var bus = InstrumentBus(sampleRate: 48_000, lookAhead: 0)
  var blockFrames = OutputPath.current?.blockFrames ?? 256
  /// The latency from a block to the ear, in frames.
  var latency = OutputPath.current?.latency() ?? 0
  /// The number of blocks that are requested together.
  var burst = OutputPath.current?.burst ?? 1
  /// Whether strokes keep their spacing, at the cost of one block of latency.
  var spacesEvenly = false
  var position: Int64 = 0

  /// The time at which the next burst is rendered.
  var now: HostTime { moment(Double(position) - Double(latency)) }

  /// The maximum delay from a stroke to its sound: the latency and one burst.
  var playThrough: Double { Double(latency + blockFrames * burst) }

  /// Renders the next frames of both channels; whole bursts if there is a latency.
  mutating func render(_ frames: Int) -> (left: [Float], right: [Float]) {
    var left: [Float] = []
    var right: [Float] = []
    var rest = frames
    while rest > 0 {
      let count = latency == 0 && burst == 1 ? min(rest, blockFrames) : blockFrames
      for _ in 0..<burst {
        renderBlock(count, &left, &right)
        rest -= count
      }
    }
    return (left, right)
  }

  private mutating func renderBlock(_ count: Int, _ left: inout [Float], _ right: inout [Float]) {
    var samples = [Float](repeating: 0, count: 2 * count)
    let delay: Duration = spacesEvenly ? .nanoseconds(moment(playThrough).nanoseconds) : .zero
    samples.withUnsafeMutableBufferPointer { memory in
      var block = AudioBlock(
        output: memory.mutableSpan, input: UnsafeBufferPointer(rebasing: memory[..<0]).span, outputs: 2,
        inputs: 0, frames: count, sampleRate: 48_000, position: position,
        time: HostTime(seconds: Double(position) / 48_000), playThrough: delay)
      bus.render(&block)
    }
    for frame in 0..<count {
      left.append(samples[2 * frame])
      right.append(samples[2 * frame + 1])
    }
    position += Int64(count)
  }

  /// Renders frames and calls closures at their times, like a player: between two bursts at the earliest.
  mutating func perform(_ frames: Int, _ acts: [(frame: Double, act: (HostTime) -> Void)]) -> [Float] {
    var sound: [Float] = []
    var acts = acts.sorted { $0.frame < $1.frame }[...]
    while sound.count < frames {
      let now = now
      while let next = acts.first, moment(next.frame) <= now {
        next.act(moment(next.frame))
        acts.removeFirst()
      }
      sound += render(blockFrames * burst).left
    }
    return sound
  }
}

/// Returns the host time of a frame.
func moment(_ frame: Double) -> HostTime { HostTime(nanoseconds: Int64((frame / 48_000 * 1e9).rounded())) }
