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
    /// Seconds of listening before the member founds a room: over two multicast intervals (102 ms) of an access point.
    ///
    /// 0 if there can be no other member.
    package var listening = 0.5
    /// Seconds that sound is rendered ahead: a play with less time left comes too late.
    package internal(set) var soundLead = 0.0
    /// The room's name in directories; nil for the room's own name.
    package var listedRoom: String?
    /// The instrument played here, for others to see; empty for none.
    package internal(set) var plays = ""
    /// The member ID of this program's earlier run, if that run was killed; otherwise `nobody`.
    package var replaced = MemberID.nobody
    /// The output delay that this device does not report, in nanoseconds.
    package var lag: Int64 = 0
    /// Seconds since 1970, by this machine's calendar clock.
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
