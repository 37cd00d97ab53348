import MoTime

/// Another member, as far as is known.
struct Member: Sendable {
  var identity: SessionIdentity
  var endpoint: SessionEndpoint
  var rung: Rung
  var isHidden: Bool
  var isIgnored = false
  var lastHeard: HostTime
  var brief: Brief
  var report: Report
  var map: ClockMap?
  var push = StatePush()

  init(_ hello: SessionMessage.Hello, at endpoint: SessionEndpoint, now: HostTime) {
    identity = hello.identity
    self.endpoint = endpoint
    rung = hello.rung
    isHidden = hello.isHidden
    lastHeard = now
    brief = hello.brief
    report = hello.report
  }

  /// Whether it keeps the shared clock, by its own word.
  var isKeeper: Bool { brief.base?.keeper == identity.member }
}

/// When a member that lacks the newest state is told it again.
struct StatePush: Hashable, Sendable {
  /// Since when it lacks it; nil while it does not.
  var since: HostTime?
  var next = HostTime.distantPast
  var pause = firstPause

  /// 60 ms is past most round trips on bad Wi-Fi; half a second is what a member that is gone may cost.
  static let firstPause = 0.06
  static let longestPause = 0.5

  /// Notes that it was sent.
  mutating func sent(at now: HostTime) {
    next = now.advanced(bySeconds: pause)
    pause = min(pause * 2, Self.longestPause)
  }
}
