import MoCore

/// The state of a target (reached or not), with hysteresis: a failure or a recovery must last for some seconds.
///
/// This type uses no clock and no network: the caller passes the time and the network's reports.
package struct Reachability: Sendable {
  /// The reason why a target is not reached.
  package enum Cause: Equatable, Sendable {
    case unknownName
    /// This machine has no route to the target.
    case noWay
    /// The target's machine does not answer.
    case silent
    /// The machine answers, but no program listens on the port.
    case refused
    /// The network cannot carry all messages: a queue of messages to send is full.
    case congested
    /// There is no TCP connection to the target; the value is the reason.
    case closed(String)
    /// The receiver confirmed messages before, but does not confirm them any more.
    case unconfirmed
    case other(String)

    /// Seconds without a failure after which a target counts as reached, although it has not answered.
    ///
    /// The value is nil if only an answer counts.
    fileprivate var settling: Double? {
      switch self {
      case .noWay, .congested, .other: 2
      // A machine reports only some of many refused messages. The kernel needs three seconds to miss a machine.
      case .silent, .refused: 5
      case .unknownName, .closed, .unconfirmed: nil
      }
    }
  }

  package enum Condition: Equatable, Sendable {
    case unknown, reached
    case away(Cause)
  }

  enum Change: Equatable, Sendable {
    case away(Cause)
    /// The target is reached, the given number of seconds after the last contact.
    ///
    /// If `isFirst`, the seconds count from the first attempt, since there was no contact before.
    case reached(after: Double, isFirst: Bool)
  }

  private(set) var condition = Condition.unknown
  /// The time from which the present condition is counted: its beginning, or the last contact if the target is not
  /// reached.
  private(set) var since: HostTime
  /// The failure that still lasts, with the times of its first and latest report; nil for none.
  private(set) var failure: (cause: Cause, first: HostTime, latest: HostTime)?
  /// The number of messages that the kernel accepted since the latest failure; `firstTaken` is the time of the first of
  /// them.
  private var taken = 0
  private var firstTaken: HostTime?
  private var answered: HostTime?
  /// The time of the last contact before `failure`.
  private var lastContact = HostTime.distantPast
  private var wasReached = false

  /// The seconds for which a failure must last before it counts (`failureDelay`), and the seconds without a failure
  /// after which an answer counts (`calm`).
  private static let (failureDelay, calm) = (1.0, 2.0)
  /// Seconds after which a message that the kernel accepted counts as arrived, if no error came back.
  private static let asking = 5.0

  init(now: HostTime) { since = now }

  /// Whether an answer has arrived since the latest failure.
  var isAnswering: Bool { answered != nil }

  var isAway: Bool { if case .away = condition { true } else { false } }

  /// Takes note of a failure, such as a message that the target's machine refused.
  ///
  /// - Parameter contact: the time of the target's last answer, if known; it may be seconds before `now`, since the
  ///   network reports a timeout late.
  mutating func fails(_ cause: Cause, now: HostTime, lastContact contact: HostTime? = nil) {
    if failure == nil {
      lastContact = isAway ? now : condition == .unknown ? since : max(since, contact ?? now)
    }
    failure = (cause, failure?.first ?? now, now)
    (taken, firstTaken, answered) = (0, nil, nil)
  }

  /// Takes note of a message that the kernel accepted.
  mutating func took(now: HostTime) {
    taken += 1
    firstTaken = firstTaken ?? now
  }

  /// Takes note of an answer of the target or its machine, at a time after the latest failure.
  mutating func answers(at moment: HostTime) { answered = answered ?? moment }

  /// Decides whether the target is reached, and returns the change; nil if nothing has changed that must be reported.
  mutating func decide(now: HostTime) -> Change? {
    guard let failure else {
      // The kernel accepts messages for three seconds before it misses a machine.
      let isTaken = firstTaken.map { now.seconds(since: $0) >= Self.asking } ?? false
      if condition == .unknown, isTaken || answered != nil {
        (condition, since, wasReached) = (.reached, now, true)
      }
      return nil
    }
    if let good = recovery(failure.cause, failure.latest, now) {
      let begun = since
      self.failure = nil
      guard isAway else { return nil }
      let isFirst = !wasReached
      (condition, since, wasReached) = (.reached, good, true)
      return .reached(after: max(0, good.seconds(since: begun)), isFirst: isFirst)
    }
    if isAway {
      // A better known cause is not reported as a new change.
      condition = .away(failure.cause)
      return nil
    }
    let lasted = failure.latest.seconds(since: failure.first)
    guard lasted >= Self.failureDelay || failure.cause == .unknownName else { return nil }
    (condition, since) = (.away(failure.cause), lastContact)
    return .away(failure.cause)
  }

  /// Returns the time at which the target was reached again; nil if the failure still lasts.
  private func recovery(_ cause: Cause, _ latest: HostTime, _ now: HostTime) -> HostTime? {
    let quiet = now.seconds(since: latest)
    if let answered, quiet >= Self.calm { return answered }
    guard let settling = cause.settling, taken >= 2, quiet >= settling else { return nil }
    return firstTaken
  }
}

extension Reachability.Cause: CustomStringConvertible {
  /// The cause, with the things to check.
  package var description: String {
    switch self {
    case .unknownName:
      "its name is unknown: check the spelling, and whether the machine is on"
    case .noWay:
      "this machine has no route to it: check the cable or Wi-Fi (ip address shows its networks)"
    case .silent: "its machine does not answer: is it switched on, and on this network?"
    case .refused:
      "its machine answers, but no program listens on this port: is the program running, and is the port right?"
    case .congested:
      "the network is congested: set a lower rate, or move closer to the access point"
    case .closed(let reason):
      "there is no connection (\(reason)): is a program there listening on TCP?"
    case .unconfirmed:
      "it does not confirm messages any more: is the machine on, and the program there running?"
    case .other(let text): text
    }
  }
}
