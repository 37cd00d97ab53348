/// A measurement of the sound card's clock against host time: it gives the time of a frame at the loudspeaker.
///
/// A card counts frames with its own crystal. The crystal's rate differs from the host clock's by up to 100 ppm, or
/// 360 ms an hour, and drifts with temperature. Report the driver's position once per block; the clock then gives the
/// time of any frame.
///
/// The measurement has two stages. Most errors of driver positions are delays: the thread was held up after it read
/// the position, or the position moves only at period interrupts. An average would include those delays. The earliest
/// of many positions would be too early, because some noise goes both ways. So the first stage collects up to 64
/// observations in a batch. From the distribution of the earlier half of the batch, it decides which point counts as
/// the true value (`CardClockBatch`). In the second stage, each batch corrects offset and rate through a two-state
/// Kalman filter, the usual model of a clock whose rate wanders. The filter is quick at first and steady later; the
/// error bound comes from the filter's variance.
///
/// The filter's result is a line from frames to times. When a batch corrects this line, the correction fades in. So the
/// times that `time(ofFrame:)` returns are continuous, always rise, and are at most 1 % off in speed.
///
/// From 10 s after the start, the error is within 0.1 ms, if the card is within 100 ppm and blocks last at most 5 ms.
/// This holds for Gaussian jitter up to 0.3 ms, for exponential delays of 1 ms on average, and for positions that
/// move only every 5 ms. A constant delay, such as a converter's, cannot be measured here.
///
/// - Source: F. Adriaensen, *Using a DLL to filter time* (2005), for the loop; L. Galleani, *A tutorial on the
///   two-state model of the atomic clock noise*, Metrologia 45 (2008), for the filter.
/// - Thread: one owner; the audio thread once playing.
/// - Real-time safe: yes; each call takes constant time and allocates no memory.
package struct CardClock: Sendable {
  /// The frame rate that was requested from the card, in frames per second.
  package private(set) var nominalRate: Double

  /// Whether a position has been observed; until then, the clock assigns host time 0 to frame 0.
  package private(set) var hasStarted = false

  private var line: CardClockLine
  private var filter = CardClockFilter()
  private var batch = CardClockBatch()
  private var latest: Int64 = 0
  private var awaitsFirst = true
  private var lastWasStrange = false

  /// The shortest time in which a correction fades in, in seconds.
  ///
  /// A large correction fades in over a longer time, so that the clock's speed is at most 1 % off during the fade.
  private static let fadeSeconds = 0.25
  private static let steepestFade = 0.01

  /// Creates a clock, without observations, for a card from which `nominalRate` frames per second were requested.
  package init(nominalRate: Double) {
    precondition(nominalRate > 0, "a sample rate must be above 0 Hz")
    self.nominalRate = nominalRate
    line = CardClockLine(nominalNanosecondsPerFrame: 1e9 / nominalRate)
  }

  /// Adds the observation that frame `frame` was at the loudspeaker at host time `time`.
  ///
  /// With ALSA, `frame` is the number of frames written minus the delay, and `time` is the time stamp of the status.
  /// The first observation sets the clock; later observations correct the clock.
  ///
  /// - Parameters:
  ///   - frame: the frame's number, counted like the block's `position`. The same position may be reported again.
  ///   - time: the time at which the frame was at the loudspeaker.
  ///   - written: the first frame whose time has not been read yet: the first frame of the next block. A correction
  ///     starts at this frame, so that the times already read stay valid. By default `frame`.
  package mutating func observe(frame: Int64, at time: HostTime, written: Int64? = nil) {
    let seam = written ?? frame
    latest = frame
    if awaitsFirst { return start(frame: frame, at: time, seam: seam) }
    let lateness = Double(time.nanoseconds &- line.reference) - line.estimate(frame)
    guard let reading = batch.add(lateness: lateness, frame: frame) else { return }
    let before = line.time(frame: seam)
    correct(by: reading)
    line.join(before: before, at: seam, over: fadeFrames(closing: line.gap(from: before, at: seam)))
  }

  /// Returns the time at which frame `frame` reaches, or reached, the loudspeaker.
  ///
  /// - Complexity: O(1).
  package func time(ofFrame frame: Int64) -> HostTime {
    HostTime(nanoseconds: line.time(frame: frame).nanoseconds)
  }

  /// The measured time from one frame to the next, in host nanoseconds.
  package var nanosecondsPerFrame: Double { line.nanosecondsPerFrame }

  /// The amount by which the card is faster than `nominalRate`, in parts per million; negative if it is slower.
  package var driftPPM: Double { (1e9 / nominalRate / line.nanosecondsPerFrame - 1) * 1e6 }

  /// The largest error of `time(ofFrame:)` at the last observed frame, in seconds.
  ///
  /// The value is infinite before the first observation. The bound adds three terms: three standard deviations of the
  /// offset, the uncertainty about the kind of jitter, and the part of the last correction still to come.
  package var errorBound: Double {
    guard hasStarted else { return .infinity }
    var now = filter
    now.predict(seconds: line.nanoseconds(to: latest) * 1e-9)
    return 3 * now.offsetVariance.squareRoot() + (batch.undecided + abs(line.fading(at: latest))) * 1e-9
  }

  /// Starts the measurement again after an xrun, in which the card lost frames; keeps the measured rate of the card.
  ///
  /// Until the next observation, the clock keeps its line from frames to times. At that observation, the times may jump
  /// forward to the card's present position; the times never go back.
  ///
  /// - Parameter nominalRate: the rate of another card, if another card plays from now on; the measured rate is then
  ///   dropped.
  package mutating func restart(nominalRate: Double? = nil) {
    awaitsFirst = true
    lastWasStrange = false
    batch = CardClockBatch()
    guard let nominalRate else { return filter.forgetOffset() }
    precondition(nominalRate > 0, "a sample rate must be above 0 Hz")
    self.nominalRate = nominalRate
    filter = CardClockFilter()
  }

  /// Shifts the line from frames to times so that it goes through the first observation after creation or a restart.
  private mutating func start(frame: Int64, at time: HostTime, seam: Int64) {
    let before = line.time(frame: seam)
    if filter.knowsNoRate { line.nanosecondsPerFrame = 1e9 / nominalRate }
    line.restart(frame: frame, at: time.nanoseconds)
    // If the card is later than the line said, time jumps; if earlier, the gap closes gently, since time may not run
    // back.
    let gap = hasStarted ? max(0, line.gap(from: before, at: seam)) : 0
    if gap > 0 { line.join(before: before, at: seam, over: fadeFrames(closing: gap)) }
    awaitsFirst = false
    hasStarted = true
  }

  /// Corrects the line from frames to times with the result of a batch.
  ///
  /// The function ignores a batch that is far from the line. If the next batch is also far from the line, that batch
  /// corrects the line.
  private mutating func correct(by reading: CardClockBatch.Reading) {
    let seconds = line.advance(to: reading.frame) * 1e-9
    filter.predict(seconds: seconds)
    let lateness = reading.lateness * 1e-9
    let variance = reading.deviation * reading.deviation * 1e-18
    if filter.isStrange(lateness, variance: variance) {
      if lastWasStrange {
        filter.forgetOffset()
      } else {
        lastWasStrange = true
        return
      }
    }
    lastWasStrange = false
    let correction = filter.update(lateness, variance: variance)
    line.correct(offset: correction.offset * 1e9, rate: correction.rate)
  }

  private func fadeFrames(closing gap: Double) -> Double {
    max(Self.fadeSeconds * 1e9, abs(gap) / Self.steepestFade) / line.nanosecondsPerFrame
  }
}

/// A two-state Kalman filter for a clock's offset, in seconds, and its rate, in seconds per second.
///
/// The filter stores only the variances and the covariance of offset and rate. The estimates of offset and rate are in
/// the `CardClockLine` to which `CardClock` applies the filter's corrections.
struct CardClockFilter: Sendable {
  /// The variance of the offset, in s².
  private(set) var offsetVariance = firstOffset * firstOffset
  private var covariance = 0.0
  private var rateVariance = firstRate * firstRate

  /// The standard deviation of the offset at the start, in seconds: the first time stamp may be milliseconds late.
  private static let firstOffset = 5e-3
  /// The standard deviation of the rate at the start, in seconds per second.
  ///
  /// Crystals stay within 100 ppm of their rate, and timer-driven devices (snd-aloop) within 1000 ppm.
  private static let firstRate = 300e-6

  /// The growth of the rate's variance per second: a crystal that warms up wanders by 0.5 ppm in a minute.
  private static let wander = 0.25e-12 / 60

  /// Whether the rate is at least as uncertain as at the start.
  var knowsNoRate: Bool { rateVariance >= Self.firstRate * Self.firstRate }

  /// Advances the filter by a time: the uncertain rate and the wander of the rate increase the variances.
  mutating func predict(seconds: Double) {
    let spread = Self.wander * seconds
    offsetVariance += seconds * (2 * covariance + seconds * (rateVariance + spread / 3))
    covariance += seconds * (rateVariance + spread / 2)
    rateVariance = rateVariance + spread
  }

  /// Returns whether an observed offset is larger than both a millisecond and six standard deviations.
  func isStrange(_ offset: Double, variance: Double) -> Bool {
    abs(offset) > max(1e-3, 6 * (offsetVariance + variance).squareRoot())
  }

  /// Adds an observed offset, and returns the corrections of offset and rate.
  mutating func update(_ offset: Double, variance: Double) -> (offset: Double, rate: Double) {
    let total = offsetVariance + variance
    let gain = (offset: offsetVariance / total, rate: covariance / total)
    rateVariance -= gain.rate * covariance
    covariance *= 1 - gain.offset
    offsetVariance *= 1 - gain.offset
    return (gain.offset * offset, gain.rate * offset)
  }

  /// Makes the offset as uncertain as at the start, after a jump; keeps the rate.
  mutating func forgetOffset() {
    offsetVariance = Self.firstOffset * Self.firstOffset
    covariance = 0
  }
}
