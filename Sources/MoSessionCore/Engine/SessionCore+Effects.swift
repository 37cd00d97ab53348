import MoCore

extension SessionCore {
  /// Applies the components' requests in order; requests that a request causes are applied before the next request.
  package mutating func drain(at now: HostTime) {
    guard !out.isEmpty else { return }
    for effect in out.removeAll() {
      apply(effect, at: now)
      drain(at: now)
    }
  }

  private mutating func apply(_ effect: Effect, at now: HostTime) {
    switch effect {
    case .send(let datagram): outgoing.append(datagram)
    case .hello(let request): send(request, at: now)
    case .event(let event): events.append(event)
    case .notice(let notice): notify(notice, at: now)
    case .sweep(let time): nextSweep = min(nextSweep, time)
    case .requestHello: roster.requestHello(at: now)
    case .joined(let id):
      agreement.joined(id)
      if id == clock.base?.keeper || id == agreement.state.conductor { nextSweep = now }
    case .returned(let id): agreement.remindOfSilence(id, view(now), &out)
    case .lost(let id): remove(id, withGoodbye: false, now: now)
    case .followed(let base): agreement.followed(base, view(now), &out)
    case .synced: clock.show(agreement.state.timeline, at: now, &out)
    case .leftClock:
      agreement.leaveClock(mayReturn: true, to: clock.base?.lineage, at: now)
      sharing.join()
    case .show(let timeline): clock.show(timeline, at: now, &out)
    case .conductor:
      activity.begin(at: now)
      activity.waitForBar(agreement, view(now))
    case .checkConductor: agreement.checkConductor(view(now), &out)
    case .due(let play): handle(play, at: now)
    }
  }

  /// Notifies the observer, if there is one.
  private mutating func notify(_ notice: SessionNotice, at now: HostTime) {
    guard var notified = observer else { return }
    // Removed meanwhile, so that its storage is not copied.
    observer = nil
    notified.receive(notice, of: self, at: now)
    observer = notified
  }

  /// Sends a hello with the state of every component.
  private mutating func send(_ request: HelloRequest, at now: HostTime) {
    let (settings, endpoint) = (roster.settings, request.endpoint)
    let silence = agreement.silence.current.flatMap { $0.isOwn ? nil : $0 }
    let others = roster.membersToRelay(to: endpoint, at: now)
    let hello = SessionMessage.hello(
      SessionMessage.Hello(
        room: settings.room, identity: settings.identity, method: request.method,
        wantsAnswer: request.wantsAnswer, isHidden: settings.isHidden, isRecording: observer != nil,
        sent: now,
        summary: summary, report: report(at: now),
        token: endpoint.map { roster.path.token(for: $0) } ?? roster.path.multicastToken(at: now),
        echo: request.echo,
        digest: sharing.store.digest, activity: activity.mine ?? 0, plays: settings.plays, others: others,
        silence: silence?.number ?? 0, silencer: silence?.caller ?? .nobody, replaced: settings.replaced))
    guard let endpoint else {
      let datagram = hello.encoded()
      out.send(datagram, to: request.method == .broadcast ? .broadcast : .multicast)
      if request.isIPv6Too { out.send(datagram, to: .multicastIPv6) }
      return
    }
    let signed = request.addressee.flatMap { roster.signed(hello, to: $0) }
    let datagram = (signed.map { .signed(from: me, $0) } ?? hello).encoded()
    guard datagram.count <= request.mostBytes else {
      out.counts.unwanted += 1
      return
    }
    out.send(datagram, to: .one(endpoint))
  }

  /// Removes a member from all components; `withGoodbye` is true if the member said goodbye.
  mutating func remove(_ id: MemberID, withGoodbye: Bool, now: HostTime) {
    guard roster.members[id] != nil else { return }
    let isLeading = id == clock.base?.keeper || id == agreement.state.conductor
    delivery.forget(id, withGoodbye: withGoodbye, view(now), &out)
    agreement.forget(id, withGoodbye: withGoodbye)
    clock.forget(id)
    activity.forget(id)
    sharing.forget(id)
    healthCheck?.forget(id)
    roster.remove(id, withGoodbye: withGoodbye, now: now, &out)
    if isLeading { nextSweep = now }
  }

  /// Delivers a due play to the program, or applies the play to the session.
  ///
  /// A closed gate, a silence or a muted section blocks the play.
  private mutating func handle(_ due: DuePlay, at now: HostTime) {
    let (id, installation) = (due.from, due.installation)
    var play = due.play
    roster.recordActivity(of: installation, play, late: due.late, at: now)
    if case .cells(let edits) = play {
      guard let changed = sharing.receive(edits, from: id, view(now), at: due.time, &out) else { return }
      play = .cells(changed)
    }
    guard let (play, weight) = agreement.gated(play, from: id, installation, view(now)) else {
      out.counts.gated += 1
      return
    }
    if play.makesSound, isSilenced || isMuted(installation, at: now) {
      out.counts.silenced += 1
      if isSilenced { agreement.remindOfSilence(id, view(now), &out) }
      return
    }
    if case .cue(let cue) = play, cue.sign == .askForBaton {
      return agreement.receiveQuestion(from: id, installation, view(now), &out)
    }
    // More lines than a person types would push all other lines off the screens.
    if case .text = play, id != me, !delivery.mayShowText(of: id, at: now) {
      out.counts.unwanted += 1
      return
    }
    if play.isForTapes {
      // It has sounded at its beat on the member that played it, however late the tape receives it. It sounds on no
      // other machine.
      guard observer != nil, due.late.isFinite else {
        out.counts.unwanted += 1
        return
      }
      let heard = SessionHeard(
        from: id, play: play, time: due.time, beat: due.stamp?.beat, late: 0, weight: weight)
      return notify(.heard(heard), at: now)
    }
    if due.late > 0 { out.counts.late += 1 }
    var heard = SessionHeard(
      from: id, play: play, time: due.time, beat: due.stamp?.beat, late: due.late, weight: weight)
    guard delivery.enqueue(heard) else {
      out.counts.unwanted += 1
      return
    }
    // Another device compensates its own output delay: the tape holds the time of the sound.
    if due.stamp != nil { heard.time = heard.time.advanced(byNanoseconds: roster.settings.lag) }
    out.add(.notice(.heard(heard)))
  }

  /// Sends this member's changes of shared data to the other members.
  mutating func flushShared(at now: HostTime) {
    for thing in sharing.popDue(at: now) {
      delivery.chooseMulticast(among: roster.members.keys.sorted(), view(now))
      for part in thing.parts {
        let receivers = delivery.usesMulticast ? [.nobody] : roster.members.keys.sorted()
        for id in receivers { delivery.post(part, to: id, view(now), &out) }
      }
    }
    drain(at: now)
  }

  /// Sends a member the cells that it lacks.
  mutating func send(_ cells: [SharedEdits], to id: MemberID, at now: HostTime) {
    for part in cells { delivery.post(part, to: id, view(now), &out) }
  }
}
