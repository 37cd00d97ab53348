import MoCore
import MoMu
import MoSessionCore

extension SessionTapeEntry {
  /// Returns the OSC message that a tape has for this entry.
  ///
  /// - Parameter start: the time that is the tape's time 0.
  package func message(from start: HostTime) -> OSCMessage {
    let place = address
    return OSCMessage(place.rawValue, [.double(beat ?? .nan)] + values(from: start))
  }

  private var address: SessionTapeAddress {
    switch note {
    case .room: .room
    case .clock: .clock
    case .member: .member
    case .state: .state
    case .activity: .activity
    case .panic: .panic
    // The table has an address for every played event; a test checks that.
    case .heard(let heard): SessionTapeAddress(heard.play.address, isSent: false) ?? .panic
    case .sent(let sent): SessionTapeAddress(sent.play.address, isSent: true) ?? .panic
    }
  }

  private func values(from start: HostTime) -> [OSCArgument] {
    func nanoseconds(_ time: HostTime) -> OSCArgument { .int64(time.nanoseconds &- start.nanoseconds) }
    switch note {
    case .room(let room):
      return [.string(room.name), .id(room.member), .string(room.program)]
    case .clock(let clock): return [.int64(clock.shared.nanoseconds), .double(clock.rate)]
    case .member(let member):
      return [
        .id(member.member), .id(member.installation), .string(member.name),
        .string(member.program), .int32(member.isHere ? 1 : 0),
      ]
    case .state(let state):
      // The same as between members: the member's ID precedes the state.
      return [.id(state.version.holder)] + state.values
    case .activity(let member, let level): return [.id(member), .float(level)]
    case .panic(let member): return [.id(member)]
    case .heard(let heard):
      return [
        .id(heard.from), nanoseconds(heard.time), .double(heard.beat ?? .nan),
        .double(heard.late), .float(heard.weight),
      ] + heard.play.values
    case .sent(let sent):
      return [
        .string(sent.aim), .int32(sent.isForMe ? 1 : 0), nanoseconds(sent.time), .double(sent.beat ?? .nan),
      ] + sent.play.values
    }
  }

  /// Parses a message of a tape; nil if the message is not from a session.
  ///
  /// - Parameter nanoseconds: the message's time from the tape's start.
  /// - Throws: `SessionTapeError.broken` if the message is from a session but has invalid values.
  package init?(_ message: OSCMessage, atNanoseconds nanoseconds: Int64) throws(SessionTapeError) {
    guard let address = SessionTapeAddress(rawValue: message.address) else { return nil }
    var values = ArgumentReader(message.arguments)
    do throws(MessageError) {
      let beat = try values.anyDouble()
      time = HostTime(nanoseconds: nanoseconds)
      self.beat = beat.isFinite ? beat : nil
      note = try SessionTapeNote(address, &values)
    } catch {
      throw .broken(address: message.address, nanoseconds: nanoseconds)
    }
  }
}

extension SessionTapeNote {
  fileprivate init(
    _ address: SessionTapeAddress, _ values: inout ArgumentReader
  ) throws(MessageError) {
    switch address {
    case .room:
      self = .room(
        SessionTapeRoom(
          name: SessionIdentity.tidy(try values.text()), member: try values.member(),
          program: SessionIdentity.tidy(try values.text())))
    case .clock:
      let clock = SessionTapeClock(
        shared: SessionTime(nanoseconds: try values.host().nanoseconds), rate: try values.double())
      guard abs(clock.rate) < 1e-3 else { throw .malformed }
      self = .clock(clock)
    case .member:
      self = .member(
        SessionTapeMember(
          member: try values.member(), installation: try values.id(),
          name: SessionIdentity.tidy(try values.text()), program: SessionIdentity.tidy(try values.text()),
          isHere: try values.int() != 0))
    case .state:
      // A state that no member has written yet has no holder.
      _ = try values.id()
      self = .state(try SessionState(&values))
    case .activity: self = .activity(try values.member(), try values.float().within(0...1))
    case .panic: self = .panic(try values.member())
    default:
      guard let play = address.play else { throw .foreign }
      self = address.isSent ? .sent(try SessionSent(play, &values)) : .heard(try SessionHeard(play, &values))
    }
  }
}

extension SessionHeard {
  fileprivate init(
    _ address: SessionAddress, _ values: inout ArgumentReader
  ) throws(MessageError) {
    let from = try values.member()
    let time = try values.host()
    let (beat, late, weight) = (try values.anyDouble(), try values.anyDouble(), try values.float())
    guard late >= 0 else { throw .malformed }
    self.init(
      from: from, play: try SessionPlay(address, &values), time: time, beat: beat.isFinite ? beat : nil,
      late: late, weight: weight.within(0...1))
  }
}

extension SessionSent {
  fileprivate init(
    _ address: SessionAddress, _ values: inout ArgumentReader
  ) throws(MessageError) {
    let aim = SessionIdentity.tidy(try values.text())
    let isForMe = try values.int() != 0
    let (time, beat) = (try values.host(), try values.anyDouble())
    self.init(
      play: try SessionPlay(address, &values), aim: aim, isForMe: isForMe, time: time,
      beat: beat.isFinite ? beat : nil)
  }
}
