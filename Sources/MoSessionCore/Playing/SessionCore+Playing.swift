import MoCore

extension SessionCore {
  /// Plays something for others, and for oneself where that is asked.
  ///
  /// Nobody hears it before its beat; whom it reaches too late is told so (`SessionHeard.late`). While the room is silent,
  /// or this member's section is muted, what makes sound goes to nobody (`SessionCounts.withheld`).
  ///
  /// - Returns: the beat for which all are to hear it; nil for at once.
  /// - Throws: `SessionRefusal.unknownMember`, `unknownName`, `tooLong`, `badParameter`, `noRhythm`, `crowded`.
  @discardableResult
  package mutating func play(
    _ play: SessionPlay, to aim: SessionAim, at moment: SessionMoment = .now, now: HostTime
  ) throws(SessionRefusal) -> Double? {
    try check(play, now: now)
    if play.makesSound, isSilenced || isMuted(settings.identity.installation) {
      counts.withheld += 1
      return nil
    }
    var receivers = try receivers(of: aim, now: now)
    if case .gesture = play {
      // Faster than anybody moves: the next one says it.
      receivers.removeAll { now < self.play.nextGesture[$0] ?? .distantPast }
      for id in receivers {
        self.play.nextGesture[id] = now.advanced(bySeconds: PlayDelivery.gestureInterval)
      }
      guard !receivers.isEmpty else { return nil }
    }
    if case .crowd = aim { chooseCalls(among: receivers, at: now) }
    let stamp = try stamp(moment, for: receivers, now: now)
    notify(.sent(play, aim, isForMe: receivers.contains(me), stamp: stamp), at: now)
    if play.isNumbered { self.play.numbers &+= 1 }
    var message = PlayMessage(
      from: me, to: me, stream: 0, number: self.play.numbers, first: self.play.numbers, stamp: stamp,
      play: play)
    if receivers.contains(me) { hold(message, at: now) }
    let others = receivers.filter { $0 != me }
    var refused = 0
    if case .crowd = aim, self.play.isCalling {
      message.to = .nobody
      refused = postToAll(message, others, at: now)
    } else {
      for id in others {
        message.to = id
        if !post(message, at: now) { refused += 1 }
      }
    }
    hearHeld(at: now)
    if refused > 0, refused == receivers.count { throw .crowded }
    return stamp?.beat
  }

  private func check(_ play: SessionPlay, now: HostTime) throws(SessionRefusal) {
    let instrument = play.instrument
    guard instrument.isEmpty || instrument.isPlain(most: SessionPlay.mostInstrument) else {
      throw .badInstrument(instrument)
    }
    switch play {
    case .cue(let cue) where cue.sign == .askForBaton: break
    case .cue: try mayConduct(at: now)
    case .melody(let melody):
      guard melody.notes.count <= SessionMelody.most else { throw .tooLong(notes: melody.notes.count) }
    case .change(let change):
      guard change.name.isPlain(most: 64) else { throw .badParameter(change.name) }
    case .cells(let edits):
      guard edits.name.isPlain(most: 64) else { throw .badParameter(edits.name) }
      guard edits.edits.count <= SharedEdits.most else { throw .tooManyCells }
    case .hit, .note, .gesture: break
    }
  }

  /// Whom something is for, in line.
  private func receivers(of aim: SessionAim, now: HostTime) throws(SessionRefusal) -> [MemberID] {
    switch aim {
    case .crowd(.everyone): return shownMembers + [me]
    case .crowd(.others): return shownMembers
    case .member(let id):
      guard id == me || members[id] != nil else { throw .unknownMember(id) }
      return [id]
    case .named(let name):
      guard let member = ([me] + shownMembers).first(where: { displayName(of: $0) == name }) else {
        throw .unknownName(name, here: roster(at: now).map(\.displayName))
      }
      return [member]
    case .section(let name): return try members(ofSection: name)
    }
  }

  private var shownMembers: [MemberID] {
    members.filter { !$0.value.isHidden }.keys.sorted()
  }

  /// The beat that a moment names; nil for at once.
  private func stamp(
    _ moment: SessionMoment, for receivers: [MemberID], now: HostTime
  ) throws(SessionRefusal) -> PlayStamp? {
    let time = beatClock.sessionTime(at: now)
    let lineage = base?.lineage ?? .nobody
    switch moment {
    case .now: return nil
    case .beat(let beat):
      guard isSynced, let course = beatClock.course, abs(beat) < 1e9 else { throw .noRhythm }
      return PlayStamp(lineage: lineage, take: course.take, beat: beat)
    case .soonest(let beat):
      let soon = time.advanced(bySeconds: playLead(to: receivers))
      guard isSynced, let course = beatClock.course, abs(beat) < 1e9, course.isPlaying(at: soon) else {
        throw .noRhythm
      }
      return PlayStamp(lineage: lineage, take: course.take, beat: max(beat, course.beat(at: soon)))
    case .next(let grid):
      if case .now = grid { return nil }
      let soon = time.advanced(bySeconds: playLead(to: receivers))
      guard isSynced, let course = beatClock.course,
        let line = course.time(of: grid, from: soon)
      else { return nil }
      return PlayStamp(lineage: lineage, take: course.take, beat: course.beat(at: line))
    }
  }

  /// Seconds by which something is told ahead: twice what a packet takes to the slowest, or what calls were measured to
  /// take, and what a sound card has ready.
  private func playLead(to receivers: [MemberID]) -> Double {
    var slowest = 0.0
    for id in receivers { slowest = max(slowest, Double(members[id]?.report.roundTripMilliseconds ?? 0)) }
    let own = receivers.contains(me) ? max(0, Double(settings.lag) * 1e-9) : 0
    // Others' cards are taken to be like one's own.
    let card = max(0.02, settings.soundLead + 0.003)
    let alone = min(0.18, 1e-3 * (slowest + sync.roundTrip * 1e-6))
    let isCalled = play.isCalling && receivers.count > PlayDelivery.fewestCalled
    return card + (isCalled ? min(0.4, play.callDelays.bound) : alone) + own
  }
}

extension SessionPlay {
  /// Whether it is counted by its sender, and not by a stream.
  var isNumbered: Bool { address.delivery != .ordered }
}

extension String {
  /// Whether it is a short name that does nothing but stand there.
  func isPlain(most: Int) -> Bool {
    !isEmpty && utf8.count <= most && !unicodeScalars.contains(where: SessionIdentity.isUnfit)
  }
}
