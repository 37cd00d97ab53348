import Glibc

/// An envelope of up to 16 points, joined by straight or curved lines.
///
/// The level stays at the point `hold` until you call `off`.
///
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: `on`, `off` and `tick`, yes.
@frozen
public struct BreakpointEnvelope: SampleSource, Voice {
  /// A point of the envelope, with the line that leads to it from the previous point.
  @frozen
  public struct Point: Equatable, Sendable, BitwiseCopyable {
    /// The level at the point.
    public var level: Double
    /// Seconds from the previous point, or from `on` for the first point.
    ///
    /// 0, a negative value or NaN gives a jump.
    public var seconds: Double
    /// The curvature of the line, clamped to ±20: 0 is straight, above 0 slow at first, below 0 fast at first.
    public var curve: Double

    /// Creates a point with the level `level`, `seconds` after the previous point.
    public init(_ level: Double, after seconds: Double, curve: Double = 0) {
      (self.level, self.seconds, self.curve) = (level, seconds, curve)
    }
  }

  /// The number of points, 0 … 16.
  public let count: Int
  /// The index of the point at which the level stays until `off`; nil if the level stays at no point.
  public var hold: Int?
  @usableFromInline var points = InlineArray<16, Point>(repeating: Point(0, after: 0))
  @usableFromInline var sampleRate: Double
  /// The index of the next point; `count` if no point is left, or while the level stays at the point `hold`.
  @usableFromInline var next: Int
  @usableFromInline var isHeld = false
  /// Samples until the next point.
  @usableFromInline var remaining = 0
  /// The present level; on the way to a point, a constant part (`base`) plus a changing part (`rise`).
  @usableFromInline var value = 0.0
  @usableFromInline var base = 0.0
  /// The changing part of the level: in each sample, `rise` becomes `rise` · `factor` + `summand`.
  @usableFromInline var rise = 0.0
  @usableFromInline var factor = 1.0
  @usableFromInline var summand = 0.0

  /// Creates an envelope at rest, with a level of 0; points after the sixteenth are ignored.
  public init(_ points: [Point], hold: Int? = nil, sampleRate: Double = 48_000) {
    count = min(points.count, 16)
    for index in 0..<count { self.points[index] = points[index] }
    self.hold = hold
    self.sampleRate = sampleRate
    next = count
    prepare(sampleRate: sampleRate)
  }

  /// Adapts the envelope to a sample rate, and resets it to rest, with a level of 0.
  public mutating func prepare(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate must be above 0 Hz")
    self.sampleRate = sampleRate
    (next, value, isHeld) = (count, 0, false)
  }

  /// The present level.
  @inlinable
  public var level: Double { value }

  /// Whether the level moves towards a point, or is held at the point `hold`.
  @inlinable
  public var isSounding: Bool { next < count || isHeld }

  /// Starts the envelope: the level moves from its present value towards the first point.
  public mutating func on() {
    isHeld = false
    head(for: 0)
  }

  /// Releases the envelope from the point `hold`.
  ///
  /// The level moves towards the point after `hold` immediately, even if the level has not yet reached `hold`. If
  /// `hold` is nil or the level has already passed `hold`, `off` changes nothing.
  public mutating func off() {
    guard let hold, isSounding, isHeld || next <= hold else { return }
    isHeld = false
    head(for: min(hold, count) + 1)
  }

  /// Advances by one sample, and returns the level; after the last point, the level stays.
  @inlinable
  public mutating func tick() -> Float {
    guard next < count else { return Float(value) }
    rise = rise * factor + summand
    value = base + rise
    remaining &-= 1
    if remaining <= 0 { arrive() }
    return Float(value)
  }

  @usableFromInline
  mutating func arrive() {
    value = points[next].level
    if next == hold {
      isHeld = true
      next = count
    } else {
      head(for: next + 1)
    }
  }

  private mutating func head(for point: Int) {
    next = max(0, min(point, count))
    guard next < count else { return }
    let (goal, samples) = (points[next].level, max(0, min(points[next].seconds * sampleRate, 1e12)))
    remaining = max(1, Int(samples.rounded()))
    let curve = max(-20, min(points[next].curve, 20))
    if abs(curve) < 1e-3 {
      (base, rise, factor) = (value, 0, 1)
      summand = (goal - value) / Double(remaining)
    } else {
      // base + rise·e^(curve·t) through both ends, t from 0 to 1.
      rise = (goal - value) / expm1(curve)
      (base, factor, summand) = (value - rise, exp(curve / Double(remaining)), 0)
    }
  }
}
