import MoCore

/// The times of beats by the shared clock.
extension ClockSync {
  /// Returns the shared clock in milliseconds; nil while it is not known.
  func milliseconds(at now: HostTime) -> Int64? {
    isSynced ? beatClock.sessionTime(at: now).nanoseconds / 1_000_000 : nil
  }

  /// The time of a beat: a host time with the beat that sounds then, never, or not yet known here.
  enum Due {
    case at(HostTime, beat: Double)
    case never
    case unknown
  }

  /// Returns the time of a beat, as far as the rhythm is known here.
  ///
  /// A take lasts until the start that ends it. A beat that the take would have reached less than one beat later sounds
  /// at the start, as the beat of the start.
  ///
  /// - Parameter lag: the output delay that this device does not report, in nanoseconds.
  func due(_ stamp: PlayStamp, _ lag: Int64, at now: HostTime) -> Due {
    // The same way as for the displayed beat, so that both sound together.
    var beatClock = beatClock
    beatClock.lag = lag
    guard let timeline = beatClock.course, stamp.lineage == base?.lineage else { return .unknown }
    let time = beatClock.sessionTime(at: now)
    guard stamp.take == timeline.take else {
      // A start that is not yet known here.
      if Int32(bitPattern: stamp.take &- timeline.take) > 0 { return .unknown }
      // Either the take that the announced start ends, or one that is over.
      guard let start = timeline.restart?.start.start, time.seconds(since: start) < DuePlay.restartDelay,
        let moment = timeline.lastMoment(ofBeat: stamp.beat)
      else { return .never }
      return .at(beatClock.hostTime(at: moment.time), beat: moment.beat)
    }
    if let moment = timeline.momentBeforeRestart(
      ofBeat: stamp.beat, near: time, late: DuePlay.restartDelay, delay: DuePlay.restartDelay, reach: 1)
    {
      return .at(beatClock.hostTime(at: moment.time), beat: moment.beat)
    }
    if let moment = timeline.moment(ofBeat: stamp.beat, from: time) {
      return .at(beatClock.hostTime(at: moment), beat: stamp.beat)
    }
    let segment = timeline.segment(at: time)
    guard segment.beat(at: time) >= stamp.beat - 1e-6 else { return .never }
    // By the present tempo, the beat was before now, and also before the tempo changed.
    let past = segment.isPlaying ? segment.time(ofBeat: stamp.beat) : segment.start
    return .at(beatClock.hostTime(at: past ?? time), beat: stamp.beat)
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
      let moment = timeline.momentBeforeRestart(
        ofBeat: beat, near: time, late: DuePlay.restartDelay, delay: DuePlay.restartDelay, reach: 1)
      return PlayStamp(lineage: lineage, take: timeline.take, beat: moment?.beat ?? beat)
    case .soonest(let beat):
      let soon = time.advanced(bySeconds: lead())
      guard isSynced, let timeline = beatClock.course, abs(beat) < 1e9, timeline.isPlaying(at: soon) else {
        throw .noRhythm
      }
      if let moment = timeline.momentBeforeRestart(ofBeat: beat, near: time) {
        let sounding = moment.time > soon ? moment.beat : timeline.beat(at: soon)
        return PlayStamp(lineage: lineage, take: timeline.take, beat: sounding)
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
