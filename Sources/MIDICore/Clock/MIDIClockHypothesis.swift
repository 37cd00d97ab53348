import Glibc

/// One explanation of the clocks so far: how many were lost, where the tempo changed, and the phase and rate that
/// follow.
///
/// A Kalman filter whose state is the time of the newest clock and the interval between clocks.
///
/// - Source: Y. Bar-Shalom, X. R. Li, T. Kirubarajan, *Estimation with Applications to Tracking and Navigation*, 2001,
///   chapters 5 and 11.
struct MIDIClockHypothesis: Sendable, BitwiseCopyable {
  /// The logarithm of the explanation's probability, up to a constant that all explanations share.
  var weight = 0.0
  /// The number of the newest clock.
  var clock = 0
  /// The number of clocks that were lost.
  var lost = 0
  /// The estimated true time of the newest clock, in seconds after its arrival; negative if the clock came late.
  var time = 0.0
  /// Seconds between clocks.
  var interval = MIDIClockHypothesis.usualInterval
  private var timeVariance = 0.0
  private var covariance = 0.0
  private var intervalVariance = MIDIClockHypothesis.intervalSpread * MIDIClockHypothesis.intervalSpread

  /// The most probable interval before the second clock (120 quarter notes per minute), and its standard deviation.
  private static let usualInterval = 1 / 48.0
  private static let intervalSpread = 0.012
  /// The range of intervals, from 500 down to 15 quarter notes per minute.
  private static let intervals = 0.005...0.17
  /// The random change of the interval from clock to clock, in seconds: the wander of a quartz or of a program's timer.
  private static let wander = 1.5e-7

  /// Creates an explanation of the first clock.
  init(variance: Double) { timeVariance = variance }

  init() {}

  /// Whether the interval is possible.
  var isPossible: Bool { Self.intervals.contains(interval) }

  /// Returns the clock number at a time, with its fraction; the time is in seconds after the newest clock's arrival.
  func clock(at time: Double) -> Double { Double(clock) + (time - self.time) / interval }

  /// Returns the standard deviation, in seconds, of the predicted time of the clock that is due at `time`.
  func error(at time: Double) -> Double {
    let clocks = (time - self.time) / interval
    return max(0, timeVariance + clocks * (2 * covariance + clocks * intervalVariance)).squareRoot()
  }

  /// Returns the number of clocks, 1 or more, from the newest clock to a clock that arrives `gap` seconds later.
  func steps(after gap: Double) -> Int {
    let steps = ((gap - time) / interval).rounded()
    return steps > 1 ? Int(min(steps, 100_000)) : 1
  }

  /// Makes the interval less certain, since the tempo may have changed by the ratio `part` after the newest clock.
  mutating func loosen(by part: Double) { intervalVariance += part * part * interval * interval }

  /// Allows for a new phase: takes the newest clock as on time.
  mutating func restart(variance: Double) {
    (time, timeVariance, covariance) = (0, variance, 0)
    loosen(by: 0.02)
  }

  /// Moves to a clock that arrives `gap` seconds after the newest clock, and adjusts the explanation's weight.
  ///
  /// - Parameters:
  ///   - steps: the number of clocks from the newest clock to the arriving clock; the clocks between them were lost.
  ///   - gap: the seconds from the newest clock to the arriving clock.
  ///   - variance: the variance of the arrival time, in square seconds.
  /// - Returns: the distance of the arrival from the prediction in seconds, and its variance.
  @discardableResult
  mutating func add(_ steps: Int, gap: Double, variance: Double) -> (distance: Double, variance: Double) {
    let count = Double(steps)
    clock += steps
    lost += steps - 1
    intervalVariance += count * Self.wander * Self.wander
    time += count * interval - gap
    timeVariance += count * (2 * covariance + count * intervalVariance)
    covariance += count * intervalVariance
    let total = timeVariance + variance
    let distance = -time
    let (timeGain, intervalGain) = (timeVariance / total, covariance / total)
    time += timeGain * distance
    interval += intervalGain * distance
    intervalVariance -= intervalGain * covariance
    covariance -= timeGain * covariance
    timeVariance -= timeGain * timeVariance
    weight -= 0.5 * (distance * distance / total + log(total))
    return (distance, total)
  }

  /// Returns whether this explanation and another explanation differ so little that they can be merged.
  func isLike(_ other: MIDIClockHypothesis) -> Bool {
    guard clock == other.clock else { return false }
    let (mine, others) = (intervalVariance, other.intervalVariance)
    guard mine < 2 * others, others < 2 * mine else { return false }
    let (phase, rate) = (time - other.time, interval - other.interval)
    return phase * phase < 0.1 * timeVariance && rate * rate < 0.1 * mine
  }
}
