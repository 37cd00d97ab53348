import MoCore

/// How much this member moves, on its way to the conductor, and what the others have told of themselves.
package struct ActivityReports: Sendable {
  /// What another has told.
  struct Told: Sendable {
    var number: Int32
    var level: Float
    var pace = RateLimit()
  }

  var others: [MemberID: Told] = [:]
  /// This member's level; nil before it was set.
  private(set) var mine: Float?
  /// The sum and the number of levels since the last report, which is their mean.
  private var sum: Float = 0
  private var count: Float = 0
  private var told: Float?
  private var repeats = 0
  private var interval = 0.1
  var number: Int32 = 0
  /// When the next report is due.
  private(set) var next = HostTime.distantFuture
  private var sent = HostTime.distantPast
  /// When the pattern of a bar to come is to be chosen.
  var nextBar = HostTime.distantFuture

  /// Least seconds from one report to the next: ten a second of each member, and a hundred of all.
  static func interval(among members: Int) -> Double { max(0.1, 0.01 * Double(members)) }
  /// Seconds after which a level that has not changed is sent again, since it is not acknowledged.
  private static let pauses = [0.3, 1.0]
  private static let pulse = 2.0
  /// Most reports that are taken from one sender in a second.
  static let fastest = 15
  /// Seconds before a bar at which its pattern is announced: the others have time to pass it on if the conductor is lost.
  static let lead = 3.0

  /// Takes in how much this member moves, to be sent with the next report.
  mutating func set(_ level: Float, among members: Int, now: HostTime) {
    mine = level
    // The mean begins anew if the last report is long ago.
    interval = Self.interval(among: members)
    if now.seconds(since: sent) > interval { (sum, count) = (0, 0) }
    sum += level
    count += 1
    guard Self.step(level) != told.map(Self.step) || repeats == 0 && next == .distantFuture else { return }
    next = min(next, max(now, sent.advanced(bySeconds: interval)))
  }

  /// Reports to a new conductor.
  mutating func begin(at now: HostTime) {
    (told, repeats) = (nil, 0)
    next = mine == nil ? .distantFuture : now
  }

  mutating func end() { next = .distantFuture }

  /// The level to be sent now; nil for none.
  mutating func takeDue(at now: HostTime) -> Float? {
    guard now >= next, let mine else { return nil }
    let level = Float(Self.step(count > 0 ? sum / count : mine)) / 127
    (sum, count, sent) = (0, 0, now)
    repeats = level == told ? repeats + 1 : 0
    told = level
    // The mean is not the level of now yet: another report follows.
    if Self.step(mine) != Self.step(level) {
      next = now.advanced(bySeconds: max(interval, Self.pauses[0]))
    } else if repeats < Self.pauses.count {
      next = now.advanced(bySeconds: max(interval, Self.pauses[repeats]))
    } else {
      next = level > 0 ? now.advanced(bySeconds: Self.pulse) : .distantFuture
    }
    number &+= 1
    return level
  }

  /// A level in steps of 1/127, as it is told.
  package static func step(_ level: Float) -> Int { Int((level * 127).rounded()) }

  mutating func shift(by nanoseconds: Int64) {
    next.shift(by: nanoseconds)
    nextBar.shift(by: nanoseconds)
    sent = .distantPast
  }
}
