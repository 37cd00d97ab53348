import MoTime

extension Timeline {
  /// When a beat is, at or after a moment, or up to 10 ns before a segment that begins with it; nil if it never comes.
  ///
  /// A change that falls on a beat is rounded to a nanosecond: counted in the new tempo the beat may lie that little
  /// before the change, and must not be lost between the two.
  func moment(ofBeat beat: Double, from earliest: SessionTime) -> SessionTime? {
    var from = earliest
    // A timeline has three segments at most.
    for _ in 0..<3 {
      let segment = segment(at: from)
      let end = end(after: from)
      if let time = segment.time(ofBeat: beat), end.map({ time < $0 }) ?? true,
        time.nanoseconds &+ 10 >= from.nanoseconds
      {
        return max(time, from)
      }
      guard let end else { return nil }
      from = end
    }
    return nil
  }

  /// When the segment that holds at a moment gives way to the next; nil for never.
  func end(after time: SessionTime) -> SessionTime? {
    if let next, time < next.start { return next.start }
    if let later, time < later.start { return later.start }
    return nil
  }
}
