import MoCore

/// Random timelines that are the same in every run.
struct RandomMusic: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// - Source: G. Marsaglia, *Xorshift RNGs*, Journal of Statistical Software 8 (2003).
  mutating func next() -> UInt64 {
    if state == 0 { state = 0x9E37_79B9 }
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  mutating func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &self) }

  mutating func meter() -> Meter {
    let known = ["2/4", "3/4", "4/4", "5/4", "6/8", "7/8", "12/8", "3/2", "1/1", "64/32"]
    return Meter(known[Int.random(in: known.indices, using: &self)])!
  }

  /// Returns a timeline that begins at second 100 on the shared clock.
  mutating func beginning() -> Timeline {
    Timeline.beginning(
      at: .second(100), tempo: number(20...999), meter: meter(), bar: .random(in: 1...50, using: &self),
      countIn: .random(in: 0...3, using: &self), take: 1)
  }

  /// Returns the same timeline with one more change, made at `now`.
  mutating func change(_ timeline: Timeline, now: SessionTime) -> Timeline {
    let soon = now.advanced(bySeconds: number(0.1...3))
    let grid: BeatGrid = Bool.random(using: &self) ? .beat : .bar
    let time = timeline.time(of: grid, from: soon) ?? soon
    switch Int.random(in: 0..<8, using: &self) {
    case 0...2: return timeline.changing(tempo: number(20...999), at: time, now: now)
    case 3...5:
      return timeline.changing(tempo: number(20...999), over: number(0.1...40), at: time, now: now)
    case 6:
      return timeline.changing(meter: meter(), at: timeline.time(of: .bar, from: soon) ?? soon, now: now)
    default: return timeline.stopping(at: time, now: now)
    }
  }
}

extension SessionTime {
  static func second(_ seconds: Double) -> SessionTime {
    SessionTime(nanoseconds: 0).advanced(bySeconds: seconds)
  }

  var seconds: Double { seconds(since: SessionTime(nanoseconds: 0)) }
}
