/// The progress of the music on the shared clock: the segment in force, and up to two announced changes.
///
/// The timeline is a plain value that is the same on every member, so no member needs to send clock ticks.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct Timeline: Hashable, Sendable, BitwiseCopyable {
  /// The segment in force until `next` begins.
  public var current: BeatSegment
  /// The first announced change; nil for none.
  public var next: BeatSegment?
  /// A second announced change, after `next`; nil for none.
  public var later: BeatSegment?
  /// The number of the take; each start of the rhythm begins a new take with a higher number.
  ///
  /// Beats never go back within one take.
  public var take: UInt32

  /// Creates a timeline from the segment that is in force, and from at most two changes that follow.
  ///
  /// A segment is a stretch of music with one meter: at a steady tempo, on a ramp of the tempo, or stopped.
  @inlinable
  public init(
    _ current: BeatSegment, next: BeatSegment? = nil, later: BeatSegment? = nil, take: UInt32 = 0
  ) {
    (self.current, self.next, self.later, self.take) = (current, next, later, take)
  }

  /// The segment that is in force after all announced changes.
  @inlinable
  public var last: BeatSegment { later ?? next ?? current }

  /// Returns the segment in force at a moment.
  @inlinable
  public func segment(at time: SessionTime) -> BeatSegment {
    guard let next, time >= next.start else { return current }
    guard let later, time >= later.start else { return next }
    return later
  }

  /// Returns the time at which the segment that is in force at `time` ends; nil if it has no end.
  @inlinable
  public func end(after time: SessionTime) -> SessionTime? {
    if let next, time < next.start { return next.start }
    if let later, time < later.start { return later.start }
    return nil
  }

  /// Returns the beat at a moment.
  @inlinable
  public func beat(at time: SessionTime) -> Double { segment(at: time).beat(at: time) }

  /// Returns the tempo at a moment, in beats per minute.
  @inlinable
  public func tempo(at time: SessionTime) -> Double { segment(at: time).tempo(at: time) }

  /// Returns whether beats advance at a moment.
  @inlinable
  public func isPlaying(at time: SessionTime) -> Bool { segment(at: time).isPlaying }

  /// Returns the time at which `BeatClock.floor` ends: the music reaches `beat`, or a new start sets the beat back.
  ///
  /// The result is not before `earliest`. If neither happens, the result is the largest `SessionTime`.
  public func end(ofFloor beat: Double, from earliest: SessionTime) -> SessionTime {
    let end = time(ofBeat: beat, from: earliest) ?? SessionTime(nanoseconds: .max)
    guard let restart, restart.start.start > earliest else { return end }
    return min(end, restart.start.start)
  }

  /// The start that sets the beat back, and the segment before this start; nil if no change sets the beat back.
  package var restart: (before: BeatSegment, start: BeatSegment)? {
    if let next, next.beat < current.beat(at: next.start) - 1e-3 { return (current, next) }
    if let next, let later, later.beat < next.beat(at: later.start) - 1e-3 { return (next, later) }
    return nil
  }

  /// Returns the bar, and the beat in it, at a moment.
  @inlinable
  public func position(at time: SessionTime) -> BarPosition {
    let segment = segment(at: time)
    return segment.position(ofBeat: segment.beat(at: time))
  }

  /// Returns the first time, not before `earliest`, at which the music reaches a beat.
  ///
  /// The result is nil if the music does not reach the beat after `earliest`: the beat has passed, or the music stops.
  /// After a new start, the music can reach the same beat again.
  @inlinable
  public func time(ofBeat beat: Double, from earliest: SessionTime) -> SessionTime? {
    var from = earliest
    while true {
      let end = end(after: from)
      if let time = segment(at: from).time(ofBeat: beat), end.map({ time < $0 }) ?? true, time >= from {
        return time
      }
      guard let end else { return nil }
      from = end
    }
  }

  /// Returns the time of a beat, as `time(ofBeat:from:)` does, and tolerates rounding errors at the ends of segments.
  ///
  /// The function also finds a beat that is up to 10 ns before a segment's start.
  ///
  /// If the tempo changes on a beat, the time of the change is rounded to a nanosecond. After this rounding, the beat
  /// can lie just after the end of the old segment and just before the start of the new segment. Then
  /// `time(ofBeat:from:)` finds the beat in neither segment.
  public func moment(ofBeat beat: Double, from earliest: SessionTime) -> SessionTime? {
    var from = earliest
    while true {
      let end = end(after: from)
      if let time = segment(at: from).time(ofBeat: beat), end.map({ time < $0 }) ?? true,
        time.nanoseconds &+ 10 >= from.nanoseconds
      {
        return max(time, from)
      }
      guard let end else { return nil }
      from = end
    }
  }

  /// Returns the time of the first grid line at or after `earliest`; nil if the rhythm stays stopped.
  @inlinable
  public func time(of grid: BeatGrid, from earliest: SessionTime) -> SessionTime? {
    var from = earliest
    while true {
      let segment = segment(at: from)
      let end = end(after: from)
      if let time = segment.time(ofBeat: segment.line(grid, from: segment.beat(at: from))),
        end.map({ time < $0 }) ?? true
      {
        return max(time, from)
      }
      guard let end else { return nil }
      from = end
    }
  }
}
