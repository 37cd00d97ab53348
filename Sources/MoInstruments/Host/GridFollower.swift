import MoCore
import MoDSP

/// An iterator over grid lines: the lines of an instrument's own grid (from its sheet), or of the user's grid.
///
/// The user's grid is the grid that was set with `InstrumentHandle.grid`.
///
/// The follower also stores whether the last `rhythm` event to the instrument reported a running rhythm.
///
/// - Thread: the rendering thread.
/// - Real-time safe: yes, except `init`.
struct GridFollower {
  /// The instrument's own grid; nil if it has none.
  private var own: SwungSteps?
  private var isRhythm = false
  /// The time of the last line of the user's grid that `nextLine` returned; `distantPast` before the first line.
  private var last = HostTime.distantPast
  /// The time of the next line of the user's grid; nil if no line follows, for example without a rhythm.
  private(set) var next: HostTime?

  /// - Parameter own: the instrument's own grid; nil if it has none.
  init(own: SwungSteps?) { self.own = own }

  /// Finds the next line of the user's grid, and stores the time of this line in `next`; called once per block.
  ///
  /// - Parameter half: half the time between two frames, in nanoseconds, because a line belongs to the nearest frame.
  mutating func begin(
    _ block: borrowing AudioBlock, _ beat: BeatClock?, _ quantiser: Quantiser?, half: Int64
  ) {
    let earliest = block.time(0).advanced(byNanoseconds: 0 &- half)
    // Start again if the clock was set back.
    if last > block.time(block.frames.count).advanced(bySeconds: 10) { last = .distantPast }
    next = line(from: max(earliest, last.advanced(byNanoseconds: 1_000_000)), beat, quantiser)
  }

  /// Returns the user's grid line that is due at `time`, nil without a rhythm; stores the next line's time in `next`.
  mutating func nextLine(at time: HostTime, _ beat: BeatClock?, _ quantiser: Quantiser?) -> GridLine? {
    last = time
    next = line(from: time.advanced(byNanoseconds: 1_000_000), beat, quantiser)
    guard let beat, let quantiser, let place = beat.beat(at: time) else { return nil }
    return GridLine(at: time, beat: place, on: beat, quantiser)
  }

  /// Returns the next line of the instrument's own grid in the block; nil if no line is left, if no rhythm runs, or if
  /// the instrument has no own grid.
  mutating func nextOwn(in block: borrowing AudioBlock, _ beat: BeatClock?, swing: Double) -> SwungSteps.Step?
  {
    guard let beat, own != nil else { return nil }
    own?.swing = swing
    return own?.next(in: block, of: beat)
  }

  /// Returns an event that reports the start or the end of the rhythm `beat`; nil if nothing has changed since the last
  /// report.
  ///
  /// If the instrument has no own grid, and the user has set no grid (`hasGrid` is false), the rhythm counts as
  /// stopped.
  mutating func follow(_ beat: BeatClock?, at time: HostTime, hasGrid: Bool) -> InstrumentEvent? {
    guard own != nil || hasGrid else { return report(false) }
    return report(beat?.isPlaying(at: time) ?? false)
  }

  /// Returns an event that reports whether a rhythm runs; nil if the previous report had the same value of `isRunning`.
  mutating func report(_ isRunning: Bool) -> InstrumentEvent? {
    guard isRunning != isRhythm else { return nil }
    isRhythm = isRunning
    return .rhythm(isRunning: isRunning)
  }

  /// Returns the time of the first line of the user's grid at or after a time.
  ///
  /// The result is nil if the instrument has its own grid, if the user has set no grid, or if no rhythm runs.
  private func line(from time: HostTime, _ clock: BeatClock?, _ quantiser: Quantiser?) -> HostTime? {
    guard own == nil, let quantiser, !quantiser.isFree, let clock, let timeline = clock.course,
      clock.isPlaying(at: time), let beat = clock.beat(at: time)
    else { return nil }
    let session = clock.sessionTime(at: time)
    let next = quantiser.nextLine(from: beat, timeline.segment(at: session).barBeat)
    return timeline.moment(ofBeat: next, from: session).map { clock.hostTime(at: $0) }
  }
}

extension GridLine {
  /// Creates a line of the user's grid from its time and from the beat that the rhythm of `clock` has at this time.
  init(at time: HostTime, beat: Double, on clock: BeatClock, _ quantiser: Quantiser) {
    let tempo = clock.tempo(at: time) ?? Tempo(120)
    let position =
      clock.course?.segment(at: clock.sessionTime(at: time)).position(ofBeat: beat)
      ?? BarPosition(bar: 1, beat: 0, meter: .common)
    self.init(
      beat: beat, position: position, tempo: tempo,
      length: 60 / (tempo.beatsPerMinute * max(0.25, quantiser.stepsPerBeat)))
  }

  /// Creates a line from a step of an instrument's own grid.
  init(_ step: SwungSteps.Step) {
    self.init(
      beat: step.beat, position: step.position, tempo: step.tempo, length: step.length,
      isCountIn: step.isCountIn)
  }
}
