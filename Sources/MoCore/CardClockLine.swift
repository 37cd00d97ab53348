/// The line from frames to nanoseconds that `CardClock` keeps, and the fading step between it and the last.
///
/// Anchored at a frame and a whole nanosecond that move along, so that the floating-point part stays small
/// and exact for any length of play.
struct CardClockLine: Sendable {
  /// Host nanoseconds at the anchor, without the fraction in `offset`.
  private(set) var reference: Int64 = 0
  private var anchor: Int64 = 0
  private var offset = 0.0
  var nanosecondsPerFrame: Double

  /// What readers still see of the line before this one: `fade` ns at frame `fadeStart`, 0 `fadeFrames` later.
  private var fade = 0.0
  private var fadeStart: Int64 = 0
  private var fadeFrames = 1.0

  init(nominalNanosecondsPerFrame: Double) { nanosecondsPerFrame = nominalNanosecondsPerFrame }

  /// A moment as readers see it: whole nanoseconds, and the fraction for exact joins.
  struct Moment {
    var whole: Int64
    var fraction: Double
    var nanoseconds: Int64 { whole &+ Int64(fraction.rounded()) }
  }

  /// Nanoseconds from `reference` to a frame, by the filter's line alone.
  func estimate(_ frame: Int64) -> Double { offset + nanoseconds(to: frame) }

  /// When a frame comes, as readers see it.
  func time(frame: Int64) -> Moment {
    Moment(whole: reference, fraction: estimate(frame) + fading(at: frame))
  }

  /// How much of the last line's difference is left at a frame, in nanoseconds.
  func fading(at frame: Int64) -> Double {
    fade * (1 - min(1, max(0, Double(frame &- fadeStart) / fadeFrames)))
  }

  /// Nanoseconds from the anchor to a frame.
  func nanoseconds(to frame: Int64) -> Double { Double(frame &- anchor) * nanosecondsPerFrame }

  /// How much later than the filter's line `moment` lies at a frame, in nanoseconds.
  func gap(from moment: Moment, at frame: Int64) -> Double {
    Double(moment.whole &- reference) + (moment.fraction - estimate(frame))
  }

  /// Lets readers pass from `before` at frame `seam` onto the line over so many frames.
  mutating func join(before: Moment, at seam: Int64, over frames: Double) {
    fade = gap(from: before, at: seam)
    fadeStart = seam
    fadeFrames = frames
  }

  /// Lays the line through a point; the slope stays.
  mutating func restart(frame: Int64, at time: Int64) {
    (reference, anchor, offset, fade) = (time, frame, 0, 0)
  }

  /// Moves the anchor along the line, and says how many nanoseconds.
  mutating func advance(to frame: Int64) -> Double {
    let distance = nanoseconds(to: frame)
    let whole = (offset + distance).rounded()
    offset = (offset + distance) - whole
    reference &+= Int64(whole)
    anchor = frame
    return distance
  }

  /// Shifts the line by nanoseconds at the anchor, and turns it there by a fraction of its slope.
  mutating func correct(offset shift: Double, rate: Double) {
    offset += shift
    nanosecondsPerFrame *= 1 + rate
  }
}
