/// The speed of music in beats per minute, 20 … 999.
///
/// A number literal is a tempo: `Rhythm(tempo: 96)`.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct Tempo: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Beats per minute, within `range`.
  public let beatsPerMinute: Double

  /// The range of possible tempos in beats per minute: from a beat every three seconds to more than 16 beats a second.
  @inlinable public static var range: ClosedRange<Double> { 20...999 }

  /// Creates a tempo; a number out of `range` is clamped, and NaN becomes 120.
  @inlinable
  public init(_ beatsPerMinute: Double) { self.beatsPerMinute = Self.nearest(beatsPerMinute) }

  /// Creates a tempo; a number out of `range` is clamped, and NaN becomes 120.
  public init(_ beatsPerMinute: Float) { self.init(Double(beatsPerMinute)) }

  /// Creates a tempo; a number out of `range` is clamped.
  public init(_ beatsPerMinute: Int) { self.init(Double(beatsPerMinute)) }

  /// Returns a tempo in beats per minute, clamped to `range`; NaN becomes 120.
  @inlinable
  public static func nearest(_ beatsPerMinute: Double) -> Double {
    beatsPerMinute.isNaN ? 120 : min(max(beatsPerMinute, range.lowerBound), range.upperBound)
  }

  /// Returns whether `left` is slower than `right`.
  public static func < (left: Tempo, right: Tempo) -> Bool { left.beatsPerMinute < right.beatsPerMinute }
}

extension Tempo: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// Creates a tempo from a literal, such as `98.5`.
  public init(floatLiteral value: Double) { self.init(value) }
  /// Creates a tempo from a literal, such as `98`.
  public init(integerLiteral value: Int) { self.init(value) }

  /// The number of beats per minute, as text.
  public var description: String { "\(beatsPerMinute)" }
}

/// A length in beats, positive or negative; a beat is a note of the meter's unit.
///
/// A number literal is a length: `rhythm.setTempo(132, over: 16)`.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct Beats: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The number of beats; finite.
  public let count: Double

  /// Creates a length; NaN and infinity become 0.
  public init(_ count: Double) { self.count = count.isFinite ? count : 0 }

  /// Creates a length; NaN and infinity become 0.
  public init(_ count: Float) { self.init(Double(count)) }

  /// Creates a length.
  public init(_ count: Int) { self.init(Double(count)) }

  /// Creates the length that lasts a number of seconds at a tempo.
  public init(seconds: Double, at tempo: Tempo) { self.init(seconds * tempo.beatsPerMinute / 60) }

  /// Returns the number of seconds that the length lasts at a tempo.
  public func seconds(at tempo: Tempo) -> Double { count * 60 / tempo.beatsPerMinute }

  /// Returns whether `left` is shorter than `right`.
  public static func < (left: Beats, right: Beats) -> Bool { left.count < right.count }
}

extension Beats: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// Creates a length from a literal, such as `0.5`.
  public init(floatLiteral value: Double) { self.init(value) }
  /// Creates a length from a literal, such as `4`.
  public init(integerLiteral value: Int) { self.init(value) }

  /// The number of beats, as text.
  public var description: String { "\(count)" }
}
