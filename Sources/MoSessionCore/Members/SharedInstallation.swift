import MoCore

/// Members on different machines that have one installation, as those whose disks or homes are copies.
///
/// Gates, sections, `--conductor-only` and what is ignored go by installations.
public struct SharedInstallation: Hashable, Sendable {
  /// Which they share.
  public var installation: MemberID
  /// Who they are, by their identities.
  public var members: [MemberID]
}

extension SessionCore {
  /// Notes what a member says of itself, if that is new.
  mutating func note(_ identity: SessionIdentity, at now: HostTime) {
    members[identity.member]?.isIgnored = settings.ignored.contains(identity.installation)
    if members[identity.member]?.isHidden == false {
      let others = members.values.filter { !$0.isHidden && $0.identity.member != identity.member }
      let me = settings.isHidden ? [] : [settings.identity]
      names.note(identity, among: others.map(\.identity) + me, at: now)
    } else {
      names.left(identity.member, at: now)
    }
    lookForSharedInstallations(at: now)
  }

  /// Whether a member is on another machine, though it may have our installation; true for those that have gone.
  func isElsewhere(_ id: MemberID) -> Bool {
    if id == me { return false }
    guard let machine = members[id]?.identity.machine else { return true }
    return machine != 0 && settings.identity.machine != 0 && machine != settings.identity.machine
  }

  /// Looks whether members on different machines have one installation, and tells of those that had not before.
  mutating func lookForSharedInstallations(at now: HostTime) {
    let all = members.values.map(\.identity) + [settings.identity]
    let groups = Dictionary(grouping: all.lazy.filter { $0.machine != 0 }) { $0.installation }
    let shared = groups.filter { Set($0.value.map(\.machine)).count > 1 }
      .map { SharedInstallation(installation: $0.key, members: $0.value.map(\.member).sorted()) }
      .sorted { $0.installation < $1.installation }
    let before = sharedInstallations
    sharedInstallations = shared
    for one in shared {
      let isKnown = before.contains {
        $0.installation == one.installation && Set($0.members).isSuperset(of: one.members)
      }
      if !isKnown, sharingNotices.allows(at: now, most: 2) { events.append(.shared(one)) }
    }
  }
}
