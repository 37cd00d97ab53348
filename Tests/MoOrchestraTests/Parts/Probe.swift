import MoCore
import MoDSP
import MoInstruments
import MoOrchestra
import MoTesting

/// An instrument whose output shows its events: the pitch at a note's beginning, minus the pitch at its end.
struct Probe: Instrument {
  static let sheet = InstrumentInfo(name: "probe", summary: "shows what reaches it", holds: true, tail: 0.1)

  enum Control: Int, InstrumentControl {
    case colour

    var parameter: Parameter { Parameter("colour", 0...1, default: 0.5, smoothing: 0) }
  }

  private var impulse: Float = 0
  private var pitches: [Int32: Float] = [:]

  init(seed: UInt64? = nil) {}

  mutating func prepare(sampleRate: Double, blockFrames: Int) {}

  mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {
    switch event {
    case .noteOn(let note):
      pitches[note.id] = note.pitch
      impulse += note.pitch / 1000
    case .noteOff(let note): impulse -= (pitches.removeValue(forKey: note.id) ?? 0) / 1000
    case .strike(let force): impulse += force
    default: break
    }
  }

  mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
    for frame in block.frames {
      block[frame] = impulse
      impulse = 0
    }
  }
}

/// A probe in counted time, played by a `RemotePart`: shows which event arrives at which audible frame.
///
/// On an `OutputPath` the clock runs ahead of the audible frame by its latency.
struct Harness {
  let run: Run
  let bus = InstrumentBus(sampleRate: 48_000, lookAhead: 0)
  let handle: InstrumentHandle
  let player: RemotePart
  let beat: Locked<BeatClock>
  /// The next audible frame.
  private(set) var position = OutputPath.current?.latency() ?? 0
  private let path = OutputPath.current

  init(tempo: Double? = 120) throws {
    run = Run(try RunOptions(arguments: ["--offline"]))
    handle = try bus.add(Probe())
    handle.loudness = 1
    let silent = BeatClock(clock: SlewedClock(), timeline: nil)
    let beat = Locked(tempo.map { BeatClock.steady(tempo: Tempo($0), from: .zero) } ?? silent)
    self.beat = beat
    let lead = Double((path?.latency() ?? 0) + (path?.blockFrames ?? 0) * (path?.burst ?? 1)) / 48_000
    player = RemotePart(handle, run: run, soundLead: { lead }, beat: { beat.withLock { $0 } })
  }

  /// Returns the events of the next seconds, in thousandths, by frames.
  mutating func pass(_ seconds: Double, blockFrames: Int = 256) -> [Int: Int] {
    var told: [Int: Int] = [:]
    var rest = Int((seconds * 48_000).rounded())
    var asked = 0
    while rest > 0 {
      let count = min(path?.blockFrames ?? blockFrames, rest)
      while let next = player.nextTime, next <= run.clock.now { player.service(until: run.clock.now) }
      var samples = [Float](repeating: 0, count: 2 * count)
      samples.withUnsafeMutableBufferPointer { memory in
        var block = AudioBlock(
          output: memory.mutableSpan, input: UnsafeBufferPointer(rebasing: memory[..<0]).span, outputs: 2,
          inputs: 0, frames: count, sampleRate: 48_000, position: Int64(position),
          time: HostTime(seconds: Double(position) / 48_000))
        bus.render(&block)
      }
      for frame in 0..<count where abs(samples[2 * frame]) > 1e-4 {
        told[position + frame] = Int((samples[2 * frame] * 1000).rounded())
      }
      position += count
      rest -= count
      asked += count
      if rest == 0 || asked >= count * (path?.burst ?? 1) {
        run.frameClock?.advance(frames: asked)
        asked = 0
      }
    }
    return told
  }

  /// Returns a received event for a beat of the rhythm, or for now.
  func heard(_ play: SessionPlay, beat: Double? = nil, from: MemberID = .ada, late: Double = 0)
    -> SessionHeard
  {
    let time = beat.flatMap { wanted in self.beat.withLock { $0.time(ofBeat: wanted, from: .zero) } }
    return SessionHeard(from: from, play: play, time: time ?? run.clock.now, beat: beat, late: late)
  }
}

extension MemberID {
  static let ada = MemberID(1)
  static let ben = MemberID(2)
}
