/// The music's course against the shared clock: what is in force, and up to two changes that have been announced.
///
/// A plain value, the same on every member, so nobody need send ticks.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct Timeline: Hashable, Sendable, BitwiseCopyable {
  /// What is in force, until `next` begins.
  public var current: BeatSegment
  /// The change that was announced.
  public var next: BeatSegment?
  /// A second one, that begins after `next`.
  public var later: BeatSegment?
  /// Which start of the rhythm, later ones with higher numbers: beats never go back within one take.
  public var take: UInt32

  /// A timeline of one segment, and what was announced.
  @inlinable
  public init(
    _ current: BeatSegment, next: BeatSegment? = nil, later: BeatSegment? = nil, take: UInt32 = 0
  ) {
    (self.current, self.next, self.later, self.take) = (current, next, later, take)
  }

  /// What holds after all that was announced.
  @inlinable
  public var last: BeatSegment { later ?? next ?? current }

  /// The segment that holds at a moment.
  @inlinable
  public func segment(at time: SessionTime) -> BeatSegment {
    guard let next, time >= next.start else { return current }
    guard let later, time >= later.start else { return next }
    return later
  }

  /// When the segment that holds at a moment gives way to the next; nil for never.
  @inlinable
  public func end(after time: SessionTime) -> SessionTime? {
    if let next, time < next.start { return next.start }
    if let later, time < later.start { return later.start }
    return nil
  }

  /// The beat at a moment.
  @inlinable
  public func beat(at time: SessionTime) -> Double { segment(at: time).beat(at: time) }

  /// Beats a minute at a moment.
  @inlinable
  public func tempo(at time: SessionTime) -> Double { segment(at: time).tempo(at: time) }

  /// Whether beats go by at a moment.
  @inlinable
  public func isPlaying(at time: SessionTime) -> Bool { segment(at: time).isPlaying }

  /// When a beat that is waited for is reached from a moment on, or the course begins anew before.
  public func end(ofFloor beat: Double, from earliest: SessionTime) -> SessionTime {
    var end = time(ofBeat: beat, from: earliest) ?? SessionTime(nanoseconds: .max)
    var before = segment(at: earliest)
    for segment in [next, later].compactMap({ $0 }) where segment.start > earliest {
      if segment.beat < before.beat(at: segment.start) - 1e-3 { end = min(end, segment.start) }
      before = segment
    }
    return end
  }

  /// The bar, and the beat in it, at a moment.
  @inlinable
  public func position(at time: SessionTime) -> BarPosition {
    let segment = segment(at: time)
    return segment.position(ofBeat: segment.beat(at: time))
  }

  /// When a beat is, at or after a moment; nil if it never comes, as after a stop.
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

  /// As `time(ofBeat:from:)`, and so for a beat that lies up to 10 ns before a segment that begins with it.
  ///
  /// A change that falls on a beat is rounded to a nanosecond: counted in the new tempo the beat may lie that little
  /// before the change, and must not be lost between the two.
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

  /// When the first line of a grid is, at or after a moment; nil if beats stand still from there on.
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
