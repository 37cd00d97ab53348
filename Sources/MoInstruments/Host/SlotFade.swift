import MoDSP

/// The gain of an instrument, 0 … 1: it rises in a fade-in, is 1 during play, and falls in a fade-out.
///
/// - Thread: the rendering thread.
/// - Real-time safe: yes.
struct SlotFade {
  private var gain = ControlGlide(1)

  /// The length of the fade-out of an instrument that leaves the bus, in seconds.
  static let leaving = 0.01
  /// The length of the cross-fade between an instrument and its successor, in seconds.
  static let crossfade = 0.25

  /// Whether the instrument plays or fades in; false from the start of its fade-out on.
  var stays: Bool { gain.goal != 0 }
  /// Whether the instrument has faded out completely.
  var isGone: Bool { gain.goal == 0 && gain.held == 0 }

  /// Starts a fade-in from silence, which lasts `crossfade` seconds.
  mutating func enter(sampleRate: Double) {
    gain = ControlGlide(0)
    gain.head(for: 1, in: Self.frames(Self.crossfade, sampleRate))
  }

  /// Starts a fade-out that lasts the given number of seconds.
  mutating func leave(in seconds: Double, sampleRate: Double) {
    gain.head(for: 0, in: Self.frames(seconds, sampleRate))
  }

  /// Returns the gain at a frame; frame 0 is the first frame after the last call of `advance`.
  func value(_ frame: Int) -> Float { gain.value(frame) }

  /// Advances the gain by the number of rendered frames.
  mutating func advance(_ frames: Int) { gain.advance(frames, isRenewal: true) }

  private static func frames(_ seconds: Double, _ sampleRate: Double) -> Int {
    max(1, Int(seconds * sampleRate))
  }
}
