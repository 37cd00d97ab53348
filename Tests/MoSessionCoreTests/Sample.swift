import MoCore

@testable import MoSessionCore

/// One message of every kind, as members would send them.
enum Sample {
  static let me = MemberID(0x1234)
  static let other = MemberID(0xFEDC_BA98_7654_3210)
  static let base = TimeBase(lineage: other, founded: 1_800_000_000, term: 3, keeper: other)
  static let version = StateVersion(counter: 7, holder: other, revision: 2)
  static let summary = StateSummary(version: version, base: base)

  static func identity(_ id: MemberID, _ name: String = "Ada") -> SessionIdentity {
    SessionIdentity(member: id, installation: MemberID(99), name: name, program: "Orchestra", release: "1.0")
  }

  static func hello(_ id: MemberID = other, room: String = "Lab", base: TimeBase? = nil) -> SessionMessage {
    .hello(
      SessionMessage.Hello(
        room: room, identity: identity(id), method: .multicast, wantsAnswer: true, isHidden: false,
        sent: HostTime(seconds: 5), summary: StateSummary(version: .none, base: base), report: Report()))
  }

  /// Creates a hello that returns the token of its address.
  static func proven(_ message: SessionMessage, at endpoint: SessionEndpoint, to core: SessionCore)
    -> SessionMessage
  {
    guard case .hello(var hello) = message else { return message }
    hello.echo = core.roster.path.token(for: endpoint)
    return .hello(hello)
  }

  static func state(segments: Int) -> SessionState {
    var timeline = Timeline.beginning(
      at: SessionTime(nanoseconds: 1_000_000_000), tempo: 90, meter: Meter(7, 8) ?? .common, bar: 3,
      countIn: 1,
      take: 4)
    let second = SessionTime(nanoseconds: 3_000_000_000)
    if segments > 1 {
      timeline = timeline.changing(tempo: 120, over: 8, at: second, now: timeline.current.start)
    }
    if segments > 2 {
      timeline = timeline.stopping(at: second.advanced(bySeconds: 9), now: timeline.current.start)
    }
    var state = SessionState(
      version: version, lineage: other, isHeld: true, holderInstallation: MemberID(99),
      timeline: segments > 0 ? timeline : nil)
    (state.policy.only, state.policy.lifted, state.lastChange) = (MemberID(99), MemberID(98), 1)
    state.ancestors = (1...UInt32(StateAncestor.most)).map {
      StateAncestor(epoch: $0 << 20, revision: 65_536 + $0)
    }
    return state
  }

  static func patterned(segments: Int) -> SessionState {
    var state = state(segments: segments)
    _ = state.pattern.add(PatternPlan.Entry(bar: -1, level: 2, total: 0.25))
    _ = state.pattern.add(PatternPlan.Entry(bar: 7, level: 3, total: 0.5))
    state.policy.gates = .stairs([me, other, MemberID(7)])
    return state
  }

  static func led(segments: Int, gated: Bool) -> SessionState {
    var state = gated ? patterned(segments: segments) : state(segments: segments)
    state.policy.sections.set(0.5, of: "drums")
    state.policy.sections.setMuted(true, "drums")
    state.policy.sections.setMuted(true, "strings")
    return state
  }

  static let digested: SessionMessage = {
    guard case .hello(var hello) = hello(base: base) else { return hello() }
    hello.digest = 0xFFFF_0000_1234_5678
    return .hello(hello)
  }()

  static let playing: SessionMessage = {
    guard case .hello(var hello) = digested else { return digested }
    (hello.activity, hello.plays) = (0.5, "harp")
    hello.others = [
      RelayedMember(member: MemberID(5), endpoint: nil),
      RelayedMember(member: me, endpoint: SessionEndpoint(high: 0xC0A8_0105 << 32, port: 6450)),
      RelayedMember(
        member: other, endpoint: SessionEndpoint(high: 0xFD00 << 48, low: 7, port: 50_000, isIPv6: true)),
    ]
    return .hello(hello)
  }()

  static let stamp = PlayStamp(lineage: other, take: 4, beat: 17.25)
  static let melody = SessionMelody(
    beats: 4,
    [
      SessionMelody.Note(beat: 0, length: 1, pitch: 60),
      SessionMelody.Note(beat: 2.5, length: 0.5, pitch: 67),
    ])

  static func message(_ play: SessionPlay, stream: Int32 = 4, stamp: PlayStamp? = nil) -> PlayMessage {
    PlayMessage(from: other, to: me, stream: stream, number: 7, first: 5, stamp: stamp, play: play)
  }

  static let health: MemberHealth = {
    var health = MemberHealth(release: "1.2")
    (health.link, health.isSounding, health.isTrimmed) = (.wireless, true, true)
    (health.trim, health.soundLoad, health.machineLoad, health.underruns) = (-12.5, 0.25, 1.5, 3)
    return health
  }()

  /// Creates the multicast form of a play.
  static func multicastPlay(_ play: SessionPlay) -> PlayMessage {
    var message = Sample.message(play, stream: 5)
    message.to = .nobody
    return message
  }

  static let messages: [SessionMessage] = [
    hello(base: base), .bye(room: "Lab", from: other), .who(room: "*"),
    .ping(.init(from: other, to: me, number: 5, sent: HostTime(seconds: 1), summary: summary)),
    .pong(
      .init(
        from: other, to: me, number: 5, sent: HostTime(seconds: 1), received: HostTime(seconds: 2),
        answered: HostTime(seconds: 3), summary: summary,
        map: ClockMap(
          host: HostTime(seconds: 3), session: SessionTime(nanoseconds: 77), rate: 5e-5, bound: 1e5))),
    .pong(
      .init(
        from: other, to: me, number: 6, sent: .zero, received: .zero, answered: .zero,
        summary: StateSummary(version: .none, base: nil), map: nil)),
    .state(from: other, state(segments: 0)), .state(from: other, state(segments: 1)),
    .state(from: other, state(segments: 2)), .state(from: other, state(segments: 3)),
    .heard(from: other, version),
    .panic(from: other, number: 1), .panicked(from: other, number: 1, reported: []),
    .panicked(
      from: other, number: 1,
      reported: [
        UnconfirmedMember(member: MemberID(5), name: "Cyd", silentFor: 12),
        UnconfirmedMember(member: me, name: "Ada", silentFor: 0),
      ]), .follow(port: 9000, key: 77),
    .prove(SessionMessage.Proof(from: other, token: 5, echo: -6, method: .typed)),
    .beat(.init(bar: 3, beat: 1.5, tempo: 120, isPlaying: true, beatsPerBar: 4, total: 9.5)),
    .play(message(.hit(SessionHit(force: 0.5, drum: 2)), stamp: stamp)),
    .play(message(.hit(SessionHit(force: 0.5, drum: 2, instrument: "drums")), stamp: stamp)),
    .play(message(.note(SessionNote(pitch: 60, instrument: "piano")))),
    .play(message(.change(SessionChange("brightness", 0.5, instrument: "piano-2")), stream: 0)),
    .play(message(.note(SessionNote(pitch: 60.5, velocity: 0.25, length: 2)))),
    .play(message(.melody(melody), stamp: stamp)),
    .play(message(.melody(SessionMelody(beats: 4, [])))),
    .play(message(.change(SessionChange("brightness", 0.75)), stream: 0)),
    .play(message(.gesture(SessionGesture(activity: 0.5, roll: -90, pitch: 45)), stream: 0)),
    .play(
      message(
        .cells(
          SharedEdits(
            "drums",
            [
              SharedEdit(key: 7, cell: SharedCell(value: 800, count: 2, author: 9)),
              SharedEdit(key: -1, cell: SharedCell(word: .max)),
            ])), stream: 6)),
    .play(message(.cue(SessionCue(.leaveOff, "the bridge")), stamp: stamp)),
    .play(message(.text(SessionText("softer, please", for: .one)))),
    .state(from: other, led(segments: 0, gated: false)), .state(from: other, led(segments: 3, gated: true)),
    .askHealth(from: other, to: me), .health(from: other, to: me, health),
    .askCells(from: other, to: me), digested, playing,
    .activity(SessionMessage.Activity(from: other, to: me, number: 3, level: 0.5)),
    .state(from: other, patterned(segments: 0)), .state(from: other, patterned(segments: 2)),
    .got(
      Acks(
        from: other, to: me,
        list: [
          Ack(sender: me, stream: 4, latest: 8, received: 0x8000_0000_0000_0005, waits: true),
          Ack(sender: me, stream: 5, latest: 0, received: 0, arrived: 65_535, receivesMulticast: false),
        ])),
    .got(Acks(from: other, to: .nobody, list: [])), .play(multicastPlay(.hit(SessionHit(force: 1)))),
    .signed(from: other, SignedMessage(body: hello().encoded(), seal: [UInt8](repeating: 7, count: 96))),
  ]
}

extension SessionCore {
  /// Processes a hello from a proved address.
  mutating func handshake(_ hello: SessionMessage, at endpoint: SessionEndpoint, now: HostTime) {
    receive(
      Sample.proven(hello, at: endpoint, to: self).encoded(), from: endpoint, at: now, now: now)
  }
}

/// Actions of a forger that bypass the checks of its program.
extension SessionCore {
  /// Sends all members the present state.
  mutating func sendWritten(at now: HostTime) {
    agreement.sendWritten(view(now), &out)
    drain(at: now)
  }

  /// Writes a state.
  mutating func write(at now: HostTime, _ change: (inout SessionState) -> Void) {
    agreement.write(view(now), &out, change)
    drain(at: now)
  }

  /// Sends a play to one member; false if its queue is full.
  mutating func post(_ message: PlayMessage, at now: HostTime) -> Bool {
    defer { drain(at: now) }
    return delivery.post(message, view(now), &out)
  }

  /// Returns how much all members move together, by the conductor's count.
  func totalActivity(at now: HostTime) -> Float { activity.total(agreement, view(now)) }
}

extension SessionAim {
  static let everyone = crowd(.everyone)
  static let others = crowd(.others)
}
