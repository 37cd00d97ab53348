import Glibc
import MoCore
import MoDSP
import MoInstruments
import MoTesting
import Testing

/// An independent model of the music: segments of constant tempo, and of tempo that changes linearly in
/// time.
private struct Score {
  struct Stretch {
    var start: Double
    var beat: Double
    var from: Double
    var to: Double
    var seconds: Double
  }

  var stretches: [Stretch]

  init(start: Double, tempo: Double) {
    stretches = [Stretch(start: start, beat: 0, from: tempo, to: tempo, seconds: 0)]
  }

  /// The integral of the tempo.
  func beat(at time: Double) -> Double {
    let stretch = stretches.last { $0.start <= time } ?? stretches[0]
    let passed = time - stretch.start
    let ramp = min(passed, stretch.seconds)
    let slope = stretch.seconds > 0 ? (stretch.to - stretch.from) / stretch.seconds : 0
    return stretch.beat + (stretch.from * ramp + slope * ramp * ramp / 2 + stretch.to * (passed - ramp)) / 60
  }

  mutating func change(to tempo: Double, over beats: Double, at time: Double) {
    let from = stretches[stretches.count - 1].to
    // The number of beats at the mean of both tempi.
    let seconds = beats > 0 ? beats / ((from + tempo) / 2) * 60 : 0
    stretches.append(
      Stretch(start: time, beat: beat(at: time), from: beats > 0 ? from : tempo, to: tempo, seconds: seconds))
  }

  /// Finds the time of a beat by bisection, because beats only increase.
  func time(of wanted: Double) -> Double {
    var (low, high) = (0.0, 700.0)
    for _ in 0..<80 {
      let middle = (low + high) / 2
      if beat(at: middle) < wanted { low = middle } else { high = middle }
    }
    return high
  }
}

/// Ten minutes of changes, each at a multiple of 512 frames.
private struct Plan {
  enum Order {
    case tempo(Double, over: Double)
    case swing(Float)
  }

  var orders: [(frame: Int64, order: Order)] = []
  var score: Score
  var frames: Int64

  init(seconds: Double, seed: UInt64) {
    frames = Int64(seconds * 48_000) / 512 * 512
    var random = TestRandom(seed: seed)
    score = Score(start: 0, tempo: 117.3)
    var frame: Int64 = 0
    while true {
      frame += 512 * Int64.random(in: 900...1900, using: &random)
      guard frame < frames else { break }
      if Bool.random(using: &random) {
        let swing = Float(Int.random(in: 0...1000, using: &random)) / 1000
        orders.append((frame, .swing(swing)))
      } else {
        let tempo = Double.random(in: 60...240, using: &random)
        let beats = Bool.random(using: &random) ? 0 : Double(Int.random(in: 1...8, using: &random))
        orders.append((frame, .tempo(tempo, over: beats)))
        score.change(to: tempo, over: beats, at: Double(frame) / 48_000)
      }
    }
  }

  /// Returns every frame with a stroke, and whether the exact time allows two frames.
  ///
  /// A time less than 3 ns after a frame may be on it or not, because nanoseconds are rounded.
  func hits(_ sounds: (_ index: Int) -> Bool) -> [(frame: Int64, isEither: Bool)] {
    var hits: [(Int64, Bool)] = []
    var swing = 0.0
    var index = 0
    while true {
      let late = index % 2 == 1 ? swing / 2 : 0
      let place = score.time(of: (Double(index) + late) / 4) * 48_000
      let nearest = place.rounded()
      let isExact = abs(place - nearest) < 1e-6
      let frame = Int64(isExact ? nearest : place.rounded(.up))
      guard frame < frames else { return hits }
      if sounds(index) { hits.append((frame, !isExact && place - place.rounded(.down) < 3e-9 * 48_000)) }
      // A pair uses the swing that was set when its first step was played.
      if index % 2 == 0 { swing = swings.last { $0.frame <= frame }.map { Double($0.swing) } ?? 0 }
      index += 1
    }
  }

  private var swings: [(frame: Int64, swing: Float)] {
    orders.compactMap { order in
      if case .swing(let swing) = order.order { (order.frame, swing) } else { nil }
    }
  }
}

@Suite("A drum machine over ten minutes")
struct TenMinutesTests {
  /// Calculates the contents of a pattern with three rows.
  private static func isOn(row: Int, step: Int, pattern: Int) -> Bool {
    (step * (row + 3) + pattern * 5 + row) % (4 + row) < 2
  }

  private static let chain = [0, 1, 0, 2]

  private static func board(_ rig: BeatRig) -> DrumBoard {
    let board = DrumBoard(.standard, rhythm: rig.rhythm, author: 1)
    for pattern in 0..<3 {
      for row in 0..<3 {
        for step in 0..<16 where isOn(row: row, step: step, pattern: pattern) {
          board[row, step, pattern: pattern] = Float(3 + row + step % 4) / 10
        }
      }
    }
    board.chain = chain
    return board
  }

  private struct Result {
    var frames: [Int64] = []
    var ticks: [Int64] = []
    var sum = SampleSum()
    var peak: Float = 0
    var isExactTime = true
  }

  private static func play(
    _ plan: Plan, frames: Int64, block: Int, samples: SampleKit?, seed: UInt64 = 7
  ) throws -> Result {
    let rig = BeatRig(tempo: 117.3)
    let board = board(rig)
    var machine = DrumMachine(board, samples: samples, seed: seed)
    machine.prepare(sampleRate: 48_000, blockFrames: block)
    rig.rhythm.start()
    var result = Result()
    var last: Int64 = -1
    var next = 0
    while rig.clock.frame < frames {
      while next < plan.orders.count, plan.orders[next].frame <= rig.clock.frame {
        switch plan.orders[next].order {
        case .tempo(let tempo, let beats): rig.rhythm.setTempo(Tempo(tempo), over: Beats(beats))
        case .swing(let swing): board.swing = swing
        }
        next += 1
      }
      let end = min(frames, next < plan.orders.count ? plan.orders[next].frame : .max)
      rig.run(frames: end - rig.clock.frame, block: block) { block in
        withoutControls { machine.render(&block, $0) }
        for frame in block.frames {
          let sample = block[frame, 0]
          result.sum.add(sample)
          result.peak = max(result.peak, abs(sample))
          if samples != nil, sample != 0 { result.frames.append(block.position + Int64(frame)) }
        }
        if let tick = board.ticks.last, tick.index > last {
          last = tick.index
          result.ticks.append(tick.frame)
          let ear = Double(tick.frame) / 48_000 - tick.time.seconds
          if ear < -1e-8 || ear >= 1 / 48_000.0 { result.isExactTime = false }
        }
      }
    }
    return result
  }

  @Test("every stroke sounds at its exact frame while tempo and swing change")
  func exact() throws {
    let plan = Plan(seconds: 600, seed: 20)
    let expected = plan.hits { index in
      let pattern = Self.chain[index / 16 % 4]
      return (0..<3).contains { Self.isOn(row: $0, step: index % 16, pattern: pattern) }
    }
    let heard = try Self.play(plan, frames: plan.frames, block: 512, samples: impulseKit(rows: 3))
    #expect(plan.orders.count > 15)
    #expect(expected.count > 4000)
    #expect(heard.frames.count == expected.count)
    var wrong = 0
    for (hit, frame) in zip(expected, heard.frames) {
      if frame != hit.frame, !(hit.isEither && frame == hit.frame - 1) { wrong += 1 }
    }
    #expect(wrong == 0)
    #expect(expected.count { $0.isEither } < expected.count / 500)
    #expect(heard.isExactTime)
  }

  @Test("the sound is the same to the bit in blocks of 1, 64 and 512 frames")
  func blocks() throws {
    let plan = Plan(seconds: 150, seed: 21)
    let long = try Self.play(plan, frames: plan.frames, block: 512, samples: nil)
    let short = try Self.play(plan, frames: plan.frames, block: 64, samples: nil)
    #expect(long.sum == short.sum)
    #expect(long.peak <= 0.891)
    #expect(long.peak > 0.2)
    let minute: Int64 = 30 * 48_000
    let some = try Self.play(plan, frames: minute, block: 512, samples: nil)
    let single = try Self.play(plan, frames: minute, block: 1, samples: nil)
    #expect(some.sum == single.sum)
    let other = try Self.play(plan, frames: minute, block: 512, samples: nil, seed: 8)
    #expect(some.sum != other.sum)
  }
}

/// Calls a closure with the controls of an instrument without parameters.
func withoutControls(_ body: (Controls<NoControl>) -> Void) {
  withUnsafePointer(to: ControlGlide(0)) { body(Controls($0)) }
}
