import MoCore

/// A check before a concert: the members that were asked for the health of their machines, and their answers.
struct HealthCheck: Sendable {
  var answers: [MemberID: MemberHealth] = [:]
  private var asked: [MemberID: (times: Int, last: HostTime)] = [:]
  private var end: HostTime
  private(set) var next: HostTime

  /// Seconds between two questions of the check: a member may send at most 25 packets a second.
  static let spacing = 0.04
  /// Seconds after which a member that has not answered is asked again.
  private static let pause = 0.8
  /// The largest number of questions to a member.
  private static let mostTimes = 4
  /// Seconds after which a member counts as not answering, in addition to the time to ask all members.
  ///
  /// To ask 256 members takes ten seconds.
  private static let timeout = 5.0

  /// The time at which the check started.
  private(set) var started: HostTime

  init(among others: Int, now: HostTime) {
    (started, next) = (now, now)
    end = now.advanced(bySeconds: Self.timeout + Double(others) * Self.spacing)
  }

  /// Returns whether all members have answered, or the check has reached its timeout.
  func isDone(among members: some Sequence<MemberID>, at now: HostTime) -> Bool {
    now >= end || members.allSatisfy { answers[$0] != nil }
  }

  /// Returns the member to ask now; nil for none.
  mutating func popDue(_ members: some Collection<MemberID>, at now: HostTime) -> MemberID? {
    guard now >= next else { return nil }
    guard !isDone(among: members, at: now) else {
      next = .distantFuture
      return nil
    }
    next = now.advanced(bySeconds: Self.spacing)
    let due = members.filter { id in
      guard answers[id] == nil else { return false }
      guard let asked = asked[id] else { return true }
      return asked.times < Self.mostTimes && now.seconds(since: asked.last) >= Self.pause
    }
    let first = due.min { (asked[$0]?.times ?? 0, $0) < (asked[$1]?.times ?? 0, $1) }
    if let first { asked[first] = ((asked[first]?.times ?? 0) + 1, now) }
    return first
  }

  /// Stores a member's answer.
  mutating func receive(_ health: MemberHealth, from id: MemberID) { answers[id] = health }

  mutating func forget(_ id: MemberID) { answers[id] = nil }

  mutating func shift(by nanoseconds: Int64) {
    asked = asked.mapValues { ($0.times, $0.last.shifted(by: nanoseconds)) }
    started.shift(by: nanoseconds)
    end.shift(by: nanoseconds)
    next.shift(by: nanoseconds)
  }
}

/// A member's data about its machine, for a check before a concert.
public struct MemberHealth: Hashable, Sendable {
  /// The kind of a machine's network connection.
  public enum Link: Int32, Hashable, Sendable, CaseIterable {
    /// Not known: no network card or Wi-Fi adapter is up and has an address.
    case unknown = 0
    case wire = 1
    case wireless = 2
    /// Cable and Wi-Fi at the same time.
    case both = 3
  }

  /// The release of MoMu that the member runs; cut to 40 characters.
  public var release: String
  /// The member's network connection.
  public var link = Link.unknown
  /// Whether the member's program plays through a sound device; false for a virtual card and for a file.
  public var isSounding = false
  /// Whether the delay of the member's sound device was set or measured.
  public var isTrimmed = false
  /// The part of the sound device's delay that the device does not report, in milliseconds; 0 unless `isTrimmed`.
  public var trim: Float = 0
  /// The fraction of real time that sound rendering takes; 1 is full load.
  public var soundLoad: Float = 0
  /// The number of tasks that run or wait, per processor core, as the mean of the last minute (load average).
  public var machineLoad: Float = 0
  /// The number of underruns of the member's sound device in the last minute.
  public var underruns: Int32 = 0

  /// Creates the health of a machine of which only the release is known.
  public init(release: String) { self.release = SessionIdentity.sanitized(release) }
}

/// A namespace for the release number of MoMu.
package enum MoMuRelease {
  /// The number of the present release.
  package static let current = "1"
}
