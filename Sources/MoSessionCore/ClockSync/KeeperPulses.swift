import MoCore

/// The signs of life of keepers, which members pass on, so that a keeper is known to be there that is not heard itself.
///
/// A keeper counts its calls to all. A number that does not grow proves nothing: two members could tell it each other
/// for ever.
struct KeeperPulses: Sendable {
  private struct Pulse: Sendable {
    var number: Int32
    var at: HostTime
    var hasGrown = false
    var standing: PartStanding
  }

  private var known: [TimeBase: Pulse] = [:]

  /// Most keepers of which something is kept.
  private static let most = 8
  /// Seconds after which a number that does not grow means that the keeper is gone; seconds for which it is kept.
  private static let timeout = 4.5
  private static let memory = 20.0
  /// How far a number may lie behind to be an old one of the same count.
  private static let farthest: Int32 = 1 << 15

  /// The newest number of a keeper; 0 for none.
  func number(of base: TimeBase?) -> Int32 { base.flatMap { known[$0]?.number } ?? 0 }

  /// What a keeper said of its part with that number; nil for nothing.
  func standing(of base: TimeBase?) -> PartStanding? { base.flatMap { known[$0]?.standing } }

  /// The keeper's own next one.
  mutating func beat(_ base: TimeBase, _ standing: PartStanding, at now: HostTime) {
    note(base, number(of: base) &+ 1, standing, at: now)
  }

  /// Takes in what a member knows of a keeper.
  mutating func note(_ base: TimeBase, _ number: Int32, _ standing: PartStanding, at now: HostTime) {
    guard let pulse = known[base] else {
      known = known.filter { now.seconds(since: $0.value.at) < Self.memory }
      if known.count < Self.most { known[base] = Pulse(number: number, at: now, standing: standing) }
      return
    }
    let ahead = number &- pulse.number
    // Anybody may forge a high number: one that lies far behind is another count, once the other does not grow.
    let isAnew = ahead < -Self.farthest && now.seconds(since: pulse.at) > Self.timeout
    guard ahead > 0 || isAnew else { return }
    known[base] = Pulse(number: number, at: now, hasGrown: !isAnew, standing: standing)
  }

  /// Whether a keeper lives by the word of others.
  ///
  /// - Parameter lastHeard: when it was last heard itself; what came within a second of that proves nothing new.
  func isAlive(_ base: TimeBase, at now: HostTime, lastHeard: HostTime?) -> Bool {
    guard let pulse = known[base], pulse.hasGrown, now.seconds(since: pulse.at) < Self.timeout else {
      return false
    }
    return lastHeard.map { pulse.at.seconds(since: $0) > 1 } ?? true
  }

  mutating func shift(by nanoseconds: Int64) {
    for place in known.indices { known.values[place].at.shift(by: nanoseconds) }
  }
}
