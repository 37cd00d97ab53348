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

  /// The largest number of keepers in the table.
  private static let most = 8
  /// The seconds without a higher number after which a keeper counts as gone.
  private static let timeout = 4.5
  /// The seconds without a higher number after which a keeper may be forgotten.
  private static let memory = 20.0
  /// The largest difference by which the number in a late report is below the keeper's newest number.
  ///
  /// A number that is farther below starts a new series of numbers.
  private static let farthest: Int32 = 1 << 15

  /// Returns the newest pulse of the keeper of the clock `base`; 0 if no pulse is known.
  func number(of base: TimeBase?) -> Int32 { base.flatMap { known[$0]?.number } ?? 0 }

  /// Returns a keeper's description of its part, as it came with the keeper's newest number; nil for none.
  func standing(of base: TimeBase?) -> PartStanding? { base.flatMap { known[$0]?.standing } }

  /// Increases the pulse of this member, the keeper, by 1.
  mutating func beat(_ base: TimeBase, _ standing: PartStanding, at now: HostTime) {
    store(base, number(of: base) &+ 1, standing, at: now)
  }

  /// Stores the pulse and the description of a keeper, as a member reports them.
  mutating func store(_ base: TimeBase, _ number: Int32, _ standing: PartStanding, at now: HostTime) {
    guard let pulse = known[base] else {
      known = known.filter { now.seconds(since: $0.value.at) < Self.memory }
      if known.count < Self.most { known[base] = Pulse(number: number, at: now, standing: standing) }
      return
    }
    let ahead = number &- pulse.number
    // A high number may be forged. One far behind starts another count, if the higher one has not grown for a while.
    let isNewCount = ahead < -Self.farthest && now.seconds(since: pulse.at) > Self.timeout
    guard ahead > 0 || isNewCount else { return }
    known[base] = Pulse(number: number, at: now, hasGrown: !isNewCount, standing: standing)
  }

  /// Returns whether the reports of other members show that a keeper is alive.
  ///
  /// - Parameter lastHeard: the time of the last message that came from the keeper itself; nil for none. A report
  ///   counts only if it arrived more than a second after this time.
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
