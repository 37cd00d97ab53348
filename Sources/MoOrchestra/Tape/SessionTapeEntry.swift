import MoCore
import MoMu
import MoSessionCore

/// An event in a session, as a tape has it.
///
/// - Thread: any; a plain value.
package struct SessionTapeEntry: Hashable, Sendable {
  /// The time at which the event was recorded: host time during the recording, or the time since the tape's start when
  /// the tape is read.
  package var time: HostTime
  /// The session's beat at the time of the entry, counted from bar 1; nil while no rhythm is known.
  package var beat: Double?
  /// The event.
  package var note: SessionTapeNote

  /// Creates an entry from its parts.
  package init(time: HostTime, beat: Double?, note: SessionTapeNote) {
    (self.time, self.beat, self.note) = (time, beat, note)
  }
}

/// The kinds of events that a tape keeps.
package enum SessionTapeNote: Hashable, Sendable {
  /// A room was joined; the following entries are from this room.
  case room(SessionTapeRoom)
  /// The relation of the shared clock to the tape's clock, from the time of this entry on.
  case clock(SessionTapeClock)
  /// A member joined, left, or changed its name, its instrument or its level.
  case member(SessionTapeMember)
  /// The state that all members agree on: the conductor, the rhythm, the pattern's level in each bar, and the gates.
  case state(SessionState)
  /// A play from another member to the recording member, or another member's change of a shared setting.
  case heard(SessionHeard)
  /// A play from the recording member to others, or its change of a shared setting.
  case sent(SessionSent)
  /// A member's amount of movement, 0…1: the recording member's own, or as another member reported it.
  case activity(MemberID, Float)
  /// A member called for silence.
  case panic(MemberID)
  /// The silence is over.
  case panicLifted
}

/// A room, and the member that recorded in it.
package struct SessionTapeRoom: Hashable, Sendable {
  /// The room's name.
  package var name: String
  /// The member that recorded.
  package var member: MemberID
  /// The program that recorded.
  package var program: String

  /// Creates the description of a room from its name, and from the member and program that recorded.
  package init(name: String, member: MemberID, program: String) {
    (self.name, self.member, self.program) = (name, member, program)
  }
}

/// The shared clock as a linear function of the tape's clock, from the time of this tape entry on.
package struct SessionTapeClock: Hashable, Sendable {
  /// The time of the room's shared clock at the time of the tape entry.
  package var shared: SessionTime
  /// The rate of the shared clock relative to the tape's clock, minus 1: 0 for equal rates, within ±0.001.
  package var rate: Double

  /// Creates the function from the shared time at its start and its relative rate.
  package init(shared: SessionTime, rate: Double) { (self.shared, self.rate) = (shared, rate) }
}

/// A member of the room.
package struct SessionTapeMember: Hashable, Sendable {
  /// The member's ID.
  package var member: MemberID
  /// The member's installation.
  package var installation: MemberID
  /// The member's display name.
  package var name: String
  /// The program that the member ran.
  package var program: String
  /// True if the member is in the room from the time of the entry on; false if it has left.
  package var isHere: Bool
  /// The instrument that the member reports, such as `harp`; empty for none.
  package var plays: String
  /// The audible level of the member's sections, 0…1: 0 if one of them is muted, and 1 without a section.
  package var level: Float

  /// Creates a member from its parts.
  package init(
    member: MemberID, installation: MemberID, name: String, program: String, isHere: Bool, plays: String = "",
    level: Float = 1
  ) {
    (self.member, self.installation, self.name) = (member, installation, name)
    (self.program, self.isHere, self.plays, self.level) = (program, isHere, plays, level)
  }
}

/// A strike, note or other play that the recording member sent to others.
package struct SessionSent: Hashable, Sendable {
  /// The event.
  package var play: SessionPlay
  /// The receivers in words: a name, `section drums`, `everyone`, `others`.
  package var aim: String
  /// Whether the recording member is also a receiver of the event; the tape then has the event a second time, as
  /// received.
  package var isForMe: Bool
  /// The time at which the event is to sound; the time of the entry if the beat's time is not known.
  package var time: HostTime
  /// The beat that the event is meant for; nil for immediately.
  package var beat: Double?

  /// Creates a sent event from its parts.
  package init(play: SessionPlay, aim: String, isForMe: Bool, time: HostTime, beat: Double?) {
    (self.play, self.aim, self.isForMe, self.time, self.beat) = (play, aim, isForMe, time, beat)
  }
}

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
    case .panicLifted: .unpanic
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
        .string(member.program), .int32(member.isHere ? 1 : 0), .string(member.plays), .float(member.level),
      ]
    case .state(let state):
      // The same as between members: the member's ID precedes the state.
      return [.id(state.version.holder)] + state.values
    case .activity(let member, let level): return [.id(member), .float(level)]
    case .panic(let member): return [.id(member)]
    case .panicLifted: return []
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
          name: SessionIdentity.sanitized(try values.text()), member: try values.member(),
          program: SessionIdentity.sanitized(try values.text())))
    case .clock:
      let clock = SessionTapeClock(
        shared: SessionTime(nanoseconds: try values.host().nanoseconds), rate: try values.double())
      guard abs(clock.rate) < 1e-3 else { throw .malformed }
      self = .clock(clock)
    case .member:
      var member = SessionTapeMember(
        member: try values.member(), installation: try values.id(),
        name: SessionIdentity.sanitized(try values.text()),
        program: SessionIdentity.sanitized(try values.text()),
        isHere: try values.int() != 0)
      // A tape of an older release has neither the instrument nor the level.
      if !values.isAtEnd {
        member.plays = SessionIdentity.sanitized(try values.text())
        member.level = try values.float().within(0...1)
      }
      self = .member(member)
    case .state:
      // A state that no member has written yet has no holder.
      _ = try values.id()
      self = .state(try SessionState(&values))
    case .activity: self = .activity(try values.member(), try values.float().within(0...1))
    case .panic: self = .panic(try values.member())
    case .unpanic: self = .panicLifted
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
    let aim = SessionIdentity.sanitized(try values.text())
    let isForMe = try values.int() != 0
    let (time, beat) = (try values.host(), try values.anyDouble())
    self.init(
      play: try SessionPlay(address, &values), aim: aim, isForMe: isForMe, time: time,
      beat: beat.isFinite ? beat : nil)
  }
}
