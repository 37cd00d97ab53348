import MoCore
import MoSessionCore

/// An event in a session, as a tape has it.
///
/// - Thread: any; a plain value.
package struct SessionTapeEntry: Hashable, Sendable {
  /// The time at which the event was recorded: host time while a tape is recorded, the time since the tape's start in a
  /// tape that is read.
  package var time: HostTime
  /// The session's beat at that time, counted from bar 1; nil while no rhythm is known.
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
  /// An event that another member played for the recording member, or shared.
  case heard(SessionHeard)
  /// An event that the recording member played for others, or shared.
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

  /// A room and the recording member and program.
  package init(name: String, member: MemberID, program: String) {
    (self.name, self.member, self.program) = (name, member, program)
  }
}

/// The shared clock as a linear function of the tape's clock, from the time of this tape entry on.
package struct SessionTapeClock: Hashable, Sendable {
  /// The shared time at the time of the entry.
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
  /// The display name.
  package var name: String
  /// The program that the member ran.
  package var program: String
  /// Whether the member is here from now on, or has left.
  package var isHere: Bool

  /// Creates a member from its parts.
  package init(member: MemberID, installation: MemberID, name: String, program: String, isHere: Bool) {
    (self.member, self.installation, self.name) = (member, installation, name)
    (self.program, self.isHere) = (program, isHere)
  }
}

/// An event that was played for others.
package struct SessionSent: Hashable, Sendable {
  /// The event.
  package var play: SessionPlay
  /// The receivers in words: a name, `section drums`, `everyone`, `others`.
  package var aim: String
  /// Whether the event is for this member, too; then the tape also has it as received.
  package var isForMe: Bool
  /// The time at which the event is to sound, as far as that time is known here.
  package var time: HostTime
  /// The beat that the event is meant for; nil for immediately.
  package var beat: Double?

  /// Creates an event for others from its parts.
  package init(play: SessionPlay, aim: String, isForMe: Bool, time: HostTime, beat: Double?) {
    (self.play, self.aim, self.isForMe, self.time, self.beat) = (play, aim, isForMe, time, beat)
  }
}
