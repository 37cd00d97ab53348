import MoCore

/// Addresses at which members may be, hinted by directories (such as Avahi) or members, and the times to probe them.
package struct PeerCandidates: Sendable {
  private struct Entry: Sendable {
    let hint: PeerCandidate
    /// The number of the hint in the order of arrival: a newer hint has a higher number.
    let number: Int
    var next: HostTime
    var pause = firstPause
    var isProbed = false
    /// The time at which a hint from a member expires; nil for a hint from a directory.
    var until: HostTime?
  }

  private var entries: [PeerCandidate: Entry] = [:]
  private var hintCount = 0
  private var lastProbe = HostTime.distantPast
  /// The time at which `popDue` must be called next.
  private(set) var next = HostTime.distantFuture

  private static let most = 512
  /// Seconds between the first two probes of an address; each pause is twice the previous pause, up to `longestPause`.
  private static let firstPause = 1.0
  /// The longest pause between two probes of an address, in seconds.
  private static let longestPause = 60.0
  /// Seconds between two probes, also of different addresses.
  ///
  /// So probes take at most eight of the 25 packets a second that a member may send.
  private static let spacing = 0.125
  /// Seconds after which a hint from a member expires; members repeat a hint while the hinted member is there.
  private static let memory = 20.0
  /// The time of the last probe of an address hinted by a member.
  private var lastMemberProbe = HostTime.distantPast

  /// The number of hints that are stored.
  package var count: Int { entries.count }

  /// Adds a hinted address, which is probed soon.
  mutating func add(_ hint: PeerCandidate, now: HostTime) {
    guard entries[hint] == nil else { return }
    if entries.count == Self.most {
      // The address with the most unanswered probes makes room.
      guard let idle = entries.values.max(by: { $0.pause < $1.pause }), idle.pause > Self.firstPause else {
        return
      }
      entries[idle.hint] = nil
    }
    hintCount += 1
    entries[hint] = Entry(hint: hint, number: hintCount, next: now)
    plan()
  }

  /// Adds an address hinted by a member.
  mutating func receive(_ hint: PeerCandidate, now: HostTime) {
    add(hint, now: now)
    guard entries[hint]?.until != nil || entries[hint]?.isProbed == false else { return }
    entries[hint]?.until = now.advanced(bySeconds: Self.memory)
  }

  mutating func remove(_ hint: PeerCandidate) {
    entries[hint] = nil
    plan()
  }

  /// Handles the leaving of a member: forgets the addresses that were hinted for it, if it has said goodbye
  /// (`withGoodbye`).
  ///
  /// If the member has left without a goodbye, its hinted addresses are probed again.
  mutating func lost(_ id: MemberID, withGoodbye: Bool, now: HostTime) {
    guard !entries.isEmpty else { return }
    let again = now.advanced(bySeconds: Self.firstPause)
    for (hint, entry) in entries where hint.member == id {
      // A member that has said goodbye needs no probe; the directory removes it by itself.
      entries[hint] = withGoodbye ? nil : Entry(hint: hint, number: entry.number, next: again)
    }
    plan()
  }

  /// Returns whether a member was probed at a hinted address.
  package func wasProbed(_ id: MemberID) -> Bool {
    entries.values.contains { $0.hint.member == id && $0.isProbed }
  }

  /// Returns the next address to probe; nil while none is due.
  ///
  /// - Parameters:
  ///   - others: the number of other members. Together, all members probe hints from members at most eight times a
  ///     second, so that no member can make the others flood a machine.
  ///   - isWanted: whether a hinted member is to be probed now; if not, the hint is checked again after 2 s.
  mutating func popDue(
    at now: HostTime, among others: Int, isWanted: (PeerCandidate) -> Bool
  ) -> PeerCandidate? {
    defer { plan() }
    var due: Entry?
    let pause = Self.spacing * Double(max(1, others))
    for (hint, entry) in entries where entry.next <= now {
      if let until = entry.until {
        guard now < until else {
          entries[hint] = nil
          continue
        }
        guard lastMemberProbe == .distantPast || now.seconds(since: lastMemberProbe) >= pause else {
          entries[hint]?.next = lastMemberProbe.advanced(bySeconds: pause)
          continue
        }
      }
      guard isWanted(hint) else {
        entries[hint]?.next = now.advanced(bySeconds: 2)
        continue
      }
      // The least probed first, and of those the newest: a newcomer does not wait behind hundreds that never answer.
      if let due, (due.pause, -due.number) < (entry.pause, -entry.number) { continue }
      due = entry
    }
    guard var due else { return nil }
    due.next = now.advanced(bySeconds: due.pause)
    due.pause = min(due.pause * 2, Self.longestPause)
    due.isProbed = true
    if due.until != nil { lastMemberProbe = now }
    entries[due.hint] = due
    lastProbe = now
    return due.hint
  }

  mutating func shift(by nanoseconds: Int64) {
    for place in entries.indices {
      entries.values[place].next.shift(by: nanoseconds)
      entries.values[place].until?.shift(by: nanoseconds)
    }
    lastMemberProbe = .distantPast
    lastProbe.shift(by: nanoseconds)
    plan()
  }

  private mutating func plan() {
    let first = entries.values.lazy.map(\.next).min() ?? .distantFuture
    let free = lastProbe == .distantPast ? .distantPast : lastProbe.advanced(bySeconds: Self.spacing)
    next = first == .distantFuture ? first : max(first, free)
  }
}

/// An address where a member may be, from a directory or another member.
///
/// An answer from the address confirms that the member is there.
package struct PeerCandidate: Hashable, Sendable {
  /// The member that may be at the address.
  package var member: MemberID
  /// The room in which the member is said to be.
  package var room: String
  /// The address at which the member may be.
  package var endpoint: SessionEndpoint

  /// Creates a hint from its parts.
  package init(member: MemberID, room: String, endpoint: SessionEndpoint) {
    (self.member, self.room, self.endpoint) = (member, room, endpoint)
  }
}
