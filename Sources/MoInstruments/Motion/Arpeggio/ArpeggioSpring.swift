import Glibc

/// What keeps an arpeggio going after a movement: wound up at once, it runs down by itself.
struct ArpeggioSpring: Sendable {
  /// How far it is wound up, 0 … 1.
  private(set) var wound: Float = 0
  private var sampleRate: Double
  private var fade: Float
  /// Frames until it may run down: after a strike, a bar.
  private var kept = 0

  /// Seconds in which it runs down to 37 %.
  private static let seconds = 0.5

  init(sampleRate: Double = 48_000) {
    self.sampleRate = sampleRate
    fade = Float(exp(-1 / (Self.seconds * sampleRate)))
  }

  /// Winds it up by a movement, 0 still … 1 wild.
  mutating func move(_ effort: Float) {
    guard effort > 0 else { return }
    // A small movement is enough to make it go.
    wound = max(wound, min(1, 0.1 + 0.9 * effort))
  }

  /// Winds it up, to stay so for some seconds.
  mutating func strike(_ force: Float, for seconds: Double) {
    wound = max(wound, min(1, 0.2 + 0.8 * force))
    kept = Int(seconds * sampleRate)
  }

  /// Runs down at once.
  mutating func stop() { (wound, kept) = (0, 0) }

  /// A frame passes.
  mutating func tick() {
    if kept > 0 {
      kept &-= 1
    } else {
      wound = wound < 0.03 ? 0 : wound * fade
    }
  }
}
