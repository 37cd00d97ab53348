import MoCore

/// A read-only view of the members and the shared clock at one moment, for the other components.
package struct RoomView: Sendable {
  let roster: Roster
  let clock: ClockSync
  let now: HostTime

  package init(roster: Roster, clock: ClockSync, now: HostTime) {
    (self.roster, self.clock, self.now) = (roster, clock, now)
  }

  /// This member.
  var me: MemberID { roster.me }
  /// This member's installation.
  var installation: MemberID { roster.settings.identity.installation }
  var members: [MemberID: Member] { roster.members }

  func isHere(_ id: MemberID) -> Bool { roster.isHere(id, at: now) }
  func isHere(_ member: Member) -> Bool { roster.isHere(member, at: now) }
  /// Returns whether the keeper of the clock `base` is here, or other members hear that keeper.
  func hasKeeper(_ base: TimeBase) -> Bool { clock.hasKeeper(base, roster, at: now) }
  /// Returns whether a member follows the same shared clock as this member.
  func sharesClock(_ id: MemberID) -> Bool {
    members[id]?.summary.base?.lineage == clock.base?.lineage
  }
}

extension HostTime {
  /// Moves the time by as many nanoseconds as the host clock has jumped; `distantPast` and `distantFuture` stay
  /// unchanged.
  mutating func shift(by nanoseconds: Int64) {
    guard self != .distantPast, self != .distantFuture else { return }
    self = advanced(byNanoseconds: nanoseconds)
  }

  /// Returns the time moved by as many nanoseconds as the host clock has jumped; `distantPast` and `distantFuture` stay
  /// unchanged.
  func shifted(by nanoseconds: Int64) -> HostTime {
    var time = self
    time.shift(by: nanoseconds)
    return time
  }
}
