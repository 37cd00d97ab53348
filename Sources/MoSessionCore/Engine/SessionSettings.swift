extension SessionCore {
  /// How a member takes part.
  package struct Settings: Sendable {
    /// The room's name; members of other rooms are not heard.
    package var room: String
    /// Who it is.
    package var identity: SessionIdentity
    /// Whether it takes part without being shown.
    package var isHidden = false
    /// Addresses at which members were found before.
    package var remembered: [SessionEndpoint] = []
    /// Addresses of members that a person typed.
    package var typed: [SessionEndpoint] = []
    /// The one installation that may conduct; `nobody` for all.
    package var only = MemberID.nobody
    /// Installations whose members are not heard, as soon as they are here.
    package var ignored: Set<MemberID> = []
    /// Seconds it listens before founding a room of its own: past a multicast grid of 102 ms, twice.
    ///
    /// 0 if there can be no other member.
    package var listening = 0.5
    /// Seconds of sound that are made ahead of being heard: what is due sooner comes too late.
    package internal(set) var soundLead = 0.0
    /// The room as directories name it; nil for by its name.
    package var listedRoom: String?
    /// What is played here, for others to see; empty for nothing.
    package internal(set) var plays = ""
    /// This program's member before the program was killed; `nobody` if it was not.
    package var replaced = MemberID.nobody
    /// By how many nanoseconds this device sounds later than it believes.
    package var lag: Int64 = 0
    /// Seconds since 1970, by this machine's calendar.
    package var calendar: Int64 = 0
    /// What it says of its machine when it is asked before a concert.
    package internal(set) var health = MemberHealth(release: MoMuRelease.current)
    /// What the numbers are made of that addresses have to return; known to nobody else.
    package var secret: UInt64 = 0
    /// Signs in this installation's name, in a locked room; nil in an open one.
    package var signer: (any SessionSigner)?

    /// Settings for a member of a room.
    package init(room: String, identity: SessionIdentity) { (self.room, self.identity) = (room, identity) }
  }
}
