import MoCore
import MoDSP

/// Finds the grid lines of an instrument: those of its own grid, or those of the grid that was set for the instrument.
///
/// It also knows whether the instrument has been told that a rhythm runs.
///
/// - Thread: the rendering thread.
/// - Real-time safe: yes, except `init`.
struct GridFollower {
  /// The instrument's own grid; nil if it has none.
  private var own: SwungSteps?
  private var isRhythm = false
  /// The time of the last line that was taken from the grid that was set, and the time of the next line of this grid.
  private var last = HostTime.distantPast
  private(set) var next: HostTime?

  /// - Parameter own: the instrument's own grid; nil if it has none.
  init(own: SwungSteps?) { self.own = own }

  /// Whether the instrument has its own grid.
  var hasOwn: Bool { own != nil }

  /// Finds the next line of the grid that was set; called once per block.
  ///
  /// - Parameter half: half the time between two frames, in nanoseconds.
  mutating func begin(
    _ block: borrowing AudioBlock, _ beat: BeatClock?, _ quantiser: Quantiser?, half: Int64
  ) {
    let earliest = block.time(0).advanced(byNanoseconds: 0 &- half)
    // Start again if the clock was set back.
    if last > block.time(block.frames.count).advanced(bySeconds: 10) { last = .distantPast }
    next = line(from: max(earliest, last.advanced(byNanoseconds: 1_000_000)), beat, quantiser)
  }

  /// Returns the grid line that is due at `time`, and finds the line after it; nil if no rhythm runs.
  mutating func take(at time: HostTime, _ beat: BeatClock?, _ quantiser: Quantiser?) -> GridLine? {
    last = time
    next = line(from: time.advanced(byNanoseconds: 1_000_000), beat, quantiser)
    guard let beat, let quantiser, let place = beat.beat(at: time) else { return nil }
    return GridLine(at: time, beat: place, on: beat, quantiser)
  }

  /// Returns the next line of the instrument's own grid in the block, if it has one.
  mutating func nextOwn(in block: borrowing AudioBlock, _ beat: BeatClock?, swing: Double) -> SwungSteps.Step?
  {
    guard let beat, own != nil else { return nil }
    own?.swing = swing
    return own?.next(in: block, of: beat)
  }

  /// Returns the event that reports the start or the end of a rhythm; nil if it was already reported.
  mutating func follow(_ beat: BeatClock?, at time: HostTime, hasGrid: Bool) -> InstrumentEvent? {
    guard own != nil || hasGrid else { return report(false) }
    return report(beat?.isPlaying(at: time) ?? false)
  }

  /// Returns the event that reports the start or the end of a rhythm; nil if the instrument already knows of it.
  mutating func report(_ isRunning: Bool) -> InstrumentEvent? {
    guard isRunning != isRhythm else { return nil }
    isRhythm = isRunning
    return .rhythm(isRunning: isRunning)
  }

  /// Returns the first line at or after a time; nil with an own grid, without a set grid, or without a rhythm.
  private func line(from time: HostTime, _ clock: BeatClock?, _ quantiser: Quantiser?) -> HostTime? {
    guard own == nil, let quantiser, !quantiser.isFree, let clock, let course = clock.course,
      clock.isPlaying(at: time), let beat = clock.beat(at: time)
    else { return nil }
    let session = clock.sessionTime(at: time)
    let next = quantiser.nextLine(from: beat, course.segment(at: session).barBeat)
    return course.moment(ofBeat: next, from: session).map { clock.hostTime(at: $0) }
  }
}

extension GridLine {
  /// Creates a line of an instrument's grid from the beat at a time.
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
      beat: step.beat, position: step.position, tempo: Tempo(step.tempo), length: step.length,
      isCountIn: step.isCountIn)
  }
}
