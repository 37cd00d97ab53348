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
package final class RigTarget: Sendable {
  let name: String
  /// Whether the target has a name that must be looked up; false for an IP address or a broadcast.
  let hasName: Bool
  private let network: any RigNetwork
  private let log: @Sendable (MoLog.Level, String) -> Void
  private let state: Locked<TargetState>

  /// The counts of the messages for a target.
  package struct Counts: Equatable, Sendable {
    /// The number of all messages for the target, sent or not.
    package var messages = 0
    /// The number of messages that are certainly lost.
    package var lost = 0
    /// The number of messages that may be lost, because they were sent when the target may already have been gone.
    package var doubtful = 0
    /// The number of messages that arrived, as the receiver counted them; nil if the receiver confirms nothing.
    package var arrived: Int?
  }

  /// Seconds between two lookups of the target's name, until it has an address (`search`) and afterwards (`renewal`).
  ///
  /// The lookups continue, since a machine may get another address.
  private static let (search, renewal) = (2.0, 60.0)

  /// - Parameters:
  ///   - confirming: asks the receiver how many messages have arrived; nil if the receiver is not asked.
  ///   - log: called when the target is not reached any more, and when it is reached again.
  package init(
    _ name: String, on network: any RigNetwork, confirming confirmation: Confirmation? = nil, now: HostTime,
    log: @escaping @Sendable (MoLog.Level, String) -> Void = { MoLog.log($0, $1) }
  ) {
    self.name = name
    hasName = RigValue.needsLookup(name)
    self.network = network
    self.log = log
    state = Locked(TargetState(now: now, confirmation: confirmation))
  }

  /// The counts of the target's messages.
  package var counts: Counts { state.withLock { $0.counts } }

  /// Whether the target is reached, the time since which this holds, how often the target was reached again after an
  /// absence, and the total length of these absences in seconds.
  package var condition: (condition: Reachability.Condition, since: HostTime, absences: Int, absent: Double) {
    state.withLock { ($0.reach.condition, $0.reach.since, $0.absences, $0.absent) }
  }

  /// Sends a packet without blocking.
  package func send(_ packet: UnsafeRawBufferPointer, now: HostTime) {
    let link = state.withLock { state -> (any RigLink)? in
      state.messages += 1
      guard state.isFound, let link = state.link, !state.isHeldBack(now: now) else {
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
        state.unsettled += 1
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

  /// Looks up the target's name if that is due, then does the work of `updateLink`; the lookup may block for long.
  package func update(now: HostTime) {
    if beginsLookup(now: now) { lookUp { now } }
    updateLink(now: now)
  }

  /// Polls the link, decides whether the target is reached, and asks the receiver for its count of messages if that is
  /// due; does not block.
  func updateLink(now: HostTime) {
    readReports(now: now)
    askForConfirmation(now)
  }

  /// Changes the rig's name in the requests for the receiver's count of messages.
  func rename(rig: String) { state.withLock { $0.confirmation?.rig = rig } }

  /// Whether the target has been looked up once, found or not.
  package var hasLooked: Bool { state.withLock { $0.hasLooked } }

  /// Reads the network's reports about the target, and decides whether the target is reached.
  func readReports(now: HostTime) {
    if let link = state.withLock({ $0.link }) {
      let event = link.poll(now: now)
      state.withLock { $0.update(with: event, now: now) }
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
        if state.reach.failure?.cause == .unknownName { state.reach.answers(at: now) }
      }
    } catch {
      let (cause, now) = (Self.cause(error), clock())
      state.withLock { state in
        // A target that was found once is still tried at its last address.
        if !state.isFound { state.reach.fails(cause, now: now) }
      }
    }
  }

  private func decide(_ now: HostTime) {
    let line = state.withLock { $0.decide(name: name, now: now) }
    if let line { log(line.0, line.1) }
  }

  // MARK: confirmation

  /// Asks the receiver how many messages have arrived, if a request is due.
  ///
  /// - Parameter isLast: true for the last request before the rig ends, which is due even directly after another
  ///   request.
  package func askForConfirmation(_ now: HostTime, isLast: Bool = false) {
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
    guard let event = state.withLock({ $0.link })?.close() else { return }
    state.withLock { state in
      state.lost += event.lost
      state.doubtful += event.doubtful
      state.pending = 0
    }
  }
}
