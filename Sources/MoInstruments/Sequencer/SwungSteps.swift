import MoCore
import MoDSP

/// An iterator over the steps of a swung grid: in each block, it returns each step once, with the step's exact frame.
///
/// Each line of `grid` is a step, usually a sixteenth. Steps are counted in pairs from the bar line at which the rhythm
/// or its meter begins. The second step of each pair is late by half a step times `swing`: with 0 the rhythm is
/// straight, with 2/3 a triplet shuffle, with 1 dotted. A new swing takes effect with the next pair.
///
/// A step sounds at the first frame at or after its time. So it is never early, and it sounds at the same frame for
/// any division into blocks. If the position in the music jumps, the steps continue at the new position. If a step is
/// late by 20 ms or less, it is still played. `BeatSteps` finds lines without swing, at the nearest frame.
///
/// - Thread: the audio thread, or another single owner.
/// - Real-time safe: yes.
public struct SwungSteps: Sendable {
  /// The delay of the second step of each pair, 0 (no delay) … 1 (half a step).
  public var swing = 0.0
  /// The grid whose lines are the steps.
  public let grid: BeatGrid

  private var frames = FrameMap()
  private var stepGrid: StepGrid?
  private var index: Int64 = 0
  private var pairSwing = 0.0
  /// Whether the step that was found last is the first of a pair.
  private var isInPair = false
  private var last = SessionTime(nanoseconds: .min / 2)

  private static let tolerance = 0.02
  /// The time from the end of a block to the last step, in seconds, above which the shared clock was set back.
  ///
  /// A correction of the clock is smaller: after a correction, no step is returned twice.
  private static let leap = 1.0

  /// Creates steps with the length of a note value: `part`, clamped to 1 … 64, is 4 for quarter notes, 16 for
  /// sixteenths.
  public init(_ part: Int = 16) { grid = .note(max(1, min(part, 64))) }

  /// Creates steps along a grid; the grid `.now` has no steps.
  public init(_ grid: BeatGrid) { self.grid = grid }

  /// Returns the position of a step, in steps without swing: a step with an odd number is late by half a step times
  /// `swing`.
  @inlinable
  static func place(_ step: Double, swing: Double) -> Double {
    step.truncatingRemainder(dividingBy: 2) == 0 ? step : step + swing / 2
  }

  /// A step of the grid.
  @frozen
  public struct Step: Hashable, Sendable {
    /// The frame at which the step begins, counted from 0 at the start of the block that was passed to `next`.
    public var frame: Int
    /// The step's number, 0 at the start of bar 1; the same on every machine that shares the beat.
    public var index: Int64
    /// The beat of the step without swing, 0 at the start of bar 1.
    public var beat: Double
    /// The position of the step without swing, as a bar and a beat in this bar.
    public var position: BarPosition
    /// The bar of the step, counted from 1.
    public var bar: Int
    /// The step's number in the bar, from 0.
    public var stepInBar: Int
    /// The number of steps in this bar.
    public var stepsPerBar: Int
    /// The time at which the step must be heard.
    public var time: HostTime
    /// The tempo at this step.
    public var tempo: Tempo
    /// The length of a step without swing at `tempo`, in seconds.
    public var length: Double
    /// Whether the step belongs to the count-in.
    public var isCountIn: Bool
  }

  /// Returns the next step in this block; nil if none is left.
  public mutating func next(in block: borrowing AudioBlock, of clock: BeatClock) -> Step? {
    guard let timeline = clock.course, grid != .now else { return nil }
    if isInPair { pairSwing = swing }
    isInPair = false
    frames.follow(block)
    let start = clock.sessionTime(at: block.time(0))
    restart(ifAfter: clock.sessionTime(at: block.time(block.frames.count)))
    while true {
      let earliest = max(
        start.advanced(bySeconds: -Self.tolerance), SessionTime(nanoseconds: last.nanoseconds &+ 1000))
      guard let (segment, time) = place(in: timeline, from: earliest, now: start) else { return nil }
      let host = clock.hostTime(at: time)
      let frame = frames.frame(at: host, in: block)
      guard frame < block.frames.count else { return nil }
      let step = step(of: segment, frame: max(0, frame), time: time, host: host)
      isInPair = index & 1 == stepGrid.map { $0.first & 1 } ?? 0
      index += 1
      last = time
      if host.seconds(since: block.time(0)) >= -Self.tolerance { return step }
    }
  }

  /// Begins the search for steps again if the last step is far after the end of a block: the shared clock was set back.
  private mutating func restart(ifAfter end: SessionTime) {
    guard last.seconds(since: end) > Self.leap else { return }
    (last, stepGrid) = (SessionTime(nanoseconds: .min / 2), nil)
  }

  /// The origin and the spacing of the steps, which change with the meter and with a new start of the rhythm.
  private struct StepGrid: Equatable {
    var first: Int64
    var beat: Double
    var step: Double
    var take: UInt32
    var perBar: Int

    init(_ segment: BeatSegment, grid: BeatGrid, take: UInt32) {
      step = grid.step(in: segment.meter)
      perBar = max(1, Int(Double(segment.meter.beatsPerBar) / step))
      // A bar without a whole number of steps also begins with a step.
      first = Int64(segment.bar &- 1) * Int64(perBar)
      beat = segment.barBeat
      self.take = take
    }

    func beat(of index: Int64, swing: Double) -> Double {
      beat + SwungSteps.place(Double(index &- first), swing: swing) * step
    }

    /// Returns the number of the first step at or after a beat.
    func index(from wanted: Double, swing: Double) -> Int64 {
      let steps = max(-1e15, min(((wanted - beat) / step).rounded(.down), 1e15))
      var index = first &+ Int64(steps) - 1
      while beat(of: index, swing: swing) < wanted - 1e-7 { index += 1 }
      return index
    }
  }

  /// Returns the segment in which the next step lies, and the time of this step; nil for none.
  private mutating func place(
    in timeline: Timeline, from earliest: SessionTime, now: SessionTime
  ) -> (BeatSegment, SessionTime)? {
    var from = earliest
    for _ in 0..<3 {
      let segment = timeline.segment(at: from)
      let here = StepGrid(segment, grid: grid, take: timeline.take)
      // The first search begins now: steps from before are not played late.
      let since = stepGrid == nil ? max(from, now) : from
      let beat = segment.beat(at: since)
      let next = here.beat(of: index, swing: pairSwing)
      if here != stepGrid || next > beat + 2 * here.step || next < beat - 1e-7 {
        let isNew = here != stepGrid
        stepGrid = here
        if isNew || next > beat { pairSwing = swing }
        index = here.index(from: beat, swing: pairSwing)
      }
      let end = timeline.end(after: from)
      if let time = segment.time(ofBeat: here.beat(of: index, swing: pairSwing)),
        end.map({ time < $0 }) ?? true
      {
        return (segment, max(time, segment.start))
      }
      guard let end else { return nil }
      from = end
    }
    return nil
  }

  private func step(of segment: BeatSegment, frame: Int, time: SessionTime, host: HostTime) -> Step {
    let perBar = Int64(stepGrid?.perBar ?? 16)
    let first = stepGrid?.first ?? 0
    let steps = index &- first
    let bars = steps >= 0 ? steps / perBar : (steps - perBar + 1) / perBar
    let tempo = segment.tempo(at: time)
    let stepBeats = stepGrid?.step ?? 0.25
    let (bar, stepInBar) = (Int(segment.bar) + Int(bars), Int(steps - bars * perBar))
    return Step(
      frame: frame, index: index, beat: (stepGrid?.beat ?? 0) + Double(steps) * stepBeats,
      position: BarPosition(bar: bar, beat: Double(stepInBar) * stepBeats, meter: segment.meter), bar: bar,
      stepInBar: stepInBar, stepsPerBar: Int(perBar), time: host, tempo: tempo,
      length: stepBeats * 60 / tempo.beatsPerMinute,
      isCountIn: segment.beat(at: time) < segment.soundsFrom - 1e-6)
  }
}
