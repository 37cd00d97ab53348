import MoDSP
import MoEnsemble
import MoInstruments
import MoOrchestra
import MoTime

/// An instrument whose output shows what reached it: its pitch where a note begins, minus that where it ends.
struct Probe: Instrument {
  static let sheet = InstrumentSheet(name: "probe", summary: "shows what reaches it", holds: true, tail: 0.1)

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

/// A probe in counted time, played by a part player: what it was told at which frame.
struct Stage {
  let run: Run
  let bus = InstrumentBus(sampleRate: 48_000, lookAhead: 0)
  let handle: InstrumentHandle
  let player: PartPlayer
  let beat: Guarded<BeatClock>
  private var position = 0

  init(tempo: Double? = 120) throws {
    run = Run(try RunOptions(arguments: ["--offline"]))
    handle = try bus.add(Probe())
    handle.loudness = 1
    let silent = BeatClock(clock: SlewedClock(), timeline: nil)
    let beat = Guarded(tempo.map { BeatClock.steady(tempo: $0, from: .zero) } ?? silent)
    self.beat = beat
    player = PartPlayer(handle, run: run) { beat.withLock { $0 } }
  }

  /// What is told in the next seconds, in thousandths, by frames.
  mutating func pass(_ seconds: Double, blockFrames: Int = 256) -> [Int: Int] {
    var told: [Int: Int] = [:]
    var rest = Int((seconds * 48_000).rounded())
    while rest > 0 {
      let count = min(blockFrames, rest)
      while let next = player.nextTime, next <= run.clock.now { player.service(until: run.clock.now) }
      var samples = [Float](repeating: 0, count: 2 * count)
      samples.withUnsafeMutableBufferPointer { memory in
        var block = AudioBlock(
          output: memory.mutableSpan, input: UnsafeBufferPointer(rebasing: memory[..<0]).span, outputs: 2,
          inputs: 0, frames: count, sampleRate: 48_000, position: Int64(position), time: run.clock.now)
        bus.render(&block)
      }
      for frame in 0..<count where abs(samples[2 * frame]) > 1e-4 {
        told[position + frame] = Int((samples[2 * frame] * 1000).rounded())
      }
      position += count
      rest -= count
      run.frameClock?.advance(frames: count)
    }
    return told
  }

  /// Something that was heard for a beat of the rhythm, or for now.
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
