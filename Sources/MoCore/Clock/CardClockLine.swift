/// The line by which `CardClock` maps frames to nanoseconds, and the fading difference from the previous line.
///
/// The anchor is a point of the line: a frame, and its time in whole nanoseconds and a fraction. The anchor moves along
/// the line while the program plays, so the floating-point part stays small and exact.
struct CardClockLine: Sendable {
  /// The whole nanoseconds of the host time at the anchor; `offset` has the fraction of a nanosecond.
  private(set) var reference: Int64 = 0
  private var anchor: Int64 = 0
  private var offset = 0.0
  var nanosecondsPerFrame: Double

  /// The time on the previous line minus the time on this line at the frame `fadeStart`, in nanoseconds.
  ///
  /// From `fadeStart` on, this difference fades linearly to 0 within `fadeFrames` frames.
  private var fade = 0.0
  private var fadeStart: Int64 = 0
  private var fadeFrames = 1.0

  init(nominalNanosecondsPerFrame: Double) { nanosecondsPerFrame = nominalNanosecondsPerFrame }

  /// A host time in whole nanoseconds and a fraction, so that a new line joins the previous line exactly.
  struct Moment {
    var whole: Int64
    var fraction: Double
    var nanoseconds: Int64 { whole &+ Int64(fraction.rounded()) }
  }

  /// Returns the nanoseconds from `reference` to a frame's time on the line, without the fading difference.
  func estimate(_ frame: Int64) -> Double { offset + nanoseconds(to: frame) }

  /// Returns a frame's time on the line, plus the fading difference.
  func time(frame: Int64) -> Moment {
    Moment(whole: reference, fraction: estimate(frame) + fading(at: frame))
  }

  /// Returns the difference from the previous line that is left at a frame, in nanoseconds.
  func fading(at frame: Int64) -> Double {
    fade * (1 - min(1, max(0, Double(frame &- fadeStart) / fadeFrames)))
  }

  /// Returns the nanoseconds from the anchor to a frame.
  func nanoseconds(to frame: Int64) -> Double { Double(frame &- anchor) * nanosecondsPerFrame }

  /// Returns the nanoseconds by which `moment` is later than a frame's time on the line.
  func gap(from moment: Moment, at frame: Int64) -> Double {
    Double(moment.whole &- reference) + (moment.fraction - estimate(frame))
  }

  /// Starts a fade from the previous line, which gave the time `before` for frame `seam`, to this line.
  ///
  /// - Parameter frames: the length of the fade, in frames.
  mutating func join(before: Moment, at seam: Int64, over frames: Double) {
    fade = gap(from: before, at: seam)
    fadeStart = seam
    fadeFrames = frames
  }

  /// Shifts the line so that it goes through a point, without a fade; the slope stays.
  mutating func restart(frame: Int64, at time: Int64) {
    (reference, anchor, offset, fade) = (time, frame, 0, 0)
  }

  /// Moves the anchor along the line to a frame, and returns the nanoseconds between the old and the new anchor.
  mutating func advance(to frame: Int64) -> Double {
    let distance = nanoseconds(to: frame)
    let whole = (offset + distance).rounded()
    offset = (offset + distance) - whole
    reference &+= Int64(whole)
    anchor = frame
    return distance
  }

  /// Shifts the line at the anchor by `shift` nanoseconds, and multiplies the line's slope by 1 + `rate`.
  mutating func correct(offset shift: Double, rate: Double) {
    offset += shift
    nanosecondsPerFrame *= 1 + rate
  }
}
