import MoCore

/// When beats are by the shared clock.
extension ClockSync {
  /// The shared clock in milliseconds; nil while it is not known.
  func milliseconds(at now: HostTime) -> Int64? {
    isSynced ? beatClock.sessionTime(at: now).nanoseconds / 1_000_000 : nil
  }

  /// What is known of a beat's moment.
  enum Due {
    case at(HostTime)
    case never
    case unknown
  }

  /// When a beat is, by what is known of the rhythm here.
  ///
  /// - Parameter lag: by how many nanoseconds this device sounds later than it believes.
  func due(_ stamp: PlayStamp, _ lag: Int64, at now: HostTime) -> Due {
    // As the shown beat is, so that what is heard and what is played to the beat sound together.
    var beatClock = beatClock
    beatClock.lag = lag
    guard let course = beatClock.course, stamp.lineage == base?.lineage else { return .unknown }
    guard stamp.take == course.take else {
      // A start that has not come to be known here, or one that is over.
      return Int32(bitPattern: stamp.take &- course.take) > 0 ? .unknown : .never
    }
    let time = beatClock.sessionTime(at: now)
    if let moment = course.moment(ofBeat: stamp.beat, from: time) {
      return .at(beatClock.hostTime(at: moment))
    }
    let segment = course.segment(at: time)
    guard segment.beat(at: time) >= stamp.beat - 1e-6 else { return .never }
    // It was before now, and by the tempo that holds it was then.
    let past = segment.isPlaying ? segment.time(ofBeat: stamp.beat) : segment.start
    return .at(beatClock.hostTime(at: past ?? time))
  }

  /// The beat that a moment names; nil for at once.
  ///
  /// - Parameter lead: seconds by which it is to be told ahead, if that counts.
  func stamp(
    _ moment: SessionMoment, lead: () -> Double, at now: HostTime
  ) throws(SessionRefusal) -> PlayStamp? {
    let time = beatClock.sessionTime(at: now)
    let lineage = base?.lineage ?? .nobody
    switch moment {
    case .now: return nil
    case .beat(let beat):
      guard isSynced, let course = beatClock.course, abs(beat) < 1e9 else { throw .noRhythm }
      return PlayStamp(lineage: lineage, take: course.take, beat: beat)
    case .soonest(let beat):
      let soon = time.advanced(bySeconds: lead())
      guard isSynced, let course = beatClock.course, abs(beat) < 1e9, course.isPlaying(at: soon) else {
        throw .noRhythm
      }
      return PlayStamp(lineage: lineage, take: course.take, beat: max(beat, course.beat(at: soon)))
    case .next(let grid):
      if case .now = grid { return nil }
      let soon = time.advanced(bySeconds: lead())
      guard isSynced, let course = beatClock.course, let line = course.time(of: grid, from: soon) else {
        return nil
      }
      return PlayStamp(lineage: lineage, take: course.take, beat: course.beat(at: line))
    }
  }
}
