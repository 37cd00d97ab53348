import MoCore

/// Whether a target is reached, decided by evidence with hysteresis: bad news must last, and so must good news.
///
/// It knows no clock and no network.
struct Reachability: Sendable {
  /// Why a target is not reached.
  enum Cause: Equatable, Sendable {
    case unknownName
    /// This machine has no way there.
    case noWay
    /// The target's machine does not answer.
    case silent
    /// The machine answers, and no program listens on the port.
    case refused
    /// The network takes less than is sent.
    case congested
    /// There is no connection.
    case closed(String)
    /// The receiver, which confirmed before, confirms no more.
    case unconfirmed
    case other(String)

    /// How long news must be good before such a target counts as reached without any answer, in seconds; nil where only
    /// an answer says so.
    fileprivate var settling: Double? {
      switch self {
      case .noWay, .congested, .other: 2
      // A machine reports one in many, and one that is asked for needs three seconds to be missed.
      case .silent, .refused: 5
      case .unknownName, .closed, .unconfirmed: nil
      }
    }
  }

  enum Condition: Equatable, Sendable {
    case unknown, reached
    case away(Cause)
  }

  enum Change: Equatable, Sendable {
    case away(Cause)
    /// It is reached, so many seconds after the last contact; `isFirst`: after the first attempt, since there was none.
    case reached(after: Double, isFirst: Bool)
  }

  private(set) var condition = Condition.unknown
  /// Since when it is as it is; a target that is away, since the last contact.
  private(set) var since: HostTime
  /// The bad news that is not over.
  private(set) var trouble: (cause: Cause, first: HostTime, latest: HostTime)?
  /// Messages that the kernel took since the latest bad news, and when it took the first.
  private var taken = 0
  private var firstTaken: HostTime?
  private var answered: HostTime?
  /// When the last contact was before the bad news.
  private var lastContact = HostTime.distantPast
  private var wasReached = false

  /// How long bad news must last, and how long good news, in seconds.
  private static let (patience, calm) = (1.0, 2.0)
  /// Seconds after which a message that the kernel took, and that no news came of, counts as a contact.
  private static let asking = 5.0

  init(now: HostTime) { since = now }

  /// Whether an answer has come since the latest bad news.
  var isAnswering: Bool { answered != nil }

  var isAway: Bool { if case .away = condition { true } else { false } }

  /// Takes bad news.
  ///
  /// - Parameter contact: when the target last answered, if that is known; a timeout ends seconds later.
  mutating func fails(_ cause: Cause, now: HostTime, lastContact contact: HostTime? = nil) {
    if trouble == nil {
      lastContact = isAway ? now : condition == .unknown ? since : max(since, contact ?? now)
    }
    trouble = (cause, trouble?.first ?? now, now)
    (taken, firstTaken, answered) = (0, nil, nil)
  }

  /// Takes the news that the kernel took a message.
  mutating func took(now: HostTime) {
    taken += 1
    firstTaken = firstTaken ?? now
  }

  /// Takes the news that the target, or its machine, answered at a moment after the bad news.
  mutating func answers(at moment: HostTime) { answered = answered ?? moment }

  /// What has changed by now.
  mutating func decide(now: HostTime) -> Change? {
    guard let trouble else {
      // The kernel takes messages for three seconds before it misses a machine.
      let isTaken = firstTaken.map { now.seconds(since: $0) >= Self.asking } ?? false
      if condition == .unknown, isTaken || answered != nil {
        (condition, since, wasReached) = (.reached, now, true)
      }
      return nil
    }
    if let good = recovery(trouble.cause, trouble.latest, now) {
      let begun = since
      self.trouble = nil
      guard isAway else { return nil }
      let isFirst = !wasReached
      (condition, since, wasReached) = (.reached, good, true)
      return .reached(after: max(0, good.seconds(since: begun)), isFirst: isFirst)
    }
    if isAway {
      // What is known better by now is not said again.
      condition = .away(trouble.cause)
      return nil
    }
    let lasted = trouble.latest.seconds(since: trouble.first)
    guard lasted >= Self.patience || trouble.cause == .unknownName else { return nil }
    (condition, since) = (.away(trouble.cause), lastContact)
    return .away(trouble.cause)
  }

  /// Since when all is well; nil while it is not.
  private func recovery(_ cause: Cause, _ latest: HostTime, _ now: HostTime) -> HostTime? {
    let quiet = now.seconds(since: latest)
    if let answered, quiet >= Self.calm { return answered }
    guard let settling = cause.settling, taken >= 2, quiet >= settling else { return nil }
    return firstTaken
  }
}

extension Reachability.Cause: CustomStringConvertible {
  /// What is wrong, and what to look at.
  var description: String {
    switch self {
    case .unknownName:
      "no machine on the network has this name: check the spelling, and whether it is switched on"
    case .noWay:
      "there is no way to it from here: is this machine on that network? (ip address shows its own)"
    case .silent: "its machine does not answer: is it switched on, and on this network?"
    case .refused:
      "its machine answers, but no program listens on this port: is the program running, and is the port right?"
    case .congested:
      "the network takes less than is sent: set a lower rate, or move closer to the access point"
    case .closed(let reason):
      "there is no connection (\(reason)): is the program there running, and listening on TCP?"
    case .unconfirmed: "it confirms no more what is sent: is the program there still running?"
    case .other(let text): text
    }
  }
}
