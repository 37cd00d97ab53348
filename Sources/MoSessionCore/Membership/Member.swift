import MoCore

/// Another member, as far as is known.
struct Member: Sendable {
  var identity: SessionIdentity
  private(set) var ways: MemberWays
  /// The address that datagrams for it go to.
  var endpoint: SessionEndpoint { ways.used }
  var method: DiscoveryMethod
  var isHidden: Bool
  /// Whether it keeps a tape.
  var isRecording: Bool
  var isIgnored = false
  var lastHeard: HostTime {
    didSet { if lastHeard.seconds(since: oldValue) > Roster.absence { hereSince = lastHeard } }
  }
  /// Since when it has been here without a gap.
  private(set) var hereSince: HostTime
  /// When a call of its to all was heard; nil before one was.
  var lastCalled: HostTime?
  /// What it knows, and when it said so by its own clock.
  var brief: Brief
  var briefed: HostTime
  var report: Report
  var activity: Float
  var plays: String
  /// Keeps what is answered to its hellos within bounds: anybody can say them in its name.
  var answers = RateLimit()
  /// Limits how often it is told how this machine is.
  var checks = RateLimit()

  init(_ hello: SessionMessage.Hello, at endpoint: SessionEndpoint, now: HostTime) {
    identity = hello.identity
    ways = MemberWays(endpoint, now: now)
    method = hello.method
    (isHidden, isRecording) = (hello.isHidden, hello.isRecording)
    (lastHeard, hereSince) = (now, now)
    brief = hello.brief
    briefed = hello.said
    report = hello.report
    (activity, plays) = (hello.activity, hello.plays)
    noteCall(hello, now: now)
  }

  /// Moves all that is noted by the own clock.
  mutating func shift(by nanoseconds: Int64) {
    let since = hereSince.shifted(by: nanoseconds)
    lastHeard.shift(by: nanoseconds)
    // A clock that has stepped is no gap.
    hereSince = since
    lastCalled?.shift(by: nanoseconds)
    ways.shift(by: nanoseconds)
  }

  /// Notes that it was heard from an address that it has proven.
  ///
  /// - Parameter interval: seconds from one of its calls to all to the next.
  mutating func receive(from endpoint: SessionEndpoint, interval: Double, now: HostTime) {
    lastHeard = now
    // Two calls may be lost; it is held to be gone after four.
    ways.receive(endpoint, timeout: 2.2 * interval, now: now)
  }

  /// Takes in a hello from an address that has been proven.
  mutating func receive(
    _ hello: SessionMessage.Hello, from endpoint: SessionEndpoint, interval: Double, now: HostTime
  ) {
    // Two that claim to be one member never share its addresses: the one that was heard last counts.
    if hello.identity.installation != identity.installation { ways = MemberWays(endpoint, now: now) }
    receive(from: endpoint, interval: interval, now: now)
    update(hello, now: now)
  }

  /// Takes in what it says of itself.
  private mutating func update(_ hello: SessionMessage.Hello, now: HostTime) {
    noteCall(hello, now: now)
    guard !isStale(hello.said) else { return }
    identity = hello.identity
    (isHidden, isRecording) = (hello.isHidden, hello.isRecording)
    report = hello.report
    (activity, plays) = (hello.activity, hello.plays)
  }

  private mutating func noteCall(_ hello: SessionMessage.Hello, now: HostTime) {
    if hello.isCall { lastCalled = now }
  }

  /// Whether something it said was overtaken by what it said later.
  ///
  /// No datagram is a second late; if its clock has stepped back by more, its word is new.
  func isStale(_ said: HostTime) -> Bool {
    let age = briefed.seconds(since: said)
    return age > 0 && age < 1
  }
}

/// For how long a member may be silent.
///
/// If an access point drops multicast, its calls to all do not come through, and it may be there all the same.
struct SilenceLimits {
  /// When it is asked for a sign of life.
  let question: HostTime
  /// When it is held to be gone.
  let end: HostTime

  /// Seconds without a call to all after which those of a member are held not to come through.
  static let calls = 3.5

  /// - Parameters:
  ///   - lastHeard: when anything of it was heard.
  ///   - lastCalled: when a call of its to all was heard; nil before one was.
  ///   - others: how many members there are beside this one.
  init(with lastHeard: HostTime, lastCalled: HostTime?, among others: Int) {
    let interval = Roster.callInterval(among: others)
    // More if members are many, so that a network that carries no multicast still has no more than some ten
    // packets a second of each.
    let pause = max(Roster.doubt, Double(others) / 10)
    let isOutOfCall = lastCalled.map { lastHeard.seconds(since: $0) > Self.calls * interval } ?? true
    let outOfCall = lastCalled?.advanced(bySeconds: Self.calls * interval) ?? .distantPast
    question = max(lastHeard.advanced(bySeconds: pause), outOfCall)
    // Of one that was heard by its calls until it fell silent no other sign of life was due.
    end = lastHeard.advanced(bySeconds: isOutOfCall ? max(4 * interval, 2.5 * pause) : 4 * interval)
  }
}
