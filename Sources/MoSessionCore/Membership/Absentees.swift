import MoCore

/// Members of which others tell, and which this member does not hear: they are out of its reach.
struct Absentees: Sendable {
  private var told: [MemberID: (first: HostTime, last: HostTime)] = [:]
  /// How many there were when it was last looked.
  private(set) var count = 0

  private static let most = 256
  /// Seconds for which somebody may be told of before it is called out of reach: it is looked for meanwhile.
  private static let timeout = 10.0
  /// Seconds for which a member's word counts; it is said again while the other is there.
  private static let memory = 20.0

  /// A member tells of another that is not heard here.
  mutating func hear(_ id: MemberID, at now: HostTime) {
    guard told[id] != nil || told.count < Self.most else { return }
    told[id] = (told[id]?.first ?? now, now)
  }

  /// Looks again how many there are; whether they are more than before.
  mutating func look(at now: HostTime, isMissing: (MemberID) -> Bool) -> Bool {
    guard !told.isEmpty || count > 0 else { return false }
    told = told.filter { isMissing($0.key) && now.seconds(since: $0.value.last) < Self.memory }
    let before = count
    count = told.values.count { $0.last.seconds(since: $0.first) > Self.timeout }
    return count > before
  }

  mutating func shift(by nanoseconds: Int64) {
    told = told.mapValues { ($0.first.shifted(by: nanoseconds), $0.last.shifted(by: nanoseconds)) }
  }
}
