import MoCore

/// How a member of a section does, as a leader sees it.
public enum SectionStatus: Hashable, Sendable {
  /// Plays or moves, in time.
  case playing
  /// Is here, and was neither heard nor seen moving for so many seconds.
  case silent(seconds: Double)
  /// Something that it played came too late of late.
  case late
  /// Is not here: gone, or out of reach.
  case lost
}

/// A place in a section.
public struct SectionPlace: Hashable, Sendable {
  /// Whose place it is: it stays there when it starts anew.
  public var installation: MemberID
  /// The name it was last here under; nil for who was never seen from here.
  public var name: String?
  /// How it does.
  public var status: SectionStatus
}

/// When each installation was heard last, so that a leader sees which are silent, late or lost.
struct SectionWatch: Sendable {
  private struct Seen: Sendable {
    var name: String
    var played: HostTime?
    var late: HostTime?
    var came: HostTime
  }

  private var seen: [MemberID: Seen] = [:]

  /// Seconds without a sound or a movement after which one is silent, and for which lateness is shown.
  static let timeout = 8.0
  private static let most = 1024

  /// Notes that a member is here.
  mutating func note(_ identity: SessionIdentity, at now: HostTime) {
    if seen[identity.installation] == nil {
      guard seen.count < Self.most else { return }
      seen[identity.installation] = Seen(name: identity.name, came: now)
    }
    seen[identity.installation]?.name = identity.name
  }

  /// Notes that an installation was heard, or moved.
  mutating func played(_ installation: MemberID, isLate: Bool, at now: HostTime) {
    seen[installation]?.played = now
    if isLate { seen[installation]?.late = now }
  }

  /// How an installation that is here does.
  func status(of installation: MemberID, at now: HostTime) -> SectionStatus {
    guard let seen = seen[installation] else { return .silent(seconds: Self.timeout) }
    if let late = seen.late, now.seconds(since: late) < Self.timeout { return .late }
    let silent = now.seconds(since: seen.played ?? seen.came)
    return silent < Self.timeout ? .playing : .silent(seconds: silent)
  }

  /// All who were ever seen here.
  var installations: [MemberID] { Array(seen.keys) }

  /// The name of an installation's last member here.
  func name(of installation: MemberID) -> String? { seen[installation]?.name }

  mutating func shift(by nanoseconds: Int64) {
    for place in seen.indices {
      seen.values[place].played?.shift(by: nanoseconds)
      seen.values[place].late?.shift(by: nanoseconds)
      seen.values[place].came.shift(by: nanoseconds)
    }
  }
}
