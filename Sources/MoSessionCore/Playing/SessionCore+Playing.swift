import MoTime

extension SessionCore {
  /// Plays something for others, and for oneself where that is asked.
  ///
  /// Nobody hears it before its beat; whom it reaches too late is told so (`SessionHeard.late`).
  ///
  /// - Returns: the beat for which all are to hear it; nil for at once.
  /// - Throws: `SessionRefusal.unknownMember`, `unknownName`, `tooLong`, `badParameter`, `noRhythm`, `crowded`.
  @discardableResult
  public mutating func play(
    _ play: SessionPlay, to aim: SessionAim, at moment: SessionMoment = .now, now: HostTime
  ) throws(SessionRefusal) -> Double? {
    try check(play, now: now)
    var receivers = try receivers(of: aim, now: now)
    if case .gesture = play {
      // Faster than anybody moves: the next one says it.
      receivers.removeAll { now < self.play.nextGesture[$0] ?? .distantPast }
      for id in receivers {
        self.play.nextGesture[id] = now.advanced(bySeconds: PlayDesk.gestureInterval)
      }
      guard !receivers.isEmpty else { return nil }
    }
    let stamp = try stamp(moment, for: receivers, now: now)
    if isRecorded {
      let sent = sent(play, aim, isForMe: receivers.contains(me), stamp: stamp, now: now)
      note(.sent(sent), at: now)
    }
    var refused = 0
    if play.isNumbered { self.play.numbers &+= 1 }
    for id in receivers {
      let letter = PlayLetter(
        from: me, to: id, stream: 0, number: self.play.numbers, first: self.play.numbers, stamp: stamp,
        play: play)
      if id == me {
        hold(letter, at: now)
      } else if !post(letter, at: now) {
        refused += 1
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
      let roster = roster(at: now)
      guard let member = roster.first(where: { $0.displayName == name }) else {
        throw .unknownName(name, here: roster.map(\.displayName))
      }
      return [member.identity.member]
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

  /// Seconds by which something is told ahead: twice what a packet takes to the slowest, and what a sound card has
  /// ready.
  private func playLead(to receivers: [MemberID]) -> Double {
    var slowest = 0.0
    for id in receivers { slowest = max(slowest, Double(members[id]?.report.roundTripMilliseconds ?? 0)) }
    let own = receivers.contains(me) ? max(0, Double(settings.lag) * 1e-9) : 0
    // Others' cards are taken to be like one's own.
    let card = max(0.02, settings.soundLead + 0.003)
    return card + min(0.18, 1e-3 * (slowest + sync.roundTrip * 1e-6)) + own
  }

  // MARK: on its way

  /// Sends something to one member; false where too much waits for it.
  mutating func post(_ letter: PlayLetter, at now: HostTime) -> Bool {
    guard let endpoint = members[letter.to]?.endpoint else { return false }
    switch letter.play.address.delivery {
    case .ordered:
      var outbox = play.outboxes[letter.to] ?? newOutbox()
      guard let numbered = outbox.add(letter, at: now) else {
        noteLoss(of: letter, at: now)
        return false
      }
      play.outboxes[letter.to] = outbox
      play.nextSend = min(play.nextSend, outbox.next)
      send(.play(numbered), to: endpoint)
    case .latestWins: return postLatest(letter, at: now)
    case .acknowledged, .bestEffort: send(.play(letter), to: endpoint)
    }
    return true
  }

  private mutating func newOutbox() -> PlayOutbox {
    play.streams &+= 1
    return PlayOutbox(stream: play.streams)
  }

  private mutating func postLatest(_ letter: PlayLetter, at now: HostTime) -> Bool {
    guard case .change(let change) = letter.play else { return false }
    var entry = LatestOutbox(letter: letter, name: change.fullName, next: now)
    var list = play.latest[letter.to] ?? []
    if let place = list.firstIndex(where: { $0.name == entry.name }) {
      // Values in quick succession: the newest is sent when the pause is over.
      entry.next = max(now, list[place].sent.advanced(bySeconds: LatestOutbox.interval))
      entry.sent = list[place].sent
      list[place] = entry
    } else {
      guard list.count < LatestOutbox.most else {
        noteLoss(of: letter, at: now)
        return false
      }
      list.append(entry)
    }
    play.latest[letter.to] = list
    play.nextSend = min(play.nextSend, entry.next)
    tellPlayers(at: now)
    return true
  }

  /// Sends again what was not acknowledged, and what is due of the newest values.
  mutating func tellPlayers(at now: HostTime) {
    guard now >= play.nextSend else { return }
    var next = HostTime.distantFuture
    for id in play.outboxes.keys.sorted() {
      guard let (letters, givenUp) = play.outboxes[id]?.due(at: now) else { continue }
      for letter in givenUp { noteLoss(of: letter, at: now) }
      if let endpoint = members[id]?.endpoint { for letter in letters { send(.play(letter), to: endpoint) } }
      next = min(next, play.outboxes[id]?.next ?? next)
    }
    for id in play.latest.keys.sorted() {
      guard var list = play.latest[id], let endpoint = members[id]?.endpoint else { continue }
      for place in list.indices {
        if let letter = list[place].due(at: now) { send(.play(letter), to: endpoint) }
        next = min(next, list[place].next)
      }
      list.removeAll { $0.isDone }
      play.latest[id] = list.isEmpty ? nil : list
    }
    play.nextSend = next
  }

  mutating func take(_ receipt: PlayReceipt, now: HostTime) {
    guard play.outboxes[receipt.from]?.take(receipt) == true else { return }
    play.losses[receipt.from]?.answered(at: now)
    play.nextLoss = min(play.nextLoss, play.losses[receipt.from]?.due ?? .distantFuture)
  }

  /// Lets go of what was on its way to a member that goes, and tells what it has not got.
  ///
  /// - Parameter said: whether it says goodbye: who leaves does not miss what was played in the moment of leaving.
  mutating func forgetPlayer(_ id: MemberID, said: Bool, now: HostTime) {
    for waiting in play.outboxes.removeValue(forKey: id)?.waiting ?? [] {
      if said { counts.undelivered += 1 } else { noteLoss(of: waiting.letter, at: now) }
    }
    tellLosses(of: id, at: now)
    play.losses[id] = nil
    play.latest[id] = nil
    play.nextGesture[id] = nil
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
