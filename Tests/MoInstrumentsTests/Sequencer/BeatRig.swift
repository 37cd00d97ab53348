import MoCore
import MoDSP
import MoInstruments
import MoTesting

/// Renders in counted frames, in blocks of any length, and keeps what a test asks for.
///
/// On an `OutputPath`, everything is heard later by its latency, including a rhythm's changes. So a block's
/// position counts from the first frame that can be heard.
struct BeatRig {
  let clock: FrameClock
  let rhythm: Rhythm
  let sampleRate: Double
  /// The latency from a block to the ear, in seconds.
  let latency: Double

  init(sampleRate: Double = 48_000, tempo: Double = 120, meter: Meter = .common) {
    self.sampleRate = sampleRate
    clock = FrameClock(sampleRate: sampleRate)
    latency = Double(OutputPath.current?.latency(sampleRate: sampleRate) ?? 0) / sampleRate
    rhythm = Rhythm(tempo: Tempo(tempo), meter: meter, clock: clock) { [latency] in latency }
  }

  /// Renders the given number of frames; `body` receives every block.
  func run(frames: Int64, block length: Int = 512, _ body: (inout AudioBlock) -> Void) {
    let path = OutputPath.current
    let length = path?.blockFrames ?? length
    let latency = Duration.seconds(latency)
    var position = clock.frame
    let end = position + frames
    var samples = [Float](repeating: 0, count: 2 * length)
    while position < end {
      let count = min(length, Int(end - position))
      samples.withUnsafeMutableBufferPointer { all in
        let room = UnsafeMutableBufferPointer(rebasing: all[..<(2 * count)])
        room.update(repeating: 0)
        var block = AudioBlock(
          output: room.mutableSpan, input: [Float]().span, outputs: 2, inputs: 0, frames: count,
          sampleRate: sampleRate, position: position, time: clock.time(ofFrame: position) + latency,
          playThrough: latency)
        body(&block)
      }
      position += Int64(count)
      let asked = Int(position - clock.frame)
      if position == end || asked == length * (path?.burst ?? 1) { clock.advance(frames: asked) }
    }
  }

  /// Renders a bus, and returns the left channel.
  func record(_ bus: InstrumentBus, seconds: Double, block: Int = 512) -> [Float] {
    var sound: [Float] = []
    run(frames: Int64(seconds * sampleRate), block: block) { block in
      bus.render(&block)
      for frame in block.frames { sound.append(block[frame, 0]) }
    }
    return sound
  }
}

/// Returns a beat of 120 beats per minute, on a shared clock that is ahead of the host clock by `seconds`.
///
/// - Parameter start: the time of the shared clock at which bar 1 begins, in seconds.
func beat(ahead seconds: Double, start: Double, take: UInt32 = 1) -> BeatClock {
  var clock = SlewedClock()
  clock.settle(
    on: ClockEstimate(
      at: .zero, offset: Int64(seconds * 1e9), rate: 0, errorBound: 0, symmetricBound: 0, roundTrip: 0,
      leastRoundTrip: 0, loss: 0),
    at: .zero)
  let segment = BeatSegment(
    start: SessionTime(nanoseconds: Int64(start * 1e9)), beat: 0, tempo: 120, isPlaying: true,
    meter: .common, soundsFrom: 0)
  return BeatClock(clock: clock, timeline: Timeline(segment, take: take))
}

/// A stroke of one sample, whose position is its frame.
func impulseKit(rows: Int, sampleRate: Double = 48_000) -> SampleKit {
  SampleKit((0..<rows).map { _ in SoundBuffer([1], sampleRate: sampleRate) })
}

/// A running hash of samples that depends on every bit: FNV-1a.
struct SampleSum: Equatable {
  var sum: UInt64 = 0xCBF2_9CE4_8422_2325
  mutating func add(_ sample: Float) { sum = (sum ^ UInt64(sample.bitPattern)) &* 0x100_0000_01B3 }
}
