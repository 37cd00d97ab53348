import MoCore

/// Addresses that may be members', as a directory or a member says, and when to probe them.
struct PeerCandidates: Sendable {
  private struct Entry: Sendable {
    let hint: PeerCandidate
    /// Counts the places that were noted.
    let number: Int
    var next: HostTime
    var pause = firstPause
    var isCalled = false
    /// When a member's hint expires; nil for a directory's.
    var until: HostTime?
  }

  private var entries: [PeerCandidate: Entry] = [:]
  private var noted = 0
  private var lastCall = HostTime.distantPast
  /// When `popDue` is wanted next.
  private(set) var next = HostTime.distantFuture

  private static let most = 512
  /// Seconds between the first call and the next at one place; each is twice the one before, up to the longest.
  private static let firstPause = 1.0
  private static let longestPause = 60.0
  /// Seconds between calls at all places: eight a second of the 25 packets that a member may send.
  private static let spacing = 0.125
  /// Seconds after which a member's hint expires; the member repeats it while the other is there.
  private static let memory = 20.0
  /// When the last hello went to an address that a member has told of.
  private var lastHeard = HostTime.distantPast

  /// How many places are known.
  var count: Int { entries.count }

  /// Notes a place, to be called at soon.
  mutating func add(_ hint: PeerCandidate, now: HostTime) {
    guard entries[hint] == nil else { return }
    if entries.count == Self.most {
      // The address that has been tried most often without an answer makes room.
      guard let idle = entries.values.max(by: { $0.pause < $1.pause }), idle.pause > Self.firstPause else {
        return
      }
      entries[idle.hint] = nil
    }
    noted += 1
    entries[hint] = Entry(hint: hint, number: noted, next: now)
    plan()
  }

  /// Notes a place of which a member has told.
  mutating func receive(_ hint: PeerCandidate, now: HostTime) {
    add(hint, now: now)
    guard entries[hint]?.until != nil || entries[hint]?.isCalled == false else { return }
    entries[hint]?.until = now.advanced(bySeconds: Self.memory)
  }

  mutating func remove(_ hint: PeerCandidate) {
    entries[hint] = nil
    plan()
  }

  /// A member is gone, and has said so or not.
  mutating func lost(_ id: MemberID, said: Bool, now: HostTime) {
    guard !entries.isEmpty else { return }
    let again = now.advanced(bySeconds: Self.firstPause)
    for (hint, entry) in entries where hint.member == id {
      // A member that has left needs no hello; the directory forgets it by itself.
      entries[hint] = said ? nil : Entry(hint: hint, number: entry.number, next: again)
    }
    plan()
  }

  /// Whether a member was probed at an address that a directory has named.
  func hasCalled(_ id: MemberID) -> Bool {
    entries.values.contains { $0.hint.member == id && $0.isCalled }
  }

  /// The next place to call at; nil while none is due.
  ///
  /// - Parameters:
  ///   - others: how many members there are: all of them together call eight times a second where members have told of,
  ///     so that no member can have a machine flooded by telling of it.
  ///   - isWanted: whether a member is to be called at all; if not, that is asked again later.
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
        guard lastHeard == .distantPast || now.seconds(since: lastHeard) >= pause else {
          entries[hint]?.next = lastHeard.advanced(bySeconds: pause)
          continue
        }
      }
      guard isWanted(hint) else {
        entries[hint]?.next = now.advanced(bySeconds: 2)
        continue
      }
      // The one called least, and of those the newest: a newcomer does not wait behind hundreds that never answer.
      if let due, (due.pause, -due.number) < (entry.pause, -entry.number) { continue }
      due = entry
    }
    guard var due else { return nil }
    due.next = now.advanced(bySeconds: due.pause)
    due.pause = min(due.pause * 2, Self.longestPause)
    due.isCalled = true
    if due.until != nil { lastHeard = now }
    entries[due.hint] = due
    lastCall = now
    return due.hint
  }

  mutating func shift(by nanoseconds: Int64) {
    for place in entries.indices {
      entries.values[place].next.shift(by: nanoseconds)
      entries.values[place].until?.shift(by: nanoseconds)
    }
    lastHeard = .distantPast
    lastCall.shift(by: nanoseconds)
    plan()
  }

  private mutating func plan() {
    let first = entries.values.lazy.map(\.next).min() ?? .distantFuture
    let free = lastCall == .distantPast ? .distantPast : lastCall.advanced(bySeconds: Self.spacing)
    next = first == .distantFuture ? first : max(first, free)
  }
}

/// An address that may be a member's, as a directory or another member says.
///
/// Whether it is there shows when it answers.
package struct PeerCandidate: Hashable, Sendable {
  /// The member.
  package var member: MemberID
  /// The room that it is said to be in.
  package var room: String
  /// The address.
  package var endpoint: SessionEndpoint

  /// A hint from its parts.
  package init(member: MemberID, room: String, endpoint: SessionEndpoint) {
    (self.member, self.room, self.endpoint) = (member, room, endpoint)
  }
}
