import MoCore

/// A finder of the lines of a musical grid in each block, exact to the sample.
///
/// The finder returns each line once, even if the times of two blocks overlap a little or leave a small gap. Such
/// overlaps and gaps occur when the clock of a sound card is corrected. If a line is in the gap between two blocks, the
/// line is found at the start of the second block. If a program joins in the middle of a bar, the lines begin with the
/// next bar. If the shared clock is set back by some seconds, the lines continue in the new time.
///
/// The lines have no swing, and each is at the frame nearest to its time; `SwungSteps` (MoInstruments) has swing.
///
/// - Thread: the audio thread, or another single owner.
/// - Real-time safe: yes.
public struct BeatSteps: Sendable {
  /// The grid whose lines are found.
  public var grid: BeatGrid
  private var last: Found?
  /// The lines that `read` found in a block, in the first `count` elements.
  @usableFromInline var lines: InlineArray<32, Step?> = .init(repeating: nil)
  /// The number of lines that `read` found in the block.
  @usableFromInline var count = 0
  /// The number of lines of the block that `due` has already returned.
  @usableFromInline var done = 0

  /// The greatest delay with which a missed line is still found, in seconds; later, the line is skipped.
  private static let tolerance = 0.02
  /// The greatest difference, in seconds, between the times that two grids compute for the same line.
  ///
  /// The cause is rounding. For example, a bar line is also a line of the grid of beats.
  private static let rounding = 1e-6
  /// The time from the end of a block to the last line, in seconds, above which the shared clock was set back.
  private static let leap = 1.0

  /// A line that was found.
  private struct Found: Sendable {
    var time: SessionTime
    var beat: Double
    /// The take of the timeline in which the line was found.
    var take: UInt32
  }

  /// Creates a finder for the lines of a grid such as `.beat` or `.sixteenth`; the grid `.now` has no lines.
  public init(_ grid: BeatGrid) { self.grid = grid }

  /// A line of the grid.
  @frozen
  public struct Step: Hashable, Sendable {
    /// The frame of the line, counted from the start of the block in which the line was found.
    public var frame: Int
    /// The beat of the line, counted from 0 at the start of bar 1; negative in a count-in.
    public var beat: Double
    /// The bar of the line, and the beat in that bar.
    public var position: BarPosition
    /// Whether the line belongs to the count-in.
    public var isCountIn: Bool
  }

  /// Finds the lines of a block, at most 32, for `due(at:)`; call it once at the start of the block.
  ///
  /// <!-- with: var (drum, steps) = (Drum(), BeatSteps(.beat)) -->
  ///
  /// ```swift
  /// steps.read(block, of: beat)
  /// for frame in block.frames {
  ///   if let step = steps.due(at: frame) { drum.strike(step.position.beat < 0.5 ? 1 : 0.5) }
  ///   block[frame] = drum.tick()
  /// }
  /// ```
  public mutating func read(_ block: borrowing AudioBlock, of beat: BeatClock) {
    (count, done) = (0, 0)
    while count < lines.count, let step = next(in: block, of: beat) {
      lines[count] = step
      count += 1
    }
  }

  /// Returns the next line if it is due at a frame of the block that `read` received; otherwise nil.
  ///
  /// If two lines are less than a frame apart, they are due at successive frames.
  @inlinable
  public mutating func due(at frame: Int) -> Step? {
    guard done < count, let step = lines[done], step.frame <= frame else { return nil }
    done &+= 1
    return step
  }

  /// Returns the next grid line in a block; nil if no line is left in the block.
  public mutating func next(in block: borrowing AudioBlock, of beat: BeatClock) -> Step? {
    next(from: block.time(0), to: block.time(block.frames.count), frames: block.frames.count, of: beat)
  }

  /// Returns the next grid line in a block of `frames` frames that lasts from `start` to `end`; nil if no line is left.
  package mutating func next(from start: HostTime, to end: HostTime, frames: Int, of clock: BeatClock)
    -> Step?
  {
    guard let timeline = clock.course, frames > 0, grid != .now else { return nil }
    let from = clock.sessionTime(at: start)
    let to = clock.sessionTime(at: end)
    guard let cursor = searchStart(from: from, to: to, in: timeline) else { return nil }
    guard cursor < to, let time = timeline.time(of: grid, from: cursor), time < to else { return nil }
    let segment = timeline.segment(at: time)
    let line = segment.line(grid, from: segment.beat(at: time) - 1e-6)
    last = Found(time: time, beat: line, take: timeline.take)
    let share = Double(time.nanoseconds &- from.nanoseconds) / Double(to.nanoseconds &- from.nanoseconds)
    return Step(
      frame: min(max(Int((share * Double(frames)).rounded()), 0), frames - 1), beat: line,
      position: segment.position(ofBeat: line + 1e-9), isCountIn: line < segment.soundsFrom - 1e-6)
  }

  /// Returns the time from which the next line is searched for; nil if no bar line follows.
  private func searchStart(from: SessionTime, to: SessionTime, in timeline: Timeline) -> SessionTime? {
    let earliest = from.advanced(bySeconds: -Self.tolerance)
    guard let last else {
      // A new member's clock settles until the next bar.
      return timeline.time(of: .bar, from: earliest)?.advanced(bySeconds: -Self.rounding)
    }
    guard last.time.seconds(since: to) <= Self.leap else { return from }
    var cursor = last.time.advanced(bySeconds: Self.rounding)
    let segment = timeline.segment(at: last.time)
    let half = grid.step(in: segment.meter) * 30 / segment.tempo(at: last.time).beatsPerMinute
    // A change of the tempo can move the last line to a slightly later time. In a new take, its beat is another line.
    if last.take == timeline.take, let again = timeline.time(ofBeat: last.beat, from: cursor),
      again.seconds(since: last.time) < half
    {
      cursor = again.advanced(bySeconds: Self.rounding)
    }
    return max(cursor, earliest)
  }
}
