import Glibc

/// One explanation of the received clocks: how many clocks were lost, where the tempo changed, and the resulting phase
/// and rate of the clocks.
///
/// The explanation is a Kalman filter, whose state is the time of the newest clock and the interval between clocks.
///
/// - Source: Y. Bar-Shalom, X. R. Li, T. Kirubarajan, *Estimation with Applications to Tracking and Navigation*, 2001,
///   chapters 5 and 11.
struct MIDIClockHypothesis: Sendable, BitwiseCopyable {
  /// The logarithm of the explanation's probability, up to a constant that all explanations share.
  var weight = 0.0
  /// The number of the newest clock in the song, lost clocks included; a quarter note has 24 clocks.
  var clock = 0
  /// The number of clocks that were lost so far, by this explanation.
  var lost = 0
  /// The estimated true time of the newest clock, in seconds after its arrival; negative if the clock came late.
  var time = 0.0
  /// The estimated time between two clocks, in seconds.
  var interval = MIDIClockHypothesis.usualInterval
  private var timeVariance = 0.0
  private var covariance = 0.0
  private var intervalVariance = MIDIClockHypothesis.intervalSpread * MIDIClockHypothesis.intervalSpread

  /// The interval between clocks that is assumed before the second clock, in seconds.
  ///
  /// It is the interval at 120 quarter notes per minute.
  private static let usualInterval = 1 / 48.0
  /// The standard deviation of the assumed interval `usualInterval`, in seconds.
  private static let intervalSpread = 0.012
  /// The accepted intervals between clocks, in seconds: those of tempos from 500 down to about 15 quarter notes per
  /// minute.
  private static let intervals = 0.005...0.17
  /// The standard deviation of the interval's random change from clock to clock, in seconds.
  ///
  /// The value is typical of a quartz oscillator or of a program's timer.
  private static let wander = 1.5e-7

  /// Creates the explanation of the first clock; `variance` is the variance of its arrival time, in square seconds.
  init(variance: Double) { timeVariance = variance }

  init() {}

  /// Whether the interval between clocks is that of a tempo between about 15 and 500 quarter notes per minute.
  var isPossible: Bool { Self.intervals.contains(interval) }

  /// Returns the number of the clock that is due at `time`, with a fraction between two clocks.
  ///
  /// - Parameter time: seconds after the arrival of the newest clock.
  func clock(at time: Double) -> Double { Double(clock) + (time - self.time) / interval }

  /// Returns the standard deviation, in seconds, of the predicted time of the clock that is due at `time`.
  ///
  /// - Parameter time: seconds after the arrival of the newest clock.
  func error(at time: Double) -> Double {
    let clocks = (time - self.time) / interval
    return max(0, timeVariance + clocks * (2 * covariance + clocks * intervalVariance)).squareRoot()
  }

  /// Returns the most probable number of clocks, 1 or more, from the newest clock to a clock that arrives `gap` seconds
  /// later.
  func steps(after gap: Double) -> Int {
    let steps = ((gap - time) / interval).rounded()
    return steps > 1 ? Int(min(steps, 100_000)) : 1
  }

  /// Increases the variance of the interval, since the tempo may have changed by the fraction `part` (0.2 is 20 %)
  /// after the newest clock.
  mutating func loosen(by part: Double) { intervalVariance += part * part * interval * interval }

  /// Discards the estimated phase, and assumes that the newest clock came on time.
  ///
  /// - Parameter variance: the variance of the clock's arrival time, in square seconds.
  mutating func restart(variance: Double) {
    (time, timeVariance, covariance) = (0, variance, 0)
    loosen(by: 0.02)
  }

  /// Continues the explanation with a clock that arrives `gap` seconds after the newest clock, and adjusts `weight`.
  ///
  /// - Parameters:
  ///   - steps: the number of clocks from the newest clock to the arriving clock; the clocks between them were lost.
  ///   - gap: the seconds from the newest clock to the arriving clock.
  ///   - variance: the variance of the arrival time, in square seconds.
  /// - Returns: the seconds by which the clock arrived later than predicted (`distance`), and the variance of this
  ///   value.
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
