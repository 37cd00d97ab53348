import MoTime

/// Which installations have had the gates that hold.
///
/// Who was cut off when they were set has not; who was here all the while has been told them, whatever it says.
struct GateWitness: Sendable {
  /// The gates'.
  private(set) var version = StateVersion.none
  /// When they came to be known here.
  private var since = HostTime.distantPast
  private var installations: Set<MemberID> = []

  /// Seconds in which two may set gates at once, or be cut off without that being noticed.
  static let grace = 3.0
  private static let most = 4096

  init() {}

  init(version: StateVersion, since: HostTime) { (self.version, self.since) = (version, since) }

  mutating func shift(by nanoseconds: Int64) {
    if since != .distantPast { since = since.advanced(byNanoseconds: nanoseconds) }
  }

  func contains(_ installation: MemberID) -> Bool { installations.contains(installation) }

  mutating func add(_ installation: MemberID) {
    if installations.count < Self.most { installations.insert(installation) }
  }

  /// Whether a member has been here for so long, without a gap, that it has been told.
  func hasHadTime(_ member: Member, at now: HostTime) -> Bool {
    let first = max(since, member.hereSince)
    return now.seconds(since: first) > Self.grace
  }
}
