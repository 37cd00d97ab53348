import Glibc

/// An envelope through up to 16 points, on straight or bent lines; it may wait at one of them until it is released.
///
/// - Thread: one owner; the audio thread once playing.
/// - Real-time safe: `on`, `off` and `tick`, yes.
@frozen
public struct BreakpointEnvelope: SampleSource, Voice {
  /// A point and the line to it.
  @frozen
  public struct Point: Equatable, Sendable, BitwiseCopyable {
    /// The level to come to.
    public var level: Double
    /// Seconds from the point before; below 0, or no number, counts as 0: a jump.
    public var seconds: Double
    /// How the line is bent: 0 straight, above 0 slow at first, below 0 quick at first; kept within ±20.
    public var curve: Double

    /// A point, so many seconds after the one before.
    public init(_ level: Double, after seconds: Double, curve: Double = 0) {
      (self.level, self.seconds, self.curve) = (level, seconds, curve)
    }
  }

  /// How many points there are, 0 … 16.
  public let count: Int
  /// The point to wait at until `off`, or nil to go through all of them.
  public var hold: Int?
  @usableFromInline var points = InlineArray<16, Point>(repeating: Point(0, after: 0))
  @usableFromInline var sampleRate: Double
  /// The point ahead; `count` where none is.
  @usableFromInline var next: Int
  @usableFromInline var isHeld = false
  /// Samples until the point ahead.
  @usableFromInline var remaining = 0
  /// The line: level = base + rise, the rise growing by a factor, or the level by a summand, each sample.
  @usableFromInline var value = 0.0
  @usableFromInline var base = 0.0
  @usableFromInline var rise = 0.0
  @usableFromInline var factor = 1.0
  @usableFromInline var summand = 0.0

  /// An envelope at rest, at 0; points beyond the sixteenth are left out.
  public init(_ points: [Point], hold: Int? = nil, sampleRate: Double = 48_000) {
    count = min(points.count, 16)
    for index in 0..<count { self.points[index] = points[index] }
    self.hold = hold
    self.sampleRate = sampleRate
    next = count
    prepare(sampleRate: sampleRate)
  }

  /// Fits it to a sample rate, at rest.
  public mutating func prepare(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate is above 0 Hz")
    self.sampleRate = sampleRate
    (next, value, isHeld) = (count, 0, false)
  }

  /// The level now.
  @inlinable
  public var level: Double { value }

  /// Whether it is under way, or waits.
  @inlinable
  public var isSounding: Bool { next < count || isHeld }

  /// Sets out from the level it has for the first point.
  public mutating func on() {
    isHeld = false
    head(for: 0)
  }

  /// Goes on from where it waits, or sets out at once for the point after that.
  public mutating func off() {
    guard let hold, isSounding, isHeld || next <= hold else { return }
    isHeld = false
    head(for: hold + 1)
  }

  /// The next level.
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
