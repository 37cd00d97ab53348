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

  /// Returns the tempo at a moment.
  @inlinable
  public func tempo(at time: SessionTime) -> Tempo { segment(at: time).tempo(at: time) }

  /// Returns whether beats advance at a moment.
  @inlinable
  public func isPlaying(at time: SessionTime) -> Bool { segment(at: time).isPlaying }

  /// Returns the time at which `BeatClock.floor` ends: the music reaches `beat`, or a new start changes the beat.
  ///
  /// The result is not before `earliest`. If neither happens, the result is the largest `SessionTime`.
  public func end(ofFloor beat: Double, from earliest: SessionTime) -> SessionTime {
    let end = time(ofBeat: beat, from: earliest) ?? SessionTime(nanoseconds: .max)
    guard let restart, restart.start.start > earliest else { return end }
    return min(end, restart.start.start)
  }

  /// The new start at which the beat jumps, back or forward, and the segment before this start; nil for none.
  package var restart: (before: BeatSegment, start: BeatSegment)? {
    if let next, abs(next.beat - current.beat(at: next.start)) > 1e-3 { return (current, next) }
    if let next, let later, abs(later.beat - next.beat(at: later.start)) > 1e-3 { return (next, later) }
    return nil
  }

  /// Returns the time of a beat of the take that `restart` ends, and the beat that sounds at this time.
  ///
  /// For a beat that the take would have reached less than `reach` beats after the new start, the result is the time and
  /// the beat of the start. The result is nil for a later beat, or if no rhythm runs before the start.
  package func lastMoment(ofBeat beat: Double, reach: Double = 1) -> (time: SessionTime, beat: Double)? {
    guard let (before, start) = restart, let time = before.time(ofBeat: beat) else { return nil }
    // The same limit as in `BeatClock.take(at:)`.
    if time.nanoseconds &+ 10 < start.start.nanoseconds { return (time, beat) }
    return beat < before.beat(at: start.start) + reach ? (start.start, start.beat) : nil
  }

  /// Returns `lastMoment(ofBeat:reach:)` of a beat with the number of the present take; nil for a beat of this take.
  ///
  /// From its announcement on, a start's take number also holds for the music before the start. So the music can reach
  /// a beat twice under this number. The beat belongs to the music before the start if this music reaches the beat
  /// nearer to `time`.
  ///
  /// The default limits are those of a sender: the nearest line of a wide grid can be some beats away.
  ///
  /// - Parameters:
  ///   - time: the present.
  ///   - late: the seconds by which a beat of the music before the start may have passed.
  ///   - delay: the seconds after the start within which a beat can belong to the music before the start.
  ///   - reach: as for `lastMoment(ofBeat:reach:)`.
  package func momentBeforeRestart(
    ofBeat beat: Double, near time: SessionTime, late: Double = 2, delay: Double = 0.05, reach: Double = 4
  ) -> (time: SessionTime, beat: Double)? {
    guard let (before, start) = restart, time.seconds(since: start.start) < delay,
      let moment = lastMoment(ofBeat: beat, reach: reach), let old = before.time(ofBeat: beat),
      let new = start.time(ofBeat: beat), time.seconds(since: old) < late
    else { return nil }
    let isNearer = abs(old.seconds(since: time)) < abs(new.seconds(since: time))
    return isNearer || beat < start.beat ? moment : nil
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
