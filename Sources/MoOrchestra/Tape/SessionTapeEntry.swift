import MoCore
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
  /// A member joined, changed its name, or left.
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

  /// Creates a member from its parts.
  package init(member: MemberID, installation: MemberID, name: String, program: String, isHere: Bool) {
    (self.member, self.installation, self.name) = (member, installation, name)
    (self.program, self.isHere) = (program, isHere)
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
