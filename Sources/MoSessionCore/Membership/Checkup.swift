import MoCore

/// A check before a concert: who has been asked how its machine is, and who has answered.
struct Checkup: Sendable {
  var answers: [MemberID: MemberHealth] = [:]
  private var asked: [MemberID: (times: Int, last: HostTime)] = [:]
  private var end: HostTime
  private(set) var next: HostTime

  /// Seconds between two questions, which makes the 25 packets a second that a member may send.
  static let spacing = 0.04
  /// Seconds after which a member is asked again, and how often it is asked in all.
  private static let pause = 0.8
  private static let mostTimes = 4
  /// Seconds after which who has not answered is held not to answer: 256 members are asked in ten.
  private static let timeout = 5.0

  /// When it was begun.
  private(set) var begun: HostTime

  init(among others: Int, now: HostTime) {
    (begun, next) = (now, now)
    end = now.advanced(bySeconds: Self.timeout + Double(others) * Self.spacing)
  }

  /// Whether all members have answered, or have been waited for long enough.
  func isDone(among members: some Sequence<MemberID>, at now: HostTime) -> Bool {
    now >= end || members.allSatisfy { answers[$0] != nil }
  }

  /// The member to be asked now; nil for none.
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

  /// Takes in a member's answer.
  mutating func receive(_ health: MemberHealth, from id: MemberID) { answers[id] = health }

  mutating func forget(_ id: MemberID) { answers[id] = nil }

  mutating func shift(by nanoseconds: Int64) {
    asked = asked.mapValues { ($0.times, $0.last.shifted(by: nanoseconds)) }
    begun.shift(by: nanoseconds)
    end.shift(by: nanoseconds)
    next.shift(by: nanoseconds)
  }
}

/// What a member says of its machine when it is asked before a concert.
public struct MemberHealth: Hashable, Sendable {
  /// By what a machine is on the network.
  public enum Link: Int32, Hashable, Sendable, CaseIterable {
    /// The kernel does not tell.
    case unknown = 0
    case wire = 1
    case wireless = 2
    /// Cable and Wi-Fi at once.
    case both = 3
  }

  /// Which release of MoMu it runs; cut to 40 characters.
  public var release: String
  /// By what it is on the network.
  public var link = Link.unknown
  /// Whether it makes sound.
  public var isSounding = false
  /// Whether the delay of its sound device was given or measured.
  public var isTrimmed = false
  /// Milliseconds by which its sound device is taken to sound too late.
  public var trim: Float = 0
  /// The part of its time that the sound takes: 1 is all there is.
  public var soundLoad: Float = 0
  /// Tasks that run or wait on its machine, for each processor core, over the last minute.
  public var machineLoad: Float = 0
  /// How often its sound device ran dry in the last minute.
  public var underruns: Int32 = 0

  /// Of a machine of which nothing else is known yet.
  public init(release: String) { self.release = SessionIdentity.tidy(release) }
}

/// The release of MoMu.
public enum MoMuRelease {
  /// This one.
  public static let current = "1"
}
