import MoCore

/// The absence of the only installation that may conduct.
struct Absence: Sendable {
  var installation: MemberID
  /// The time at which the installation was last in this member's part of the room.
  ///
  /// If the installation was never there, this is the time at which this member learned of the installation's exclusive
  /// right.
  var since: HostTime
  /// Whether the installation has ever been in this member's part of the room.
  var wasHere = false
}

/// The exclusive right of a single installation to conduct, and the absence of that installation.
extension Agreement {
  /// The only installation that may conduct; `nobody` if no installation has this exclusive right.
  ///
  /// The program's own setting (`reserved`), which names an installation, overrides the room's policy. The setting has
  /// no effect if a person has lifted this installation's exclusive right, or if the room's gates exclude this
  /// installation.
  package var only: MemberID {
    let isLifted = reserved == .nobody || reserved == state.policy.lifted || isExcluded(reserved)
    return isLifted ? state.policy.only : reserved
  }

  /// Returns whether the room's gates exclude an installation from conducting, and the room gives it no exclusive
  /// right.
  ///
  /// This program then ignores its own setting (`reserved`), if that setting gives the installation the exclusive
  /// right. Otherwise the installation and the members that may conduct would overrule each other forever.
  package func isExcluded(_ installation: MemberID) -> Bool {
    state.version.counter > 0 && state.policy.only != installation
      && state.policy.gates.weight(.rhythm, from: installation) == 0
  }

  /// Stores whether the only installation that may conduct is here, in our part of the room, and since when it is
  /// absent.
  ///
  /// While this installation is in a separate part, it counts as absent. Otherwise each of two parts could reserve the
  /// right to conduct for a member of the other part.
  mutating func updateAbsence(_ room: RoomView) {
    guard only != .nobody else {
      reservedAway = nil
      return
    }
    if reservedAway?.installation != only { reservedAway = Absence(installation: only, since: room.now) }
    guard only != room.installation else {
      reservedAway = Absence(installation: only, since: room.now, wasHere: true)
      return
    }
    let owners = room.members.values.filter { $0.identity.installation == only && room.isHere($0) }
    guard !owners.isEmpty else { return }
    reservedAway?.wasHere = true
    if owners.contains(where: { !isSeparated($0, room) }) { reservedAway?.since = room.now }
  }

  /// Returns whether a member of the only installation that may conduct is in a separate part of the room.
  ///
  /// In a locked room, the installation must be the holder of that part's state. Other messages are no proof: another
  /// member could forge them, and then lift the installation's right.
  private func isSeparated(_ member: Member, _ room: RoomView) -> Bool {
    guard isApart(member, room) else { return false }
    let isLocked = room.roster.settings.signer != nil
    guard let theirs = separatePart?.state else { return !isLocked }
    switch state.relation(of: theirs) {
    case .older: return false
    case .diverging: return !isLocked || theirs.holderInstallation == only
    // A newer state that was refused, since its version is too far ahead. In a locked room, any member may join the
    // installation's own state by a decision. But a member with the passkey can make the installation begin such an
    // epoch.
    case .newer: return !isLocked
    }
  }

  /// Returns the whole seconds since an installation with the exclusive right to conduct was here; nil while it is
  /// here.
  package func absence(of installation: MemberID, at now: HostTime) -> Int? {
    guard let reservedAway, reservedAway.installation == installation else { return nil }
    let seconds = now.seconds(since: reservedAway.since)
    return seconds < Roster.absence ? nil : Int(seconds)
  }

  /// Returns whether this member accepts that another member has lifted the exclusive right to conduct.
  ///
  /// The result is true if the installation with that right was never here, or has been away from here for `lapse`
  /// seconds.
  func isLapsed(at now: HostTime) -> Bool {
    guard let reservedAway, reservedAway.wasHere else { return true }
    return now.seconds(since: reservedAway.since) >= Self.lapse
  }

  /// Returns whether the exclusive right of an installation can be lifted: it must have been away for `lapse` seconds.
  func isLapsed(_ installation: MemberID, at now: HostTime) -> Bool {
    absence(of: installation, at: now) ?? 0 >= Int(Self.lapse)
  }

  /// Lets all members conduct again after the only installation that may conduct has been away for a minute.
  ///
  /// A member of that installation need not wait.
  mutating func liftConductorOnly(_ room: RoomView, _ out: inout Effects) throws(SessionRefusal) {
    let (only, mine) = (only, room.installation)
    guard only != .nobody else { throw .notReserved }
    guard only == mine || isLapsed(only, at: room.now) else {
      throw .reserved(only, away: absence(of: only, at: room.now))
    }
    guard room.clock.isSynced else { throw .arriving }
    if only == mine { reserved = .nobody }
    write(room, &out) { ($0.policy.only, $0.policy.lifted) = (.nobody, only) }
  }
}
