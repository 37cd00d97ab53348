import MoCore

/// Finds the lines of a musical grid in each block, to the sample.
///
/// Each line is found once, even where a block's time moves a little against the one before, as it does when a
/// sound card's clock is corrected; one that slipped between two blocks is found at the start of the second. Who comes
/// into a bar begins at the next.
///
/// - Thread: the audio thread, or whoever owns it.
/// - Real-time safe: yes.
public struct BeatSteps: Sendable {
  /// Which lines are found.
  public var grid: BeatGrid
  private var last: SessionTime?

  /// A line that slipped away by no more than this (s) is still played.
  private static let grace = 0.02
  /// By so much (s) two lines of two grids that are one may be told apart.
  private static let rounding = 1e-6

  /// Steps along a grid such as `.beat` or `.sixteenth`.
  public init(_ grid: BeatGrid) { self.grid = grid }

  /// One line of the grid.
  @frozen
  public struct Step: Hashable, Sendable {
    /// Its frame in this block.
    public var frame: Int
    /// Its beat, counted as in `BeatSegment`.
    public var beat: Double
    /// Its bar, and the beat in it.
    public var position: BarPosition
    /// Whether it belongs to the bars that are only counted.
    public var isCountIn: Bool
  }

  /// The next line in this block; nil when there is none any more.
  public mutating func next(in block: borrowing AudioBlock, of beat: BeatClock) -> Step? {
    next(from: block.time(0), to: block.time(block.frames.count), frames: block.frames.count, of: beat)
  }

  /// The next line in a stretch of so many frames between two host times.
  mutating func next(from start: HostTime, to end: HostTime, frames: Int, of clock: BeatClock) -> Step? {
    guard let timeline = clock.course, frames > 0 else { return nil }
    let from = clock.sessionTime(at: start)
    let to = clock.sessionTime(at: end)
    let earliest = from.advanced(bySeconds: -Self.grace)
    var cursor: SessionTime
    if let last {
      let segment = timeline.segment(at: last)
      let half = grid.step(in: segment.meter) * 30 / segment.tempo(at: last)
      cursor = last.advanced(bySeconds: half)
      // Another session, or a clock that was moved far: what was last says nothing.
      if cursor > to.advanced(bySeconds: 10) { cursor = from }
      cursor = max(cursor, earliest)
    } else {
      // A newcomer's clock finds its place meanwhile.
      guard let line = timeline.time(of: .bar, from: earliest) else { return nil }
      cursor = line.advanced(bySeconds: -Self.rounding)
    }
    guard cursor < to, let time = timeline.time(of: grid, from: cursor), time < to else { return nil }
    last = time
    let segment = timeline.segment(at: time)
    let line = segment.line(grid, from: segment.beat(at: time) - 1e-6)
    let share = Double(time.nanoseconds &- from.nanoseconds) / Double(to.nanoseconds &- from.nanoseconds)
    return Step(
      frame: min(max(Int((share * Double(frames)).rounded()), 0), frames - 1), beat: line,
      position: segment.position(ofBeat: line + 1e-9), isCountIn: line < segment.soundsFrom - 1e-6)
  }
}
