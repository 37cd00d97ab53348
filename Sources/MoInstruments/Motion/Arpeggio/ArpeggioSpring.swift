import Glibc

/// The spring that keeps an arpeggio going after a movement: wound up immediately, it runs down slowly.
struct ArpeggioSpring: Sendable {
  /// How far the spring is wound up, 0 (not at all) … 1.
  private(set) var wound: Float = 0
  private var sampleRate: Double
  private var fade: Float
  /// The number of frames until the spring begins to run down; after a strike, the length of four beats.
  private var kept = 0

  /// The time in which the spring runs down to 37 %, in seconds.
  private static let seconds = 0.5

  init(sampleRate: Double = 48_000) {
    self.sampleRate = sampleRate
    fade = Float(exp(-1 / (Self.seconds * sampleRate)))
  }

  /// Winds the spring up by the effort of a movement, 0 (still) … 1 (wild).
  mutating func move(_ effort: Float) {
    guard effort > 0 else { return }
    // A small movement is enough to start it.
    wound = max(wound, min(1, 0.1 + 0.9 * effort))
  }

  /// Winds the spring up by the force of a strike, 0 … 1; the spring begins to run down after the given number of
  /// seconds.
  mutating func strike(_ force: Float, for seconds: Double) {
    wound = max(wound, min(1, 0.2 + 0.8 * force))
    kept = Int(seconds * sampleRate)
  }

  /// Unwinds the spring immediately.
  mutating func stop() { (wound, kept) = (0, 0) }

  /// Advances by one frame.
  mutating func tick() {
    if kept > 0 {
      kept &-= 1
    } else {
      wound = wound < 0.03 ? 0 : wound * fade
    }
  }
}
