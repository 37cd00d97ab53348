import Glibc

/// Small sums that instruments are full of.
///
/// - Thread: any.
/// - Real-time safe: yes, all of it.
public enum MoFun {
  /// The value, or the nearer end of the range; no number counts as the lowest.
  @inlinable
  public static func clamp<Value: Comparable>(_ value: Value, to range: ClosedRange<Value>) -> Value {
    max(range.lowerBound, min(value, range.upperBound))
  }

  /// Carries a value from one span to another: `map(tilt, from: (-1, 1), to: (200, 800))`.
  ///
  /// What is outside the first comes out outside the second. A span may run downwards. Where the first has no
  /// width, everything becomes the second's beginning.
  @inlinable
  public static func map<Value: BinaryFloatingPoint>(
    _ value: Value, from source: (Value, Value), to target: (Value, Value)
  ) -> Value {
    guard source.0 != source.1 else { return target.0 }
    return target.0 + (value - source.0) / (source.1 - source.0) * (target.1 - target.0)
  }

  /// Carries a value from one span to another, and holds it there.
  @inlinable
  public static func mapClamped<Value: BinaryFloatingPoint>(
    _ value: Value, from source: (Value, Value), to target: (Value, Value)
  ) -> Value {
    let (low, high) = (min(target.0, target.1), max(target.0, target.1))
    return max(low, min(map(value, from: source, to: target), high))
  }

  /// The frequency of a MIDI note in Hz, in equal temperament: 69, the A above middle C, is 440; parts of a semitone count.
  @inlinable
  public static func midiToHz(_ note: Double) -> Double { 440 * exp2((note - 69) / 12) }

  /// The MIDI note of a frequency in Hz; −∞ for 0.
  @inlinable
  public static func hzToMIDI(_ frequency: Double) -> Double { 69 + 12 * log2(frequency / 440) }

  /// How many times louder so many decibels are; 0 for −∞.
  @inlinable
  public static func amplitude(decibels: Double) -> Double { pow(10, decibels / 20) }

  /// How many decibels so many times louder is; −∞ for 0.
  @inlinable
  public static func decibels(amplitude: Double) -> Double { 20 * log10(abs(amplitude)) }
}
