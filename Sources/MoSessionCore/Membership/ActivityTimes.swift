import MoCore

/// The last play or movement of each installation, so that a conductor sees silent, late and lost members.
struct ActivityTimes: Sendable {
  private struct Times: Sendable {
    var name: String
    var played: HostTime?
    var late: HostTime?
    var joined: HostTime
    /// Whether the installation's last program that is not hidden said goodbye.
    var hasLeft = false
  }

  private var times: [MemberID: Times] = [:]

  /// Seconds without a play or movement after which an installation counts as silent; also seconds for which a late
  /// play is shown.
  static let timeout = 8.0
  private static let most = 1024

  /// Stores the name of a member as the name of its installation.
  mutating func storeName(_ identity: SessionIdentity, isHidden: Bool = false, at now: HostTime) {
    if times[identity.installation] == nil {
      guard times.count < Self.most else { return }
      times[identity.installation] = Times(name: identity.name, joined: now)
    }
    times[identity.installation]?.name = identity.name
    if !isHidden { times[identity.installation]?.hasLeft = false }
  }

  /// Stores that the last program of an installation has ended.
  ///
  /// - Parameter withGoodbye: whether the program said goodbye.
  mutating func storeEnd(of installation: MemberID, withGoodbye: Bool) {
    times[installation]?.hasLeft = withGoodbye
  }

  /// Stores the time of a play or a movement of an installation.
  ///
  /// - Parameter isLate: whether the play came too late.
  mutating func recordActivity(_ installation: MemberID, isLate: Bool, at now: HostTime) {
    times[installation]?.played = now
    if isLate { times[installation]?.late = now }
  }

  /// Returns the state of an installation that is not here.
  func absence(of installation: MemberID) -> SectionStatus {
    times[installation]?.hasLeft == true ? .left : .lost
  }

  /// Returns the state of an installation that is here.
  func status(of installation: MemberID, at now: HostTime) -> SectionStatus {
    guard let times = times[installation] else { return .silent(seconds: Self.timeout) }
    if let late = times.late, now.seconds(since: late) < Self.timeout { return .late }
    let silent = now.seconds(since: times.played ?? times.joined)
    return silent < Self.timeout ? .playing : .silent(seconds: silent)
  }

  /// All installations that were ever here.
  var installations: [MemberID] { Array(times.keys) }

  /// Returns the name of the installation's member that was here last; nil if the installation was never here.
  func name(of installation: MemberID) -> String? { times[installation]?.name }

  mutating func shift(by nanoseconds: Int64) {
    for place in times.indices {
      times.values[place].played?.shift(by: nanoseconds)
      times.values[place].late?.shift(by: nanoseconds)
      times.values[place].joined.shift(by: nanoseconds)
    }
  }
}

/// The state of a section's member, as another member sees it.
public enum SectionStatus: Hashable, Sendable {
  /// The member has played or moved in the last 8 s, in time.
  case playing
  /// The member is here, but has not played or moved for this number of seconds.
  case silent(seconds: Double)
  /// In the last 8 s, a play of the member came too late.
  case late
  /// The member has left with a goodbye: its user ended the program.
  case left
  /// The member is not here, and said no goodbye: it is out of reach, or its program or machine stopped.
  case lost
}

/// A place in a section: an assigned installation, and its state.
public struct SectionPlace: Hashable, Sendable {
  /// The assigned installation; it stays assigned when its program restarts.
  public var installation: MemberID
  /// The last name under which the installation was here; nil if it was never here.
  public var name: String?
  /// The state of the installation's member.
  public var status: SectionStatus
}
