import MoCore
import MoOSC

extension SessionMessage {
  /// Decodes a datagram with one message.
  package init(datagram: [UInt8]) throws(MessageError) {
    guard let packet = try? OSCPacket(bytes: datagram), case .message(let message) = packet else {
      throw .malformed
    }
    try self.init(message)
  }

  init(_ message: OSCMessage) throws(MessageError) {
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
          method: DiscoveryMethod(rawValue: try values.int()) ?? .answer))
    case .who: self = .who(room: try values.text())
    case .ping:
      self = .ping(
        Ping(
          from: try values.member(), to: try values.member(), number: try values.int(),
          sent: try values.host(),
          summary: try Self.summary(&values)))
    case .pong: self = .pong(try Self.pong(&values))
    case .state: self = .state(from: try values.member(), try SessionState(&values))
    case .heard: self = .heard(from: try values.member(), try StateVersion(&values))
    case .panic: self = .panic(from: try values.member(), number: try values.int())
    case .panicked: self = try Self.panicked(&values)
    case .follow:
      let port = try values.int()
      guard (1...65_535).contains(port) else { throw .malformed }
      self = .follow(port: port, key: values.isAtEnd ? 0 : try values.int())
    case .hit, .note, .melody, .parameter, .gesture, .cells, .cue, .text:
      self = .play(try PlayMessage(address, &values))
    case .got:
      let (from, to) = (try values.member(), try values.id())
      guard let list = Acks.list(try values.bytes()) else { throw .malformed }
      self = .got(Acks(from: from, to: to, list: list))
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
    // A later release may append values to a message of this version.
  }

  private static func hello(_ values: inout ArgumentReader) throws(MessageError) -> Hello {
    let room = try values.text()
    var identity = SessionIdentity(
      member: try values.member(), installation: try values.member(), name: try values.text(),
      program: try values.text(), release: try values.text())
    let method = DiscoveryMethod(rawValue: try values.int()) ?? .answer
    let flags = try values.int()
    let sent = try values.host()
    let (token, echo) = (try values.long(), try values.long())
    let summary = try summary(&values)
    let report = Report(
      boundMilliseconds: try values.float(), symmetricMilliseconds: try values.float(),
      roundTripMilliseconds: try values.float(), loss: try values.float())
    let digest = UInt64(bitPattern: try values.long())
    let activity = try values.float().within(0...1)
    let plays = SessionIdentity.sanitized(try values.text())
    let others = RelayedMember.list(try values.bytes())
    (identity.machine, identity.started) = (UInt64(bitPattern: try values.long()), try values.long())
    let (silence, silencer) = (UInt32(bitPattern: try values.int()), try values.id())
    let replaced = try values.id()
    guard !room.isEmpty, room.utf8.count <= 100,
      !room.unicodeScalars.contains(where: SessionIdentity.isUnsafe)
    else { throw .malformed }
    return Hello(
      room: room, identity: identity, method: method, wantsAnswer: flags & 1 != 0, isHidden: flags & 2 != 0,
      isRecording: flags & 4 != 0, sent: sent, summary: summary, report: report, token: token, echo: echo,
      digest: digest, activity: activity,
      plays: plays, others: others, silence: silence, silencer: silencer, replaced: replaced)
  }

  private static func panicked(_ values: inout ArgumentReader) throws(MessageError) -> SessionMessage {
    let (from, number) = (try values.member(), try values.int())
    var reported: [UnconfirmedMember] = []
    while values.isLong, reported.count < UnconfirmedMember.most {
      reported.append(
        UnconfirmedMember(
          member: try values.member(), name: SessionIdentity.sanitized(try values.text()),
          silentFor: max(0, try values.int())))
    }
    return .panicked(from: from, number: number, reported: reported)
  }

  private static func health(_ values: inout ArgumentReader) throws(MessageError) -> MemberHealth {
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

  private static func pong(_ values: inout ArgumentReader) throws(MessageError) -> Pong {
    var pong = Pong(
      from: try values.member(), to: try values.member(), number: try values.int(), sent: try values.host(),
      received: try values.host(), answered: try values.host(), summary: try summary(&values), map: nil)
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

  private static func summary(_ values: inout ArgumentReader) throws(MessageError) -> StateSummary {
    let version = try StateVersion(&values)
    let base = TimeBase(
      lineage: try values.id(), founded: try values.long(), term: UInt32(bitPattern: try values.int()),
      keeper: try values.id())
    let pulse = try values.int()
    let standing = PartStanding(bits: try values.int(), members: try values.int())
    let stratum = try values.int()
    return StateSummary(
      version: version, base: base.lineage == .nobody || base.keeper == .nobody ? nil : base, pulse: pulse,
      standing: standing, stratum: max(0, min(stratum, StateSummary.mostStratum)))
  }
}
