extension SessionCore {
  /// The settings with which a member takes part.
  package struct Settings: Sendable {
    /// The room's name; messages of other rooms are dropped.
    package var room: String
    /// The member's identity.
    package var identity: SessionIdentity
    /// Whether the member takes part without being shown.
    package var isHidden = false
    /// Addresses at which members were found before.
    package var remembered: [SessionEndpoint] = []
    /// Addresses, typed by a person, at which members may be.
    package var typed: [SessionEndpoint] = []
    /// The only installation that may conduct; `nobody` for all.
    package var only = MemberID.nobody
    /// Installations whose members are ignored as soon as they are here.
    package var ignored: Set<MemberID> = []
    /// Seconds of listening before the member founds a room; 0 if there can be no other member.
    ///
    /// The default is longer than two multicast intervals of an access point, which are 102 ms each.
    package var listening = 0.5
    /// Seconds between the rendering of sound and its playback; a play with less time until its beat comes too late.
    package internal(set) var soundLead = 0.0
    /// The name under which a directory such as Avahi lists the room; nil if it is the room's own name.
    package var listedRoom: String?
    /// The instrument played here, for others to see; empty for none.
    package internal(set) var plays = ""
    /// The member ID of this program's earlier run, if that run was killed; otherwise `nobody`.
    package var replaced = MemberID.nobody
    /// The part of the sound device's delay that the device does not report (the trim), in nanoseconds.
    package var lag: Int64 = 0
    /// The time at which the member joins, in seconds since 1970, by this machine's calendar clock.
    package var calendar: Int64 = 0
    /// The data about the member's machine that the member reports in a check before a concert.
    package internal(set) var health = MemberHealth(release: MoMuRelease.current)
    /// The secret from which address tokens are computed; no other program knows it.
    package var secret: UInt64 = 0
    /// The signer that signs in this installation's name in a locked room; nil in an open room.
    package var signer: (any SessionSigner)?

    /// Creates settings for a member of a room.
    package init(room: String, identity: SessionIdentity) { (self.room, self.identity) = (room, identity) }
  }
}
