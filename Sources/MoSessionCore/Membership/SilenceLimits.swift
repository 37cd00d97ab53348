import MoCore

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
    // More where members are many, so that a network that carries no multicast still has no more than some ten
    // packets a second of each.
    let pause = max(Roster.doubt, Double(others) / 10)
    let isOutOfCall = lastCalled.map { lastHeard.seconds(since: $0) > Self.calls * interval } ?? true
    let outOfCall = lastCalled?.advanced(bySeconds: Self.calls * interval) ?? .distantPast
    question = max(lastHeard.advanced(bySeconds: pause), outOfCall)
    // Of one that was heard by its calls until it fell silent no other sign of life was due.
    end = lastHeard.advanced(bySeconds: isOutOfCall ? max(4 * interval, 2.5 * pause) : 4 * interval)
  }
}
