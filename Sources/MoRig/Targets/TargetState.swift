import MoCore
import MoNetwork
import MoRuntime

/// The state of a target: its link, the counts of its messages, and whether it is reached.
///
/// This type uses no clock and sends nothing: the caller passes the time and the network's reports.
struct TargetState: Sendable {
  var link: (any RigLink)?
  var isFound = false
  /// The time at which the latest lookup began.
  var lookedUp = HostTime.distantPast
  var isLookingUp = false
  /// Whether a lookup has ended, with or without an address.
  var hasLooked = false
  var messages = 0
  var lost = 0
  var doubtful = 0
  /// The number of messages that the kernel accepted; of these, `unsettled` messages have neither arrived for sure nor
  /// been lost.
  var taken = 0
  var unsettled = 0
  /// The number of messages that the TCP connection accepted and has not delivered yet.
  var pending = 0
  private var lastTry = HostTime.distantPast
  var reach: Reachability
  private var limit = LogLineLimit()
  /// The number of messages that the kernel had accepted at each poll of the last minutes.
  private var past: [(time: HostTime, taken: Int)] = []
  /// The time of the latest answer of the target's machine to ARP; nil before the first answer.
  private var answered: HostTime?
  private var connections = 0
  private var wasOpen = false
  var confirmation: Confirmation?
  /// Whether to ask the receiver for its count of messages at the next poll, even directly after another request.
  var asksNow = false
  private(set) var absences = 0
  private(set) var absent = 0.0

  /// Seconds between two messages to a machine that does not answer.
  private static let probing = 1.0
  /// The maximum number of polls in `past`.
  ///
  /// These polls cover two minutes, which is longer than the kernel relies on a machine's last answer.
  private static let mostPast = 256
  /// The seconds since its last answer after which a receiver that confirmed messages counts as gone.
  private static let confirming = 5.0

  init(now: HostTime, confirmation: Confirmation?) {
    reach = Reachability(now: now)
    self.confirmation = confirmation
  }

  /// The counts of the target's messages.
  var counts: RigTarget.Counts {
    var counts = RigTarget.Counts(
      messages: messages, lost: lost, doubtful: doubtful, arrived: confirmation?.arrived)
    guard let settled = confirmation?.settled else { return counts }
    // The receiver's count has priority over all estimates here.
    let missing = max(0, settled.messages - settled.arrived)
    counts.lost = missing + (reach.isAway ? messages - settled.messages : 0)
    counts.doubtful = 0
    return counts
  }

  /// Returns whether a message must not be sent now, since the target's machine does not answer.
  ///
  /// Once a second, a message may be sent to probe the machine.
  mutating func isHeldBack(now: HostTime) -> Bool {
    guard reach.condition == .away(.silent), !reach.isAnswering else { return false }
    if now.seconds(since: lastTry) < Self.probing { return true }
    lastTry = now
    return false
  }

  /// Takes note of the network's reports about the target.
  mutating func update(with event: NetLinkEvent, now: HostTime) {
    for packet in event.packets {
      _ = confirmation?.receive(packet, now: now)
      reach.answers(at: now)
      unsettled = 0
    }
    lost += event.lost
    doubtful += event.doubtful
    pending = event.pending
    if let connection = event.connection {
      // Messages that a connection does not deliver are counted when it ends. Other evidence would count them twice.
      update(connection, event, now: now)
    } else {
      if event.refused > 0 { addRefusals(event.refused, now: now) }
      updateNeighbour(event, now: now)
    }
    if let confirmation, let last = confirmation.lastAnswer, let asked = confirmation.lastAsked, asked > last,
      now.seconds(since: last) >= Self.confirming, reach.failure == nil
    {
      reach.fails(.unconfirmed, now: now, lastContact: last)
    }
    if case .unconfirmed? = reach.failure?.cause, !reach.isAway, event.packets.isEmpty {
      reach.fails(.unconfirmed, now: now)
    }
    past.append((now, taken))
    if past.count > Self.mostPast { past.removeFirst() }
  }

  private mutating func update(_ connection: NetLinkEvent.Connection, _ event: NetLinkEvent, now: HostTime) {
    switch connection {
    case .open:
      // If there is a new connection since the last poll, the previous one was closed meanwhile.
      if event.connections > connections + 1 || (wasOpen && event.connections > connections) {
        reach.fails(.closed("it was lost and made again"), now: now)
      }
      // Until the kernel gives up, a connection to a machine that is off is also open.
      if reach.failure?.cause != .unconfirmed { reach.answers(at: now) }
    case .closed(let reason):
      reach.fails(.closed(reason), now: now, lastContact: event.acknowledged)
    }
    // The receiver counts the messages of a new connection only after it knows which rig they come from.
    if event.connections > connections { asksNow = true }
    connections = event.connections
    wasOpen = connection == .open
  }

  /// Adds refused messages to the lost messages.
  ///
  /// If refusals go on, more messages are lost than refusals arrive: a machine reports only one refusal a second.
  private mutating func addRefusals(_ count: Int, now: HostTime) {
    let goesOn = reach.failure?.cause == .refused
    lost += goesOn && 2 * count < unsettled ? unsettled : min(count, unsettled)
    unsettled = 0
    reach.fails(.refused, now: now)
  }

  private mutating func updateNeighbour(_ event: NetLinkEvent, now: HostTime) {
    let isMissed = reach.failure?.cause == .silent
    var fails = event.unreachable > 0
    switch event.neighbour {
    case .answers(let secondsAgo):
      let moment = now.advanced(bySeconds: -secondsAgo)
      answered = max(answered ?? moment, moment)
      if isMissed, let failure = reach.failure, moment > failure.latest {
        reach.answers(at: moment)
        unsettled = 0
      }
    case .asked: if isMissed, !fails { return reach.fails(.silent, now: now) }
    case .silent: fails = true
    case .unknown: break
    }
    guard fails else { return }
    if isMissed || reach.isAway {
      lost += unsettled
    } else {
      doubt(now: now)
    }
    unsettled = 0
    let answers = [answered, confirmation?.lastAnswer].compactMap { $0 }
    reach.fails(.silent, now: now, lastContact: answers.max())
  }

  /// Adds the messages since the machine's last answer to the lost or the doubtful messages.
  ///
  /// Messages of the last three seconds are lost, since the kernel probed the machine in vain during this time. Earlier
  /// messages are doubtful; if the machine has never answered, they are lost, too.
  private mutating func doubt(now: HostTime) {
    let latest = answered ?? .distantPast
    let asking = max(latest, now.advanced(bySeconds: -3))
    // The order of messages and polls is known only to the length of a poll.
    let sentBefore = past.first { $0.time >= asking }?.taken ?? taken
    let missed = min(unsettled, taken - sentBefore)
    lost += missed
    guard answered != nil else {
      lost += unsettled - missed
      return
    }
    let sentBeforeAnswer = past.last { $0.time <= latest }?.taken ?? 0
    doubtful += max(0, taken - missed - sentBeforeAnswer)
  }

  /// Decides whether the target is reached; returns the line for the journal, nil for none.
  ///
  /// - Parameter name: the target's name in the line.
  mutating func decide(name: String, now: HostTime) -> (MoLog.Level, String)? {
    let change = reach.decide(now: now)
    if case .reached(let seconds, _) = change {
      absences += 1
      absent += seconds
      // The kernel may still hold messages while it probes the machine; these arrive now.
      unsettled = 0
    }
    guard let change else { return limit.summary(now: now) }
    switch change {
    case .away(let cause):
      return limit.line(.warning, "\(name) is not reached: \(cause)", about: name, now: now)
    case .reached(let seconds, let isFirst):
      let text =
        isFirst
        ? "now, \(Int(seconds)) s after the first attempt"
        : "again, \(Int(seconds)) s after the last contact"
      return limit.line(.notice, "\(name) is reached \(text).", about: name, now: now)
    }
  }
}
