import MoOSC
import MoTime

extension SessionMessage {
  /// Why a datagram was left unheard.
  enum Refusal: Error {
    /// It is no OSC, or no message of the protocol as it should be.
    case malformed
    /// It is of another version of the protocol.
    case version(Int32)
    /// It is for others.
    case foreign
  }

  /// Reads a datagram that is one message.
  init(datagram: [UInt8]) throws(Refusal) {
    guard let packet = try? OSCPacket(bytes: datagram), case .message(let message) = packet else {
      throw .malformed
    }
    try self.init(message)
  }

  init(_ message: OSCMessage) throws(Refusal) {
    guard let address = SessionAddress(rawValue: message.address) else { throw .foreign }
    var values = ArgumentReader(message.arguments)
    if address != .follow && address != .beat {
      let version = try values.int()
      guard version == SessionAddress.version else { throw .version(version) }
    }
    switch address {
    case .hello: self = .hello(try Self.hello(&values))
    case .bye: self = .bye(room: try values.text(), from: try values.member())
    case .prove:
      self = .prove(
        Proof(
          from: try values.member(), token: try values.long(), echo: try values.long(),
          rung: Rung(rawValue: try values.int()) ?? .answer))
    case .who: self = .who(room: try values.text())
    case .ping:
      self = .ping(
        Ping(
          from: try values.member(), to: try values.member(), number: try values.int(),
          sent: try values.host(),
          brief: try Self.brief(&values)))
    case .pong: self = .pong(try Self.pong(&values))
    case .state: self = .state(from: try values.member(), try Self.state(&values))
    case .heard: self = .heard(from: try values.member(), try Self.version(&values))
    case .panic: self = .panic(from: try values.member(), number: try values.int())
    case .panicked: self = .panicked(from: try values.member(), number: try values.int())
    case .follow:
      let port = try values.int()
      guard (1...65_535).contains(port) else { throw .malformed }
      self = .follow(port: port, key: values.isAtEnd ? 0 : try values.int())
    case .hit, .note, .melody, .parameter, .gesture, .cells, .cue:
      self = .play(try PlayLetter(address, &values))
    case .got:
      let (from, to) = (try values.member(), try values.id())
      guard let list = PlayReceipts.list(try values.bytes()) else { throw .malformed }
      self = .got(PlayReceipts(from: from, to: to, list: list))
    case .activity:
      let activity = Activity(
        from: try values.member(), to: try values.member(), number: try values.int(),
        level: try values.float().within(0...1))
      guard activity.number > 0 else { throw .malformed }
      self = .activity(activity)
    case .askCells: self = .askCells(from: try values.member(), to: try values.member())
    case .signed:
      let from = try values.member()
      let signed = SignedMessage(body: try values.bytes(), seal: try values.bytes())
      guard signed.seal.count == SignedMessage.sealSize else { throw .malformed }
      self = .signed(from: from, signed)
    case .askHealth: self = .askHealth(from: try values.member(), to: try values.member())
    case .health:
      self = .health(from: try values.member(), to: try values.member(), try Self.health(&values))
    case .beat: throw .foreign
    }
    // A later release may say more at the end of a message it says in this version.
  }

  private static func hello(_ values: inout ArgumentReader) throws(Refusal) -> Hello {
    let room = try values.text()
    var identity = SessionIdentity(
      member: try values.member(), installation: try values.member(), name: try values.text(),
      program: try values.text(), release: try values.text())
    let rung = Rung(rawValue: try values.int()) ?? .answer
    let flags = try values.int()
    let said = try values.host()
    let (token, echo) = (try values.long(), try values.long())
    let brief = try brief(&values)
    let report = Report(
      boundMilliseconds: try values.float(), symmetricMilliseconds: try values.float(),
      roundTripMilliseconds: try values.float(), loss: try values.float())
    let digest = UInt64(bitPattern: try values.long())
    let activity = try values.float().within(0...1)
    let plays = SessionIdentity.tidy(try values.text())
    let others = MemberPlace.list(try values.bytes())
    (identity.machine, identity.started) = (UInt64(bitPattern: try values.long()), try values.long())
    guard !room.isEmpty, room.utf8.count <= 100, !room.unicodeScalars.contains(where: SessionIdentity.isUnfit)
    else { throw .malformed }
    return Hello(
      room: room, identity: identity, rung: rung, wantsAnswer: flags & 1 != 0, isHidden: flags & 2 != 0,
      said: said, brief: brief, report: report, token: token, echo: echo, digest: digest, activity: activity,
      plays: plays, others: others)
  }

  private static func health(_ values: inout ArgumentReader) throws(Refusal) -> MemberHealth {
    var health = MemberHealth(release: try values.text())
    health.link = MemberHealth.Link(rawValue: try values.int()) ?? .unknown
    let flags = try values.int()
    (health.isSounding, health.isTrimmed) = (flags & 1 != 0, flags & 2 != 0)
    health.trim = try values.float().within(-1000...1000)
    health.soundLoad = try values.float().within(0...1000)
    health.machineLoad = try values.float().within(0...100_000)
    health.underruns = max(0, try values.int())
    return health
  }

  private static func pong(_ values: inout ArgumentReader) throws(Refusal) -> Pong {
    var pong = Pong(
      from: try values.member(), to: try values.member(), number: try values.int(), sent: try values.host(),
      received: try values.host(), answered: try values.host(), brief: try brief(&values), map: nil)
    let map = ClockMap(
      host: try values.host(), session: SessionTime(nanoseconds: try values.long()),
      rate: try values.double(),
      bound: try values.double())
    if map.bound >= 0 {
      guard abs(map.rate) < 1e-3, map.session.nanoseconds.magnitude < 1 << 62 else { throw .malformed }
      pong.map = map
    }
    return pong
  }

  private static func version(_ values: inout ArgumentReader) throws(Refusal) -> StateVersion {
    StateVersion(
      counter: UInt32(bitPattern: try values.int()), holder: try values.id(),
      revision: UInt32(bitPattern: try values.int()))
  }

  private static func brief(_ values: inout ArgumentReader) throws(Refusal) -> Brief {
    let version = try version(&values)
    let base = TimeBase(
      lineage: try values.id(), founded: try values.long(), term: UInt32(bitPattern: try values.int()),
      keeper: try values.id())
    let pulse = try values.int()
    let standing = PartStanding(bits: try values.int(), members: try values.int())
    let stratum = try values.int()
    return Brief(
      version: version, base: base.lineage == .nobody || base.keeper == .nobody ? nil : base, pulse: pulse,
      standing: standing, stratum: max(0, min(stratum, Brief.farthest)))
  }

  static func state(_ values: inout ArgumentReader) throws(Refusal) -> SessionState {
    var state = SessionState(
      version: try version(&values), lineage: try values.member(), isHeld: try values.int() != 0,
      holderInstallation: try values.id(), timeline: nil)
    (state.policy.only, state.policy.lifted) = (try values.id(), try values.id())
    state.joins = try values.id()
    state.lastChange = UInt32(bitPattern: try values.int())
    let take = UInt32(bitPattern: try values.int())
    var segments: [BeatSegment] = []
    while values.isLong {
      guard segments.count < 3 else { throw .malformed }
      let segment = try segment(&values)
      if let last = segments.last, segment.start < last.start { throw .malformed }
      segments.append(segment)
    }
    if let first = segments.first {
      state.timeline = Timeline(
        first, next: segments.count > 1 ? segments[1] : nil, later: segments.count > 2 ? segments[2] : nil,
        take: take)
    }
    while values.isFloat {
      let total = try values.float()
      let entry = PatternPlan.Entry(bar: try values.int(), level: try values.int(), total: total)
      guard (0...1).contains(total), (1...PatternPlan.highest).contains(entry.level), state.pattern.add(entry)
      else { throw .malformed }
    }
    state.ancestors = StateAncestor.list(try values.bytes())
    guard let gates = GateTable(bytes: try values.bytes()) else { throw .malformed }
    state.policy.gates = gates
    while values.isLong {
      let id = UInt64(bitPattern: try values.long())
      guard let entry = SectionLevels.Entry(id: id, bits: try values.int()), state.policy.sections.put(entry)
      else {
        throw .malformed
      }
    }
    return state
  }

  private static func segment(_ values: inout ArgumentReader) throws(Refusal) -> BeatSegment {
    let start = SessionTime(nanoseconds: try values.long())
    let (beat, tempo, endTempo) = (try values.double(), try values.double(), try values.double())
    let (rampBeats, isPlaying) = (try values.double(), try values.int() != 0)
    let meter = Meter(Int(try values.int()), Int(try values.int()))
    let (bar, barBeat, soundsFrom) = (try values.int(), try values.double(), try values.double())
    guard let meter, Tempo.range.contains(tempo), Tempo.range.contains(endTempo),
      (0...10_000).contains(rampBeats),
      abs(beat) < 1e9, abs(barBeat) < 1e9, start.nanoseconds.magnitude < 1 << 62, bar.magnitude < 1 << 30
    else { throw .malformed }
    var segment = BeatSegment(
      start: start, beat: beat, tempo: tempo, isPlaying: isPlaying, meter: meter, bar: bar, barBeat: barBeat,
      soundsFrom: soundsFrom)
    (segment.endTempo, segment.rampBeats) = (rampBeats > 0 ? endTempo : tempo, rampBeats)
    return segment
  }
}
