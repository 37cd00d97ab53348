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
