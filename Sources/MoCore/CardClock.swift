/// The sound card's clock read against host time: it says when a frame reaches the loudspeaker.
///
/// A card counts frames with its own crystal, up to 100 ppm beside the host's and drifting with its warmth:
/// 360 ms an hour. Feed it what the driver says once a block and it answers for any frame.
///
/// Two stages. Driver positions err mostly one way, late: the thread was held up after the position was
/// taken, or the position moves only at period interrupts. An average inherits that lateness, while the
/// plain earliest of many is drawn early by noise that goes both ways. So up to 64 observations form a
/// batch, and the shape of its lower half decides where in it the truth lies (`CardClockBatch`). Each batch
/// then corrects offset and rate through a two-state Kalman filter, the usual model of a clock whose rate
/// wanders: quick at first, steady later, with a variance from which comes the bound.
///
/// Readers see the filter's line through a fading correction: continuous, always rising, bent by 1 % at most.
///
/// Within 0.1 ms of the truth from 10 s after the start, for cards within 100 ppm, blocks of at most 5 ms, and
/// jitter that is Gaussian to 0.3 ms, exponentially late to 1 ms on average, or quantised to periods of 5 ms.
/// A delay that is always there, such as a converter's, cannot be seen from here.
///
/// - Source: F. Adriaensen, *Using a DLL to filter time* (2005), for the loop; L. Galleani, *A tutorial on
///   the two-state model of the atomic clock noise*, Metrologia 45 (2008), for the filter.
/// - Thread: one owner; the audio thread once playing.
/// - Real-time safe: yes; constant work and no memory beyond itself.
public struct CardClock: Sendable {
  /// Frames a second as the card was asked for.
  public private(set) var nominalRate: Double

  /// Whether anything was observed since it was made: before that, frame 0 counts as host time zero.
  public private(set) var hasStarted = false

  private var line: CardClockLine
  private var filter = CardClockFilter()
  private var batch = CardClockBatch()
  private var latest: Int64 = 0
  private var awaitsFirst = true
  private var lastWasStrange = false

  /// Corrections fade in over this long (s), or longer where that would bend time by more than 1 %.
  private static let fadeSeconds = 0.25
  private static let steepestFade = 0.01

  /// A clock for a card asked to run at `nominalRate` frames a second, not yet observed.
  public init(nominalRate: Double) {
    precondition(nominalRate > 0, "a sample rate is above 0 Hz")
    self.nominalRate = nominalRate
    line = CardClockLine(nominalNanosecondsPerFrame: 1e9 / nominalRate)
  }

  /// Takes in that frame `frame` was at the loudspeaker at host time `time`.
  ///
  /// From ALSA: frames written − delay, and the status' time stamp. The first observation is believed as it
  /// stands; the next ones mend it.
  ///
  /// - Parameters:
  ///   - frame: the frame's number, counted like the block's `position`. Repeated positions are welcome.
  ///   - time: when it was there.
  ///   - written: the first frame whose time nobody has asked for yet, i.e. that of the next block. A
  ///     correction starts there, so that readers see no step. By default `frame`.
  public mutating func observe(frame: Int64, at time: HostTime, written: Int64? = nil) {
    let seam = written ?? frame
    latest = frame
    if awaitsFirst { return start(frame: frame, at: time, seam: seam) }
    let lateness = Double(time.nanoseconds &- line.reference) - line.estimate(frame)
    guard let reading = batch.add(lateness: lateness, frame: frame) else { return }
    let before = line.time(frame: seam)
    settle(on: reading)
    line.join(before: before, at: seam, over: fadeFrames(closing: line.gap(from: before, at: seam)))
  }

  /// When frame `frame` reaches, or reached, the loudspeaker.
  ///
  /// - Complexity: O(1).
  public func time(ofFrame frame: Int64) -> HostTime {
    HostTime(nanoseconds: line.time(frame: frame).nanoseconds)
  }

  /// Host nanoseconds from one frame to the next, as measured.
  public var nanosecondsPerFrame: Double { line.nanosecondsPerFrame }

  /// How much faster than nominal the card runs, in parts per million; negative where slower.
  public var driftPPM: Double { (1e9 / nominalRate / line.nanosecondsPerFrame - 1) * 1e6 }

  /// How far `time(ofFrame:)` may be from the truth at the last observed frame, in seconds.
  ///
  /// Infinite before the first observation. Three standard deviations, what the shape of the jitter leaves undecided, and
  /// what is left of the last correction.
  public var errorBound: Double {
    guard hasStarted else { return .infinity }
    var now = filter
    now.predict(seconds: line.nanoseconds(to: latest) * 1e-9)
    return 3 * now.offsetVariance.squareRoot() + (batch.undecided + abs(line.fading(at: latest))) * 1e-9
  }

  /// Begins anew after an xrun: the frames have moved against time, the card's rate has not.
  ///
  /// Until the next observation the old line goes on. Then time may leap forward to where the card is now;
  /// it never goes back.
  ///
  /// - Parameter nominalRate: given where another card plays on: what was known of the rate is dropped.
  public mutating func restart(nominalRate: Double? = nil) {
    awaitsFirst = true
    lastWasStrange = false
    batch = CardClockBatch()
    guard let nominalRate else { return filter.forgetOffset() }
    precondition(nominalRate > 0, "a sample rate is above 0 Hz")
    self.nominalRate = nominalRate
    filter = CardClockFilter()
  }

  /// Lays the line through the first observation after making or restarting.
  private mutating func start(frame: Int64, at time: HostTime, seam: Int64) {
    let before = line.time(frame: seam)
    if filter.knowsNoRate { line.nanosecondsPerFrame = 1e9 / nominalRate }
    line.restart(frame: frame, at: time.nanoseconds)
    // Later than promised is a leap; earlier is closed gently, since time may not run back.
    let gap = hasStarted ? max(0, line.gap(from: before, at: seam)) : 0
    if gap > 0 { line.join(before: before, at: seam, over: fadeFrames(closing: gap)) }
    awaitsFirst = false
    hasStarted = true
  }

  /// Corrects the line by a batch.
  ///
  /// One that is far out is passed over; a second in a row is believed.
  private mutating func settle(on reading: CardClockBatch.Reading) {
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
