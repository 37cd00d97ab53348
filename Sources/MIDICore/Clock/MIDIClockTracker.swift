import Glibc
import MoCore

/// An estimate of the phase and rate of MIDI clocks that come late, early, or not at all.
///
/// The tracker keeps the most probable explanations of the clocks side by side, as values of `MIDIClockHypothesis`.
/// Each explanation has several continuations at a new clock. Before the new clock, clocks may have been lost, or the
/// tempo may have changed; the new clock may be an outlier. The continuations that predict the following clocks best
/// remain. So the following clocks decide between a lost clock and a slower tempo, which look alike at first.
///
/// - Source: D. B. Reid, *An Algorithm for Tracking Multiple Targets*, IEEE Trans. Automatic Control 24(6), 1979.
struct MIDIClockTracker: Sendable {
  private static let capacity = 32
  private static let room = 512
  /// The logarithm of the probability below which an explanation is dropped, relative to the best explanation.
  private static let least = -16.0
  /// The negative logarithm of the probability that a clock is lost, 1 %.
  private static let lossCost = 4.6
  /// The negative logarithm of the probability that the tempo changes at a clock, 0.02 %.
  private static let changeCost = 8.5
  /// The expected relative changes of the tempo: a sudden change, and the change from clock to clock during a gradual
  /// change.
  private static let changes: InlineArray<2, Double> = [0.2, 0.015]
  /// The negative logarithm of the probability, 0.25 %, that a clock is an outlier, which comes far from its due time.
  private static let outlierCost = 6.0
  /// The standard deviation of an outlier's arrival time, as a multiple of the interval between clocks.
  private static let outlier = 0.4
  /// The jitter that is assumed before clocks are measured, as a standard deviation in seconds.
  private static let usualDeviation = 0.003
  /// The weight of the assumed jitter `usualDeviation` in the average, as a number of measured clocks.
  private static let guessedClocks = 24.0
  /// The limits of the estimated jitter, as a standard deviation in seconds.
  private static let deviations = 0.0001...0.01
  /// The number of clocks over which the jitter is averaged.
  private static let memory = 120.0
  /// Seconds without a clock after which only the interval of the best explanation is kept.
  private static let longestGap = 4.0

  /// The explanations that are kept, with the most probable explanation first.
  private var kept = InlineArray<32, MIDIClockHypothesis>(repeating: MIDIClockHypothesis())
  private var keptCount = 0
  private var made = InlineArray<512, MIDIClockHypothesis>(repeating: MIDIClockHypothesis())
  private var madeCount = 0
  private var variance = MIDIClockTracker.usualDeviation * MIDIClockTracker.usualDeviation
  /// The number of clocks that arrived.
  private(set) var count = 0
  /// The arrival time of the newest clock; nil before the first clock.
  private(set) var newest: HostTime?

  /// The most probable explanation.
  private var best: MIDIClockHypothesis { kept[0] }

  /// Seconds between clocks; nil before the fourth clock.
  var interval: Double? { count >= 4 ? best.interval : nil }

  /// The jitter in seconds, as a root mean square.
  var deviation: Double { variance.squareRoot() }

  /// Seconds by which the newest clock came late, relative to the steady beat; negative if it came early.
  var lateness: Double { keptCount > 0 ? -best.time : 0 }

  /// The estimated number of clocks that were lost so far, except clocks that were lost in gaps of more than 4 s.
  var lost: Int { keptCount > 0 ? best.lost : 0 }

  /// The number of the newest clock in the song, lost clocks included; 0 before the first clock.
  var last: Int { keptCount > 0 ? best.clock : 0 }

  /// Returns the number of the clock that is due at a moment, with a fraction between two clocks; nil before the fourth
  /// clock.
  func clock(at time: HostTime) -> Double? {
    guard count >= 4, let newest else { return nil }
    return best.clock(at: time.seconds(since: newest))
  }

  /// Returns the standard deviation, in seconds, of the predicted time of the clock that is due at a moment; nil before
  /// the fourth clock.
  func error(at time: HostTime) -> Double? {
    guard count >= 4, let newest else { return nil }
    return best.error(at: time.seconds(since: newest))
  }

  /// Gives the newest clock the number `clock` in the song, and adds an explanation in which the clocks have a new
  /// phase.
  ///
  /// Gear may change the phase of its clocks when it starts.
  mutating func restart(at clock: Int) {
    for index in 0..<keptCount { kept[index].clock = clock }
    guard keptCount > 0 else { return }
    var anew = best
    anew.weight -= 2
    anew.restart(variance: variance)
    if keptCount == Self.capacity { keptCount -= 1 }
    kept[keptCount] = anew
    keptCount += 1
    madeCount = 0
    for index in 0..<keptCount { make(kept[index]) }
    choose()
  }

  /// Updates the explanations and the jitter with a clock that arrived at `moment`.
  mutating func add(_ moment: HostTime) {
    defer {
      newest = moment
      count += 1
    }
    guard let newest, keptCount > 0 else {
      kept[0] = MIDIClockHypothesis(variance: variance)
      keptCount = 1
      return
    }
    let gap = moment.seconds(since: newest)
    if gap > Self.longestGap { return resume(after: gap) }
    madeCount = 0
    let highest = best.weight
    for index in 0..<keptCount {
      let old = kept[index]
      let usual = old.steps(after: gap)
      branch(old, 1, gap, highest)
      for steps in max(2, usual - 1)...max(2, usual + 1) { branch(old, steps, gap, highest) }
    }
    let before = kept[0]
    choose()
    store(before, gap)
  }

  /// Continues after a silence of `gap` seconds: keeps only the best explanation, whose interval is still the most
  /// probable interval.
  private mutating func resume(after gap: Double) {
    var old = best
    old.clock += old.steps(after: gap)
    old.restart(variance: variance)
    old.loosen(by: 0.1)
    old.weight = 0
    (kept[0], keptCount) = (old, 1)
  }

  /// Adds to `made` the continuations of the explanation `old` with a clock that arrives `gap` seconds after the newest
  /// clock.
  ///
  /// In these continuations, `steps` - 1 clocks were lost between the two clocks. A continuation is left out if it is
  /// far less probable than the best explanation, whose weight is `highest`.
  private mutating func branch(_ old: MIDIClockHypothesis, _ steps: Int, _ gap: Double, _ highest: Double) {
    var next = old
    if steps > 1 { next.weight -= Self.lossCost + 2 * log(Double(steps - 1)) }
    guard next.weight > highest + 2 * Self.least else { return }
    var usual = next
    let (distance, total) = usual.add(steps, gap: gap, variance: variance)
    make(usual)
    if distance * distance > 4 * total {
      var late = next
      late.weight -= Self.outlierCost
      let deviation = Self.outlier * old.interval
      late.add(steps, gap: gap, variance: variance + deviation * deviation)
      make(late)
    }
    for index in 0..<Self.changes.count {
      var changed = next
      changed.weight -= Self.changeCost
      guard changed.weight > highest + Self.least else { continue }
      changed.loosen(by: Self.changes[index])
      changed.add(steps, gap: gap, variance: variance)
      make(changed)
    }
  }

  private mutating func make(_ hypothesis: MIDIClockHypothesis) {
    guard madeCount < Self.room, hypothesis.isPossible else { return }
    made[madeCount] = hypothesis
    madeCount += 1
  }

  /// Replaces the explanations in `kept` by the most probable explanations in `made`, the most probable explanation
  /// first, and merges similar explanations.
  private mutating func choose() {
    guard madeCount > 0 else { return }
    var highest = -Double.infinity
    for index in 0..<madeCount { highest = max(highest, made[index].weight) }
    keptCount = 0
    while keptCount < Self.capacity, madeCount > 0 {
      var place = 0
      for index in 1..<max(madeCount, 1) where made[index].weight > made[place].weight { place = index }
      var next = made[place]
      madeCount -= 1
      made[place] = made[madeCount]
      guard next.weight > highest + Self.least else { break }
      next.weight -= highest
      if let like = (0..<keptCount).first(where: { kept[$0].isLike(next) }) {
        kept[like].weight += log1p(exp(next.weight - kept[like].weight))
        continue
      }
      kept[keptCount] = next
      keptCount += 1
    }
    // The sums can change the order of the first ones.
    var top = 0
    for index in 1..<max(keptCount, 1) where kept[index].weight > kept[top].weight { top = index }
    if top > 0 { kept.swapAt(0, top) }
  }

  /// Updates the jitter with the newest clock's distance from its predicted time.
  ///
  /// - Parameters:
  ///   - before: the best explanation before the newest clock, which predicts the time.
  ///   - gap: the seconds from the previous clock to the newest clock.
  private mutating func store(_ before: MIDIClockHypothesis, _ gap: Double) {
    var next = before
    let steps = best.clock - before.clock
    guard steps > 0 else { return }
    let (distance, total) = next.add(steps, gap: gap, variance: variance)
    let found = min(distance * distance / total, 9) * variance
    let rate = 1 / min(Self.memory, Self.guessedClocks + Double(count))
    let (low, high) = (Self.deviations.lowerBound, Self.deviations.upperBound)
    variance = min(max(variance + rate * (found - variance), low * low), high * high)
  }
}
