import MoCore

extension SessionCore {
  /// Takes out what was played for us, in the order in which it became due.
  ///
  /// It is handed over 0.15 s before its beat, or as it comes; a cue as it comes, however far its beat is.
  package mutating func takeHeard() -> [SessionHeard] {
    defer { play.heard.removeAll(keepingCapacity: true) }
    return play.heard
  }

  /// Notes how many seconds of sound are made ahead of being heard: what is due sooner comes too late.
  package mutating func setSoundLead(_ seconds: Double) {
    settings.soundLead = seconds.isFinite ? max(0, min(seconds, 1)) : 0
  }

  /// Whether what a member plays is heard: it is here, not ignored, and neither it nor the room is silenced.
  package func isHeard(_ id: MemberID, at now: HostTime) -> Bool {
    guard isHere(id, at: now), members[id]?.isIgnored != true, !isSilenced else { return false }
    return (try? installation(id)).map { !isMuted($0) } ?? true
  }

  /// Takes in something that a member plays for us.
  mutating func take(_ message: PlayMessage, now: HostTime) {
    let isOrdered = message.play.address.delivery == .ordered
    guard isOrdered == (message.stream > 0), message.isInItsLine else {
      counts.malformed += 1
      return
    }
    var inbox = play.inboxes[message.from] ?? PlayInbox()
    let isPaced = inbox.pace.allows(at: now, most: PlayInbox.fastest)
    // What is not acknowledged comes again, when there may be room for it.
    guard isPaced, hasRoom(for: message.from) else {
      counts.unwanted += 1
      play.inboxes[message.from] = inbox
      return
    }
    var list = [message]
    if isOrdered {
      list = inbox.take(message, milliseconds: milliseconds(at: now))
      owe(message, &inbox, at: now)
    } else if !inbox.isNewest(message) {
      list = []
    }
    play.inboxes[message.from] = inbox
    forgetInboxes()
    let isIgnored = members[message.from]?.isIgnored != false
    for message in list {
      // What is shared is the room's, whoever says it.
      if isIgnored, message.play.address != .cells { counts.unwanted += 1 } else { hold(message, at: now) }
    }
    hearHeld(at: now)
  }

  private func hasRoom(for id: MemberID) -> Bool {
    play.held.count < PlayDelivery.mostHeld && play.held.count { $0.from == id } < PlayDelivery.mostHeldOfOne
  }

  /// Keeps what has come from those who have gone, since they may say it again, but not of all who ever were.
  private mutating func forgetInboxes() {
    while play.inboxes.count > Self.mostMembers,
      let gone = play.inboxes.keys.filter({ members[$0] == nil }).min()
    {
      play.inboxes[gone] = nil
    }
  }

  /// Lets something wait for its beat, or hears it at once where it has none.
  mutating func hold(_ message: PlayMessage, at now: HostTime) {
    let installation = (try? installation(message.from)) ?? .nobody
    guard let stamp = message.stamp else {
      return hear(message.from, installation, message.play, at: now, beat: nil, late: 0, now: now)
    }
    // What is due by now comes before it.
    hearHeld(at: now)
    wait(
      HeldPlay(
        from: message.from, installation: installation, play: message.play, stamp: stamp, arrived: now),
      at: now)
  }

  /// Hands over what is due soon.
  mutating func hearHeld(at now: HostTime) {
    guard now >= play.nextHeld else { return }
    play.nextHeld = .distantFuture
    let held = play.held
    play.held.removeAll(keepingCapacity: true)
    for item in held { wait(item, at: now) }
  }

  /// Hands something over if it is due soon, or keeps it.
  private mutating func wait(_ item: HeldPlay, at now: HostTime) {
    switch due(item.stamp, at: now) {
    case .at(let time) where time.seconds(since: item.arrived) > HeldPlay.horizon:
      hear(item, at: now, late: .infinity, now: now)
    case .at(let time) where item.play.isAnnounced:
      // People want to see it come: the rhythm may still change meanwhile, and its beat counts.
      hear(item, at: time, late: max(0, now.seconds(since: time)), now: now)
    case .at(let time):
      let ahead = max(HeldPlay.ahead, settings.soundLead + 0.05)
      guard time.advanced(bySeconds: -ahead) <= now else {
        return keep(item, until: time.advanced(bySeconds: -ahead), now: now)
      }
      let late = now.seconds(since: time) + settings.soundLead
      hear(item, at: time, late: late > HeldPlay.tolerance ? late : 0, now: now)
    case .never: hear(item, at: now, late: .infinity, now: now)
    case .unknown:
      guard now.seconds(since: item.arrived) < HeldPlay.timeout else {
        return hear(item, at: now, late: .infinity, now: now)
      }
      keep(item, until: .distantFuture, now: now)
    }
  }

  private mutating func keep(_ item: HeldPlay, until time: HostTime, now: HostTime) {
    play.held.append(item)
    play.nextHeld = min(play.nextHeld, min(time, now.advanced(bySeconds: HeldPlay.look)))
  }

  private mutating func hear(_ item: HeldPlay, at time: HostTime, late: Double, now: HostTime) {
    hear(item.from, item.installation, item.play, at: time, beat: item.stamp.beat, late: late, now: now)
  }

  private mutating func hear(
    _ from: MemberID, _ installation: MemberID, _ what: SessionPlay, at time: HostTime, beat: Double?,
    late: Double, now: HostTime
  ) {
    var what = what
    noteSign(of: installation, what, late: late, at: now)
    if case .cells(let edits) = what {
      guard let changed = take(edits, from: from, now: time) else { return }
      what = .cells(changed)
    }
    guard let (what, weight) = gated(what, from: from, installation, now: now) else {
      counts.gated += 1
      return
    }
    if what.makesSound, isSilenced || isMuted(installation) {
      counts.silenced += 1
      if isSilenced { tellSilence(to: from, now: now) }
      return
    }
    if case .cue(let cue) = what, cue.sign == .askForBaton {
      return takeQuestion(from: from, installation, now: now)
    }
    if late > 0 { counts.late += 1 }
    guard play.heard.count < PlayDelivery.mostHeard else {
      counts.unwanted += 1
      return
    }
    var heard = SessionHeard(from: from, play: what, time: time, beat: beat, late: late, weight: weight)
    play.heard.append(heard)
    // Another device sounds as late as it does itself: a tape has the moment of the sound.
    if beat != nil { heard.time = heard.time.advanced(byNanoseconds: settings.lag) }
    notify(.heard(heard), at: now)
  }

  /// What a gate leaves of something, and how open it is; nil for nothing.
  private func gated(
    _ what: SessionPlay, from id: MemberID, _ installation: MemberID, now: HostTime
  ) -> (SessionPlay, Float)? {
    if case .change = what {
      let weight = id == me ? 1 : weight(.modification, from: id, installation)
      return weight > 0 ? (what, weight) : nil
    }
    if case .cue(let cue) = what, cue.sign == .askForBaton { return (what, 1) }
    if case .cue = what { return mayLead(id, installation, at: now) ? (what, 1) : nil }
    // All have the same of what is shared, whatever is open.
    if case .cells = what { return (what, 1) }
    let weight = id == me ? 1 : weight(.notes, from: id, installation)
    if weight == 1 { return (what, 1) }
    switch what {
    case .note(let note) where note.velocity == 0:
      // What sounds already must be let go.
      return (what, weight)
    case .hit, .note, .melody, .gesture, .change, .cells, .cue:
      return weight > 0 ? (what.weakened(by: weight), weight) : nil
    }
  }

  /// What is known of a beat's moment.
  enum Due {
    case at(HostTime)
    case never
    case unknown
  }

  /// When a beat is, by what is known of the rhythm here.
  func due(_ stamp: PlayStamp, at now: HostTime) -> Due {
    // As the shown beat is, so that what is heard and what is played to the beat sound together.
    var beatClock = beatClock
    beatClock.lag = settings.lag
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
}
