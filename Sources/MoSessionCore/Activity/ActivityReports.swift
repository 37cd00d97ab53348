import MoTime

/// How much one moves, on its way to who conducts; and how much others do, where one conducts oneself.
package struct ActivityReports: Sendable {
  /// What another has told.
  struct Told: Sendable {
    var number: Int32
    var level: Float
    var pace = RateLimit()
  }

  var others: [MemberID: Told] = [:]
  /// One's own level; nil before there was one.
  private(set) var mine: Float?
  /// What it was since it was told last, to be told as the mean.
  private var sum: Float = 0
  private var count: Float = 0
  private var told: Float?
  private var repeats = 0
  private var interval = 0.1
  var number: Int32 = 0
  /// It is not told before, and not more often than this.
  private(set) var next = HostTime.distantFuture
  private var sent = HostTime.distantPast
  /// When the next bar's pattern is to be thought of.
  var nextBar = HostTime.distantFuture

  /// Seconds from one time it is told to the next, at least: ten a second, and all together a hundred.
  static func interval(among members: Int) -> Double { max(0.1, 0.01 * Double(members)) }
  /// Pauses after which a level that stands is said again, since nobody acknowledges it.
  private static let pauses = [0.3, 1.0]
  private static let pulse = 2.0
  /// Most that is taken from one sender in a second.
  static let fastest = 15
  /// Seconds ahead of which a bar's pattern is announced: time for all to tell each other if who announced it dies.
  static let lead = 3.0

  /// Takes in how much one moves, to be told when the pause is over.
  mutating func set(_ level: Float, among members: Int, now: HostTime) {
    mine = level
    // The mean of what was since the last time, where that is not long ago.
    interval = Self.interval(among: members)
    if now.seconds(since: sent) > interval { (sum, count) = (0, 0) }
    sum += level
    count += 1
    guard Self.step(level) != told.map(Self.step) || repeats == 0 && next == .distantFuture else { return }
    next = min(next, max(now, sent.advanced(bySeconds: interval)))
  }

  /// Tells it anew: somebody else conducts.
  mutating func begin(at now: HostTime) {
    (told, repeats) = (nil, 0)
    next = mine == nil ? .distantFuture : now
  }

  mutating func end() { next = .distantFuture }

  /// What is to be told now, and when it is again.
  mutating func takeDue(at now: HostTime) -> Float? {
    guard now >= next, let mine else { return nil }
    let level = Float(Self.step(count > 0 ? sum / count : mine)) / 127
    (sum, count, sent) = (0, 0, now)
    repeats = level == told ? repeats + 1 : 0
    told = level
    // A mean on its way to what stands now is not the last word.
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
