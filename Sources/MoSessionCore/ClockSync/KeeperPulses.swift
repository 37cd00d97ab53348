import MoCore

/// The pulses of keepers, which members relay, so that a member knows of a keeper that it does not hear.
///
/// A pulse is the number of the keeper's last hello to all. If a keeper's number does not grow, reports of it do not
/// prove that the keeper is alive: two members could repeat the number to each other forever.
struct KeeperPulses: Sendable {
  private struct Pulse: Sendable {
    var number: Int32
    var at: HostTime
    var hasGrown = false
    var standing: PartStanding
  }

  private var known: [TimeBase: Pulse] = [:]

  /// Most keepers in the table.
  private static let most = 8
  /// Seconds without a higher number after which a keeper counts as gone, and seconds for which it is remembered.
  private static let timeout = 4.5
  private static let memory = 20.0
  /// The largest distance of a number behind the newest; a number farther behind belongs to another count.
  private static let farthest: Int32 = 1 << 15

  /// Returns the newest number of a keeper; 0 for none.
  func number(of base: TimeBase?) -> Int32 { base.flatMap { known[$0]?.number } ?? 0 }

  /// Returns a keeper's description of its part, as it came with the keeper's newest number; nil for none.
  func standing(of base: TimeBase?) -> PartStanding? { base.flatMap { known[$0]?.standing } }

  /// Counts this member's own pulse as keeper.
  mutating func beat(_ base: TimeBase, _ standing: PartStanding, at now: HostTime) {
    note(base, number(of: base) &+ 1, standing, at: now)
  }

  /// Records a member's report of a keeper.
  mutating func note(_ base: TimeBase, _ number: Int32, _ standing: PartStanding, at now: HostTime) {
    guard let pulse = known[base] else {
      known = known.filter { now.seconds(since: $0.value.at) < Self.memory }
      if known.count < Self.most { known[base] = Pulse(number: number, at: now, standing: standing) }
      return
    }
    let ahead = number &- pulse.number
    // A high number may be forged. One far behind starts another count, if the higher one has not grown for a while.
    let isAnew = ahead < -Self.farthest && now.seconds(since: pulse.at) > Self.timeout
    guard ahead > 0 || isAnew else { return }
    known[base] = Pulse(number: number, at: now, hasGrown: !isAnew, standing: standing)
  }

  /// Returns whether a keeper is alive by the reports of others.
  ///
  /// - Parameter lastHeard: the time of the keeper's last direct message; a report up to a second later proves nothing
  ///   new.
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
