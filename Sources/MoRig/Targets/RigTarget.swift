import MoCore
import MoNetwork
import MoOSC
import MoRuntime

/// A target of a rig's messages; the rig sends to the target all the time, whether or not the target is reached.
///
/// The journal has a line when the target is reached and when it is not reached any more, at most ten lines an hour.
///
/// While the target's machine does not answer, one message a second probes it. The other messages count as lost.
///
/// - Thread: any.
final class RigTarget: Sendable {
  let name: String
  /// Whether the target has a name that must be looked up; false for an IP address or a broadcast.
  let hasName: Bool
  private let network: any RigNetwork
  private let log: @Sendable (MoLog.Level, String) -> Void
  private let state: Locked<State>

  /// The counts of the messages for a target.
  struct Counts: Equatable, Sendable {
    /// The number of all messages for the target, sent or not.
    var messages = 0
    /// The number of messages that are certainly lost.
    var lost = 0
    /// The number of messages that may be lost, because they were sent when the target may already have been gone.
    var doubtful = 0
    /// The number of messages that arrived, as the receiver counted them; nil if the receiver confirms nothing.
    var arrived: Int?
  }

  private struct State {
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
    /// The number of messages that the kernel accepted; of these, `open` messages have neither arrived for sure nor
    /// been lost.
    var taken = 0
    var open = 0
    /// The number of messages that the TCP connection accepted and has not delivered yet.
    var pending = 0
    var lastTry = HostTime.distantPast
    var reach: Reachability
    var budget = LogLineLimit()
    /// The number of messages that the kernel had accepted at each poll of the last minutes.
    var past: [(time: HostTime, taken: Int)] = []
    var answered: HostTime?
    var connections = 0
    var wasOpen = false
    var confirmation: Confirmation?
    /// Whether to ask the receiver for its count of messages at the next poll, even directly after another request.
    var asksNow = false
    var absences = 0
    var absent = 0.0
  }

  /// Seconds between two lookups of the target's name, until it has an address (`search`) and afterwards (`renewal`).
  ///
  /// The lookups continue, since a machine may get another address.
  private static let (search, renewal) = (2.0, 60.0)
  /// Seconds between two messages to a machine that does not answer.
  private static let probing = 1.0
  /// The maximum number of polls in `past`.
  ///
  /// These polls cover two minutes, which is longer than the kernel relies on a machine's last answer.
  private static let mostPast = 256
  /// The seconds since its last answer after which a receiver that confirmed messages counts as gone.
  private static let confirming = 5.0

  /// - Parameters:
  ///   - confirming: asks the receiver how many messages have arrived; nil if the receiver is not asked.
  ///   - log: called when the target is not reached any more, and when it is reached again.
  init(
    _ name: String, on network: any RigNetwork, confirming confirmation: Confirmation? = nil, now: HostTime,
    log: @escaping @Sendable (MoLog.Level, String) -> Void = { MoLog.log($0, $1) }
  ) {
    self.name = name
    hasName = RigValue.needsLookup(name)
    self.network = network
    self.log = log
    state = Locked(State(reach: Reachability(now: now), confirmation: confirmation))
  }

  /// The counts of the target's messages.
  var counts: Counts {
    state.withLock { state in
      var counts = Counts(
        messages: state.messages, lost: state.lost, doubtful: state.doubtful,
        arrived: state.confirmation?.arrived)
      guard let settled = state.confirmation?.settled else { return counts }
      // The receiver's count has priority over all estimates here.
      let missing = max(0, settled.messages - settled.arrived)
      counts.lost = missing + (state.reach.isAway ? state.messages - settled.messages : 0)
      counts.doubtful = 0
      return counts
    }
  }

  /// Whether the target is reached, the time since which this holds, how often the target was reached again after an
  /// absence, and the total length of these absences in seconds.
  var condition: (condition: Reachability.Condition, since: HostTime, absences: Int, absent: Double) {
    state.withLock { ($0.reach.condition, $0.reach.since, $0.absences, $0.absent) }
  }

  /// Sends a packet without blocking.
  func send(_ packet: UnsafeRawBufferPointer, now: HostTime) {
    let link = state.withLock { state -> (any RigLink)? in
      state.messages += 1
      guard state.isFound, let link = state.link, !Self.isHeldBack(&state, now) else {
        state.lost += 1
        return nil
      }
      return link
    }
    guard let link else { return }
    do throws(NetError) {
      try link.send(packet)
      state.withLock { state in
        state.taken += 1
        state.open += 1
        state.reach.took(now: now)
      }
    } catch {
      let cause = Self.cause(error)
      state.withLock { state in
        state.lost += 1
        // A connection that is being opened for the first time is not bad news yet.
        if case .closed = cause { return }
        state.reach.fails(cause, now: now)
      }
    }
  }

  /// Adds a message that cannot be encoded as OSC to the lost messages.
  func refuse(_ error: OSCError, now: HostTime) {
    state.withLock { state in
      state.messages += 1
      state.lost += 1
    }
  }

  private static func isHeldBack(_ state: inout State, _ now: HostTime) -> Bool {
    guard state.reach.condition == .away(.silent), !state.reach.isAnswering else { return false }
    if now.seconds(since: state.lastTry) < probing { return true }
    state.lastTry = now
    return false
  }

  private static func cause(_ error: NetError) -> Reachability.Cause {
    switch error {
    case .unknownHost: .unknownName
    case .noRoute, .noNetwork, .noInterface: .noWay
    case .congested: .congested
    case .disconnected(_, let reason): .closed(reason)
    default: .other(error.description)
    }
  }

  // MARK: maintenance

  /// Looks up the target's name if that is due, then does the work of `attend`; the lookup may block for long.
  func tend(now: HostTime) {
    if beginsLookup(now: now) { lookUp { now } }
    attend(now: now)
  }

  /// Polls the link, decides whether the target is reached, and asks the receiver for its count of messages if that is
  /// due; does not block.
  func attend(now: HostTime) {
    hear(now: now)
    askForConfirmation(now)
  }

  /// Changes the rig's name in the requests for the receiver's count of messages.
  func rename(rig: String) { state.withLock { $0.confirmation?.rig = rig } }

  /// Whether the target has been looked up once, found or not.
  var hasLooked: Bool { state.withLock { $0.hasLooked } }

  /// Reads the network's reports about the target, and decides whether the target is reached.
  func hear(now: HostTime) {
    if let link = state.withLock({ $0.link }) {
      let news = link.look(now: now)
      state.withLock { Self.take(news, &$0, now) }
    }
    decide(now)
  }

  /// Returns true if a lookup of the target's name is due; the caller must then call `lookUp`.
  func beginsLookup(now: HostTime) -> Bool {
    state.withLock { state in
      let pause = state.isFound ? Self.renewal : Self.search
      guard !state.isLookingUp,
        state.lookedUp == .distantPast || now.seconds(since: state.lookedUp) >= pause
      else { return false }
      (state.lookedUp, state.isLookingUp) = (now, true)
      return true
    }
  }

  /// Looks up the target's name, which may block for long.
  ///
  /// - Parameter clock: returns the present time; called after the lookup.
  func lookUp(_ clock: () -> HostTime) {
    defer { state.withLock { ($0.isLookingUp, $0.hasLooked) = (false, true) } }
    do throws(NetError) {
      let known = state.withLock { $0.link }
      let link = if let known { known } else { try network.link(to: name) }
      try link.find()
      let now = clock()
      state.withLock { state in
        (state.link, state.isFound) = (link, true)
        if state.reach.trouble?.cause == .unknownName { state.reach.answers(at: now) }
      }
    } catch {
      let (cause, now) = (Self.cause(error), clock())
      state.withLock { state in
        // A target that was found once is still tried at its last address.
        if !state.isFound { state.reach.fails(cause, now: now) }
      }
    }
  }

  private static func take(_ news: NetLinkEvent, _ state: inout State, _ now: HostTime) {
    for packet in news.packets {
      _ = state.confirmation?.take(packet, now: now)
      state.reach.answers(at: now)
      state.open = 0
    }
    state.lost += news.lost
    state.doubtful += news.doubtful
    state.pending = news.pending
    if let connection = news.connection {
      // Messages that a connection does not deliver are counted when it ends. Other evidence would count them twice.
      take(connection, news, &state, now)
    } else {
      if news.refused > 0 { takeRefusals(news.refused, &state, now) }
      takeNeighbour(news, &state, now)
    }
    if let confirmation = state.confirmation, let last = confirmation.lastAnswer,
      let asked = confirmation.lastAsked, asked > last, now.seconds(since: last) >= confirming,
      state.reach.trouble == nil
    {
      state.reach.fails(.unconfirmed, now: now, lastContact: last)
    }
    if case .unconfirmed? = state.reach.trouble?.cause, !state.reach.isAway, news.packets.isEmpty {
      state.reach.fails(.unconfirmed, now: now)
    }
    state.past.append((now, state.taken))
    if state.past.count > mostPast { state.past.removeFirst() }
  }

  private static func take(
    _ connection: NetLinkEvent.Connection, _ news: NetLinkEvent, _ state: inout State, _ now: HostTime
  ) {
    switch connection {
    case .open:
      // If there is a new connection since the last poll, the previous one was closed meanwhile.
      if news.connections > state.connections + 1 || (state.wasOpen && news.connections > state.connections) {
        state.reach.fails(.closed("it was lost and made again"), now: now)
      }
      // Until the kernel gives up, a connection to a machine that is off is also open.
      if state.reach.trouble?.cause != .unconfirmed { state.reach.answers(at: now) }
    case .closed(let reason):
      state.reach.fails(.closed(reason), now: now, lastContact: news.acknowledged)
    }
    // The receiver counts the messages of a new connection only after it knows which rig they come from.
    if news.connections > state.connections { state.asksNow = true }
    state.connections = news.connections
    state.wasOpen = connection == .open
  }

  /// Adds refused messages to the lost messages.
  ///
  /// If refusals go on, more messages are lost than refusals arrive: a machine reports only one refusal a second.
  private static func takeRefusals(_ count: Int, _ state: inout State, _ now: HostTime) {
    let goesOn = state.reach.trouble?.cause == .refused
    state.lost += goesOn && 2 * count < state.open ? state.open : min(count, state.open)
    state.open = 0
    state.reach.fails(.refused, now: now)
  }

  private static func takeNeighbour(_ news: NetLinkEvent, _ state: inout State, _ now: HostTime) {
    let isMissed = state.reach.trouble?.cause == .silent
    var fails = news.unreachable > 0
    switch news.neighbour {
    case .answers(let secondsAgo):
      let moment = now.advanced(bySeconds: -secondsAgo)
      state.answered = max(state.answered ?? moment, moment)
      if isMissed, let trouble = state.reach.trouble, moment > trouble.latest {
        state.reach.answers(at: moment)
        state.open = 0
      }
    case .asked: if isMissed, !fails { return state.reach.fails(.silent, now: now) }
    case .silent: fails = true
    case .unknown: break
    }
    guard fails else { return }
    if isMissed || state.reach.isAway {
      state.lost += state.open
    } else {
      doubt(&state, now)
    }
    state.open = 0
    let answers = [state.answered, state.confirmation?.lastAnswer].compactMap { $0 }
    state.reach.fails(.silent, now: now, lastContact: answers.max())
  }

  /// Adds the messages since the machine's last answer to the lost or the doubtful messages.
  ///
  /// Messages of the last three seconds are lost, since the kernel probed the machine in vain during this time. Earlier
  /// messages are doubtful; if the machine has never answered, they are lost, too.
  private static func doubt(_ state: inout State, _ now: HostTime) {
    let answered = state.answered ?? .distantPast
    let asking = max(answered, now.advanced(bySeconds: -3))
    // The order of messages and polls is known only to the length of a poll.
    let sentBefore = state.past.first { $0.time >= asking }?.taken ?? state.taken
    let lost = min(state.open, state.taken - sentBefore)
    state.lost += lost
    guard state.answered != nil else {
      state.lost += state.open - lost
      return
    }
    let sentBeforeAnswer = state.past.last { $0.time <= answered }?.taken ?? 0
    state.doubtful += max(0, state.taken - lost - sentBeforeAnswer)
  }

  private func decide(_ now: HostTime) {
    let line = state.withLock { state -> (MoLog.Level, String)? in
      let change = state.reach.decide(now: now)
      if case .reached(let seconds, _) = change {
        state.absences += 1
        state.absent += seconds
        // The kernel may still hold messages while it probes the machine; these arrive now.
        state.open = 0
      }
      if let kept = state.budget.release(now: now) {
        guard kept > 0 || change != nil else { return nil }
        return (
          .notice,
          "\(name) changed \(kept) more times in the last hour; now it \(Self.text(state.reach.condition))."
        )
      }
      guard let change else { return nil }
      let verdict = state.budget.take(now: now)
      guard verdict != .kept else { return nil }
      let rest = verdict == .last ? " It changes often: for an hour the rig only counts its changes." : ""
      switch change {
      case .away(let cause): return (.warning, "\(name) is not reached: \(cause)\(rest)")
      case .reached(let seconds, let isFirst):
        let text =
          isFirst
          ? "now, \(Int(seconds)) s after the first attempt"
          : "again, \(Int(seconds)) s after the last contact"
        return (.notice, "\(name) is reached \(text).\(rest)")
      }
    }
    if let line { log(line.0, line.1) }
  }

  private static func text(_ condition: Reachability.Condition) -> String {
    switch condition {
    case .unknown, .reached: "is reached"
    case .away(let cause): "is not reached: \(cause)"
    }
  }

  // MARK: confirmation

  /// Asks the receiver how many messages have arrived, if a request is due.
  ///
  /// - Parameter isLast: true for the last request before the rig ends, which is due even directly after another
  ///   request.
  func askForConfirmation(_ now: HostTime, isLast: Bool = false) {
    let request = state.withLock { state -> OSCMessage? in
      let messages = state.messages + 1
      guard state.isFound, let last = state.confirmation.map({ $0.lastAsked ?? .distantPast }),
        isLast || state.asksNow || last == .distantPast || now.seconds(since: last) >= Confirmation.pause
      else { return nil }
      state.asksNow = false
      return state.confirmation?.request(messages: messages, now: now)
    }
    guard let bytes = try? request?.encoded() else { return }
    bytes.withUnsafeBytes { send($0, now: now) }
  }

  /// Whether the latest request for a count was answered; true also if there was no request.
  var isConfirmed: Bool {
    state.withLock { state in
      guard let confirmation = state.confirmation, let asked = confirmation.lastAsked else { return true }
      return confirmation.lastAnswer.map { $0 >= asked } ?? false
    }
  }

  /// Whether the TCP connection still has messages of the target to deliver.
  var isDelivering: Bool { state.withLock { $0.pending > 0 } }

  /// Closes the link; messages that a TCP connection has not delivered are counted as lost or doubtful.
  func close() {
    guard let news = state.withLock({ $0.link })?.close() else { return }
    state.withLock { state in
      state.lost += news.lost
      state.doubtful += news.doubtful
      state.pending = 0
    }
  }
}
