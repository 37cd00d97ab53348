import MoCore
import MoSessionCore

/// One thing that happened in a session, as it stands on a tape.
///
/// - Thread: any; a plain value.
package struct SessionTapeEntry: Hashable, Sendable {
  /// When it was noted: by the host clock where it is recorded, from the tape's start where it is read.
  package var time: HostTime
  /// The session's beat then, since bar 1; nil while no rhythm is known.
  package var beat: Double?
  /// What happened.
  package var note: SessionTapeNote

  /// An entry from its parts.
  package init(time: HostTime, beat: Double?, note: SessionTapeNote) {
    (self.time, self.beat, self.note) = (time, beat, note)
  }
}

/// What can happen in a session and is worth keeping.
package enum SessionTapeNote: Hashable, Sendable {
  /// A room was joined: what follows was heard there.
  case room(SessionTapeRoom)
  /// How the shared clock runs against the one that the tape goes by, from here on.
  case clock(SessionTapeClock)
  /// Somebody is here, under another name, or here no more.
  case member(SessionTapeMember)
  /// What all agree on: who conducts, the music's course, how much is played in which bar, the gates.
  case state(SessionState)
  /// Something that was played for us, or shared by others.
  case heard(SessionHeard)
  /// Something that we played for others, or shared.
  case sent(SessionSent)
  /// How much somebody moves, as far as that was told here.
  case activity(MemberID, Float)
  /// Somebody asked for silence.
  case panic(MemberID)
}

/// A room, and who was in it with the tape.
package struct SessionTapeRoom: Hashable, Sendable {
  /// Its name.
  package var name: String
  /// The member who recorded.
  package var member: MemberID
  /// The program that recorded.
  package var program: String

  /// A room and who recorded there.
  package init(name: String, member: MemberID, program: String) {
    (self.name, self.member, self.program) = (name, member, program)
  }
}

/// The shared clock as a straight line, from the moment of its entry on.
package struct SessionTapeClock: Hashable, Sendable {
  /// What it shows at that moment.
  package var shared: SessionTime
  /// How much faster it runs than the tape's own clock, relative; within ±0.001.
  package var rate: Double

  /// A line through a moment.
  package init(shared: SessionTime, rate: Double) { (self.shared, self.rate) = (shared, rate) }
}

/// Somebody in the room.
package struct SessionTapeMember: Hashable, Sendable {
  /// Who.
  package var member: MemberID
  /// Its installation.
  package var installation: MemberID
  /// The name that was shown.
  package var name: String
  /// Which program it ran.
  package var program: String
  /// Whether it is here from now on, or no more.
  package var isHere: Bool

  /// A member from its parts.
  package init(member: MemberID, installation: MemberID, name: String, program: String, isHere: Bool) {
    (self.member, self.installation, self.name) = (member, installation, name)
    (self.program, self.isHere) = (program, isHere)
  }
}

/// Something that was played for others.
package struct SessionSent: Hashable, Sendable {
  /// What.
  package var play: SessionPlay
  /// For whom, in words: a name, `section drums`, `everyone`, `others`.
  package var aim: String
  /// Whether it is for oneself, too: then it is heard besides.
  package var isForMe: Bool
  /// When it is to sound, as far as is known here.
  package var time: HostTime
  /// The beat it is meant for; nil for at once.
  package var beat: Double?

  /// Something that was played, from its parts.
  package init(play: SessionPlay, aim: String, isForMe: Bool, time: HostTime, beat: Double?) {
    (self.play, self.aim, self.isForMe, self.time, self.beat) = (play, aim, isForMe, time, beat)
  }
}
