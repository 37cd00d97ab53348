import MoCore

/// The times of beats by the shared clock.
extension ClockSync {
  /// Returns the shared clock in milliseconds; nil while it is not known.
  func milliseconds(at now: HostTime) -> Int64? {
    isSynced ? beatClock.sessionTime(at: now).nanoseconds / 1_000_000 : nil
  }

  /// The time of a beat: a host time, never, or not yet known here.
  enum Due {
    case at(HostTime)
    case never
    case unknown
  }

  /// Returns the time of a beat, as far as the rhythm is known here.
  ///
  /// - Parameter lag: the output delay that this device does not report, in nanoseconds.
  func due(_ stamp: PlayStamp, _ lag: Int64, at now: HostTime) -> Due {
    // The same way as for the displayed beat, so that both sound together.
    var beatClock = beatClock
    beatClock.lag = lag
    guard let timeline = beatClock.course, stamp.lineage == base?.lineage else { return .unknown }
    guard stamp.take == timeline.take else {
      // Either a start that is not yet known here, or one that is over.
      return Int32(bitPattern: stamp.take &- timeline.take) > 0 ? .unknown : .never
    }
    let time = beatClock.sessionTime(at: now)
    if let moment = timeBeforeRestart(
      ofBeat: stamp.beat, timeline, near: time, within: DuePlay.restartDelay)
    {
      return .at(beatClock.hostTime(at: moment))
    }
    if let moment = timeline.moment(ofBeat: stamp.beat, from: time) {
      return .at(beatClock.hostTime(at: moment))
    }
    let segment = timeline.segment(at: time)
    guard segment.beat(at: time) >= stamp.beat - 1e-6 else { return .never }
    // By the present tempo, the beat was before now, and also before the tempo changed.
    let past = segment.isPlaying ? segment.time(ofBeat: stamp.beat) : segment.start
    return .at(beatClock.hostTime(at: past ?? time))
  }

  /// Returns the time of a beat that belongs to the music before a new start; nil for a beat of the present take.
  ///
  /// From its announcement on, a start's take number also holds for the music before the start. If the start sets the
  /// beat back, the music reaches some beats twice under this number. Until `window` seconds after the start, a beat
  /// belongs to the music before the start if that music reaches the beat within `window` seconds of `time`, and nearer
  /// to `time` than the music after the start. The time of a beat that is never reached is the new start.
  private func timeBeforeRestart(
    ofBeat beat: Double, _ timeline: Timeline, near time: SessionTime, within window: Double
  ) -> SessionTime? {
    guard let (before, start) = timeline.restart, time.seconds(since: start.start) < window,
      let old = before.time(ofBeat: beat), let new = start.time(ofBeat: beat)
    else { return nil }
    let distance = abs(old.seconds(since: time))
    guard distance < window, distance < abs(new.seconds(since: time)) else { return nil }
    return min(old, start.start)
  }

  /// Returns the beat at which a play for the moment `moment` sounds; nil for a play that sounds immediately.
  ///
  /// - Parameter lead: a function that returns the seconds by which the play must be sent ahead; called only if the
  ///   beat depends on them.
  func stamp(
    _ moment: SessionMoment, lead: () -> Double, at now: HostTime
  ) throws(SessionRefusal) -> PlayStamp? {
    let time = beatClock.sessionTime(at: now)
    let lineage = base?.lineage ?? .nobody
    switch moment {
    case .now: return nil
    case .beat(let beat):
      guard isSynced, let timeline = beatClock.course, abs(beat) < 1e9 else { throw .noRhythm }
      return PlayStamp(lineage: lineage, take: timeline.take, beat: beat)
    case .soonest(let beat):
      let soon = time.advanced(bySeconds: lead())
      guard isSynced, let timeline = beatClock.course, abs(beat) < 1e9, timeline.isPlaying(at: soon) else {
        throw .noRhythm
      }
      if let old = timeBeforeRestart(ofBeat: beat, timeline, near: soon, within: DuePlay.timeout) {
        return PlayStamp(lineage: lineage, take: timeline.take, beat: timeline.beat(at: max(old, soon)))
      }
      // Any other beat belongs to the announced take.
      let first = timeline.beat(at: max(soon, timeline.restart?.start.start ?? soon))
      return PlayStamp(lineage: lineage, take: timeline.take, beat: max(beat, first))
    case .next(let grid):
      if case .now = grid { return nil }
      let soon = time.advanced(bySeconds: lead())
      guard isSynced, let timeline = beatClock.course, let line = timeline.time(of: grid, from: soon) else {
        return nil
      }
      return PlayStamp(lineage: lineage, take: timeline.take, beat: timeline.beat(at: line))
    }
  }
}
