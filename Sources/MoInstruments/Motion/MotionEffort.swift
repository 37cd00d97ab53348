import MoDSP

/// How much a hand moves, 0 … 1, whether it shakes or only turns the device; exactly 0 at rest.
///
/// A slow sway is as good as a shake: whoever can do no more than lean plays all the same.
///
/// - Thread: one owner; the audio thread once playing.
/// - Real-time safe: yes.
struct MotionEffort: Sendable {
  /// How much it moves now.
  private(set) var value: Float = 0
  private var last: Motion?
  private var lastUp = SIMD3<Float>.zero
  private var turning = SIMD3<Float>.zero

  /// Seconds over which turning is averaged, so that a sensor's trembling does not count; radians a second that do not
  /// count, and that are all.
  private static let turnTime: Float = 0.15
  private static let stillTurn: Float = 0.2
  private static let fullTurn: Float = 2.5
  /// The activity that is all.
  private static let fullActivity: Float = 0.6

  /// Takes a reading.
  mutating func follow(_ motion: Motion) {
    let up = motion.tilt.up
    if let last {
      let seconds = max(0.001, min(Float(motion.time.seconds(since: last.time)), 1))
      turning += ((up - lastUp) / seconds - turning) * (seconds / (Self.turnTime + seconds))
    }
    (last, lastUp) = (motion, up)
    let speed = (turning * turning).sum().squareRoot()
    let turn = max(0, (speed - Self.stillTurn) / (Self.fullTurn - Self.stillTurn))
    value = min(1, max(turn, motion.activity / Self.fullActivity))
  }
}
