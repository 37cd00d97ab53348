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

  /// The range of possible tempos in beats per minute: from a beat every three seconds to 16 beats a second.
  public static let range = 20.0...999.0

  /// Creates a tempo; a number out of `range` is clamped, and NaN becomes 120.
  public init(_ beatsPerMinute: Double) { self.beatsPerMinute = Self.nearest(beatsPerMinute) }

  /// Creates a tempo; a number out of `range` is clamped, and NaN becomes 120.
  public init(_ beatsPerMinute: Float) { self.init(Double(beatsPerMinute)) }

  /// Creates a tempo; a number out of `range` is clamped.
  public init(_ beatsPerMinute: Int) { self.init(Double(beatsPerMinute)) }

  /// Returns a tempo in beats per minute, clamped to `range`; NaN becomes 120.
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
