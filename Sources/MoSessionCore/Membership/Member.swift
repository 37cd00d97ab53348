import MoCore

/// The data that this program stores about another member.
package struct Member: Sendable {
  var identity: SessionIdentity
  package private(set) var addresses: MemberAddresses
  /// The address for datagrams to the member.
  package var endpoint: SessionEndpoint { addresses.used }
  var method: DiscoveryMethod
  var isHidden: Bool
  /// Whether the member records a tape.
  var isRecording: Bool
  package var isIgnored = false
  var lastHeard: HostTime {
    didSet { if lastHeard.seconds(since: oldValue) > Roster.absence { hereSince = lastHeard } }
  }
  /// The time since which the member has been here without a gap.
  private(set) var hereSince: HostTime
  /// The time of the member's last hello to all members that was received here; nil before the first.
  var lastMulticast: HostTime?
  /// The last received summary of the state and the clock that the member knows.
  var summary: StateSummary
  /// The time at which the member sent `summary`, by the member's own clock.
  var summarySent: HostTime
  var report: Report
  var activity: Float
  var plays: String
  /// The limit of answers per second to the member's hellos: any program can send hellos in the member's name.
  var answers = RateLimit()
  /// The limit of answers per second to the member's questions for this machine's health.
  var checks = RateLimit()

  init(_ hello: SessionMessage.Hello, at endpoint: SessionEndpoint, now: HostTime) {
    identity = hello.identity
    addresses = MemberAddresses(endpoint, now: now)
    method = hello.method
    (isHidden, isRecording) = (hello.isHidden, hello.isRecording)
    (lastHeard, hereSince) = (now, now)
    summary = hello.summary
    summarySent = hello.sent
    report = hello.report
    (activity, plays) = (hello.activity, hello.plays)
    recordMulticast(hello, now: now)
  }

  /// Shifts all times by a step of this machine's clock.
  mutating func shift(by nanoseconds: Int64) {
    let since = hereSince.shifted(by: nanoseconds)
    lastHeard.shift(by: nanoseconds)
    // A clock step is not a gap.
    hereSince = since
    lastMulticast?.shift(by: nanoseconds)
    addresses.shift(by: nanoseconds)
  }

  /// Updates the member after a message from an address that the member has proved to be its own.
  ///
  /// - Parameter interval: seconds between two of the member's hellos to all.
  mutating func receive(from endpoint: SessionEndpoint, interval: Double, now: HostTime) {
    lastHeard = now
    // Two hellos may be lost; the member counts as gone after four.
    addresses.receive(endpoint, timeout: 2.2 * interval, now: now)
  }

  /// Processes a hello from an address that has been proved.
  mutating func receive(
    _ hello: SessionMessage.Hello, from endpoint: SessionEndpoint, interval: Double, now: HostTime
  ) {
    // Two programs that claim the same member ID never share its addresses: the one heard last counts.
    if hello.identity.installation != identity.installation {
      addresses = MemberAddresses(endpoint, now: now)
    }
    receive(from: endpoint, interval: interval, now: now)
    update(hello, now: now)
  }

  /// Stores the member's data from a hello.
  private mutating func update(_ hello: SessionMessage.Hello, now: HostTime) {
    recordMulticast(hello, now: now)
    guard !isStale(hello.sent) else { return }
    identity = hello.identity
    (isHidden, isRecording) = (hello.isHidden, hello.isRecording)
    report = hello.report
    (activity, plays) = (hello.activity, hello.plays)
  }

  private mutating func recordMulticast(_ hello: SessionMessage.Hello, now: HostTime) {
    if hello.isMulticast { lastMulticast = now }
  }

  /// Returns whether a message is older than the member's `summary`, because a later message has overtaken it.
  ///
  /// No datagram is a second late. If the message seems to be older by a second or more, the member's clock was set
  /// back, and the message is new.
  ///
  /// - Parameter sent: the time at which the message was sent, by the member's own clock.
  func isStale(_ sent: HostTime) -> Bool {
    let age = summarySent.seconds(since: sent)
    return age > 0 && age < 1
  }
}

/// The times at which a silent member is asked for an answer, and counts as gone.
///
/// If an access point drops multicast, a member's hellos to all members do not get through although the member is here.
/// In a large room, such a member has more time to answer.
struct SilenceLimits {
  /// The time at which the member is asked for an answer.
  let question: HostTime
  /// The time at which the member counts as gone.
  let end: HostTime

  /// The time without a multicast hello after which multicasts count as blocked, in units of `Roster.helloInterval`.
  static let blockedAfter = 3.5

  /// Computes the times for a member.
  ///
  /// - Parameters:
  ///   - lastHeard: the time of the member's last message of any kind.
  ///   - lastMulticast: the time of the member's last multicast hello; nil before the first.
  ///   - others: the number of members besides this program's member.
  init(with lastHeard: HostTime, lastMulticast: HostTime?, among others: Int) {
    let interval = Roster.helloInterval(among: others)
    // Longer if members are many, so that a network without multicast still has at most some ten packets a second of
    // each.
    let pause = max(Roster.questionDelay, Double(others) / 10)
    let isMulticastBlocked =
      lastMulticast.map { lastHeard.seconds(since: $0) > Self.blockedAfter * interval } ?? true
    let blockedSince = lastMulticast?.advanced(bySeconds: Self.blockedAfter * interval) ?? .distantPast
    question = max(lastHeard.advanced(bySeconds: pause), blockedSince)
    // A member whose multicasts got through until it fell silent owed no other message.
    end = lastHeard.advanced(bySeconds: isMulticastBlocked ? max(4 * interval, 2.5 * pause) : 4 * interval)
  }
}
