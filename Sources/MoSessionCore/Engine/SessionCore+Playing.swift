import MoCore

extension SessionCore {
  /// Sends a play to other members, and to this member if the aim includes this member.
  ///
  /// No member plays an event before its beat. If a member receives an event too late, `SessionHeard.late` says how
  /// late. While the room is silent, or this member's section is muted, sounds are not sent (`SessionCounts.withheld`).
  ///
  /// - Returns: the beat at which all members play the event; nil for immediately.
  /// - Throws: `SessionRefusal.unknownMember`, `unknownName`, `unknownSection`, `emptySection`, `tooLong`,
  ///   `badParameter`, `badInstrument`, `tooManyCells`, `noRhythm`, `crowded`, `alone`; for a cue also `conducted`,
  ///   `away`, `reserved`, `closed`.
  @discardableResult
  package mutating func play(
    _ play: SessionPlay, to aim: SessionAim, at moment: SessionMoment = .now, now: HostTime
  ) throws(SessionRefusal) -> Double? {
    try check(play, now: now)
    if play.makesSound, isSilenced || isMuted(roster.settings.identity.installation, at: now) {
      out.counts.withheld += 1
      return nil
    }
    var receivers = try receivers(of: aim, now: now)
    if case .text = play, case .section = aim {
      // The sender's own screen shows the line already.
      let mine = roster.settings.identity.installation
      receivers.removeAll { $0 == me || members[$0]?.identity.installation == mine }
      guard !receivers.isEmpty else { throw .alone }
    }
    if case .gesture = play {
      receivers = delivery.paceGesture(receivers, at: now)
      guard !receivers.isEmpty else { return nil }
    }
    let room = view(now)
    let isForAll = if case .crowd = aim { true } else { false }
    if isForAll { delivery.chooseMulticast(among: receivers, room) }
    let stamp = try clock.stamp(moment, lead: { delivery.lead(to: receivers, room) }, at: now)
    out.add(.notice(.sent(play, aim, isForMe: receivers.contains(me), stamp: stamp)))
    let refused = delivery.play(play, to: receivers, stamp: stamp, isForAll: isForAll, room, &out)
    drain(at: now)
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
    case .cue: try agreement.mayConduct(view(now))
    case .melody(let melody):
      guard melody.notes.count <= SessionMelody.most else { throw .tooLong(notes: melody.notes.count) }
    case .change(let change):
      guard change.name.isPlain(most: 64) else { throw .badParameter(change.name) }
    case .cells(let edits):
      guard edits.name.isPlain(most: 64) else { throw .badParameter(edits.name) }
      guard edits.edits.count <= SharedEdits.most else { throw .tooManyCells }
    case .hit, .note, .gesture, .text: break
    }
  }

  /// Returns the members to which a play with this aim goes, sorted by ID, with this member at the end.
  func receivers(of aim: SessionAim, now: HostTime) throws(SessionRefusal) -> [MemberID] {
    switch aim {
    case .crowd(.everyone): return roster.shown + [me]
    case .crowd(.others): return roster.shown
    case .one(let choice): return [try member(choice, at: now)]
    case .section(let name): return try sectionView(now).members(of: name)
    case .recorders: return roster.shown.filter { members[$0]?.isRecording == true }
    }
  }
  /// Whether this member, or another member that is not hidden, records a tape.
  package var hasRecorder: Bool {
    observer != nil || members.contains { !$0.value.isHidden && $0.value.isRecording }
  }
}
