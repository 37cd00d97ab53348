import MoCore
import MoOSC

extension SessionMessage {
  /// Encodes the datagram.
  package func encoded() -> [UInt8] {
    // Encoding cannot fail: texts hold no zero bytes, and all values are short.
    (try? message.encoded()) ?? []
  }

  var message: OSCMessage {
    switch self {
    case .hello(let hello):
      let identity = hello.identity
      return Self.make(
        .hello,
        [
          .string(hello.room), .id(identity.member), .id(identity.installation), .string(identity.name),
          .string(identity.program), .string(identity.release), .int32(hello.method.rawValue),
          .int32((hello.wantsAnswer ? 1 : 0) | (hello.isHidden ? 2 : 0) | (hello.isRecording ? 4 : 0)),
          .int64(hello.sent.nanoseconds), .int64(hello.token), .int64(hello.echo),
        ] + Self.summary(hello.summary) + [
          .float(hello.report.boundMilliseconds), .float(hello.report.symmetricMilliseconds),
          .float(hello.report.roundTripMilliseconds), .float(hello.report.loss),
          .int64(Int64(bitPattern: hello.digest)), .float(hello.activity), .string(hello.plays),
          .blob(RelayedMember.bytes(of: hello.others)), .int64(Int64(bitPattern: identity.machine)),
          .int64(identity.started), .int32(Int32(bitPattern: hello.silence)), .id(hello.silencer),
          .id(hello.replaced),
        ])
    case .prove(let proof):
      return Self.make(
        .prove,
        [.id(proof.from), .int64(proof.token), .int64(proof.echo), .int32(proof.method.rawValue)])
    case .bye(let room, let from): return Self.make(.bye, [.string(room), .id(from)])
    case .who(let room):
      // Half as long as the longest answer, so that a forged question brings its victim at most twice its bytes.
      return Self.make(.who, [.string(room), .blob([UInt8](repeating: 0, count: Self.questionPadding))])
    case .ping(let ping):
      return Self.make(
        .ping,
        [.id(ping.from), .id(ping.to), .int32(ping.number), .int64(ping.sent.nanoseconds)]
          + Self.summary(ping.summary))
    case .pong(let pong):
      let map = pong.map ?? ClockMap(host: .zero, session: SessionTime(nanoseconds: 0), rate: 0, bound: -1)
      return Self.make(
        .pong,
        [
          .id(pong.from), .id(pong.to), .int32(pong.number), .int64(pong.sent.nanoseconds),
          .int64(pong.received.nanoseconds), .int64(pong.answered.nanoseconds),
        ] + Self.summary(pong.summary) + [
          .int64(map.host.nanoseconds), .int64(map.session.nanoseconds), .double(map.rate),
          .double(map.bound),
        ])
    case .state(let from, let state): return Self.make(.state, [.id(from)] + state.values)
    case .heard(let from, let version): return Self.make(.heard, [.id(from)] + version.values)
    case .panic(let from, let number): return Self.make(.panic, [.id(from), .int32(number)])
    case .panicked(let from, let number, let reported):
      return Self.make(
        .panicked,
        [.id(from), .int32(number)]
          + reported.flatMap { [.id($0.member), .string($0.name), .int32($0.silentFor)] })
    case .play(let message): return message.message
    case .got(let acks):
      return Self.make(.got, [.id(acks.from), .id(acks.to), .blob(acks.bytes)])
    case .activity(let activity):
      return Self.make(
        .activity,
        [.id(activity.from), .id(activity.to), .int32(activity.number), .float(activity.level)])
    case .askCells(let from, let to): return Self.make(.askCells, [.id(from), .id(to)])
    case .signed(let from, let message):
      return Self.make(.signed, [.id(from), .blob(message.body), .blob(message.seal)])
    case .askHealth(let from, let to): return Self.make(.askHealth, [.id(from), .id(to)])
    case .health(let from, let to, let health):
      return Self.make(
        .health,
        [
          .id(from), .id(to), .string(health.release), .int32(health.link.rawValue),
          .int32((health.isSounding ? 1 : 0) | (health.isTrimmed ? 2 : 0)), .float(health.trim),
          .float(health.soundLoad), .float(health.machineLoad), .int32(health.underruns),
        ])
    case .follow(let port, let key):
      return OSCMessage(SessionAddress.follow.rawValue, [.int32(port), .int32(key)])
    case .beat(let message):
      return OSCMessage(
        SessionAddress.beat.rawValue,
        [
          .int32(message.bar), .float(message.beat), .float(message.tempo), .int32(message.isPlaying ? 1 : 0),
          .int32(message.beatsPerBar), .float(message.total),
        ])
    }
  }

  private static let questionPadding = 492

  static func make(_ address: SessionAddress, _ values: [OSCArgument]) -> OSCMessage {
    OSCMessage(address.rawValue, [.int32(SessionAddress.version)] + values)
  }

  private static func summary(_ summary: StateSummary) -> [OSCArgument] {
    let base = summary.base ?? TimeBase(lineage: .nobody, founded: 0, term: 0, keeper: .nobody)
    return summary.version.values + [
      .id(base.lineage), .int64(base.founded), .int32(Int32(bitPattern: base.term)), .id(base.keeper),
      .int32(summary.pulse), .int32(summary.standing.bits), .int32(summary.standing.members),
      .int32(summary.stratum),
    ]
  }
}
