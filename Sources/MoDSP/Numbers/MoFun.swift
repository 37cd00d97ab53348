import Glibc

/// Small formulas that instruments often need.
///
/// - Thread: any.
/// - Real-time safe: yes.
public enum MoFun {
  /// Clamps a value to a range; NaN becomes the lower end of the range.
  @inlinable
  public static func clamp<Value: Comparable>(_ value: Value, to range: ClosedRange<Value>) -> Value {
    max(range.lowerBound, min(value, range.upperBound))
  }

  /// Returns a value mapped linearly from one range to another, such as `map(tilt, from: (-1, 1), to: (200, 800))`.
  ///
  /// A value outside the first range gives a result outside the second range. A range may run downwards. If the first
  /// range has no width, the result is the start of the second range.
  @inlinable
  public static func map<Value: BinaryFloatingPoint>(
    _ value: Value, from source: (Value, Value), to target: (Value, Value)
  ) -> Value {
    guard source.0 != source.1 else { return target.0 }
    return target.0 + (value - source.0) / (source.1 - source.0) * (target.1 - target.0)
  }

  /// Returns a value mapped linearly from one range to another, and clamped to the second range.
  @inlinable
  public static func mapClamped<Value: BinaryFloatingPoint>(
    _ value: Value, from source: (Value, Value), to target: (Value, Value)
  ) -> Value {
    let (low, high) = (min(target.0, target.1), max(target.0, target.1))
    return max(low, min(map(value, from: source, to: target), high))
  }

  /// Converts a MIDI note number to Hz, in equal temperament: 69 (the A above middle C) is 440; fractions are allowed.
  @inlinable
  public static func midiToHz(_ note: Double) -> Double { 440 * exp2((note - 69) / 12) }

  /// Converts a MIDI note number to Hz, in equal temperament: 69 (the A above middle C) is 440.
  @inlinable @_disfavoredOverload
  public static func midiToHz(_ note: Float) -> Float { Float(midiToHz(Double(note))) }

  /// Converts a MIDI note number to Hz, in equal temperament: 69 (the A above middle C) is 440.
  @inlinable
  public static func midiToHz(_ note: Int) -> Double { midiToHz(Double(note)) }

  /// Converts a frequency in Hz to a MIDI note number with a fraction: 440 is 69; 0 gives −∞.
  @inlinable
  public static func hzToMIDI(_ frequency: Double) -> Double { 69 + 12 * log2(frequency / 440) }

  /// Converts a frequency in Hz to a MIDI note number with a fraction: 440 is 69; 0 gives −∞.
  @inlinable @_disfavoredOverload
  public static func hzToMIDI(_ frequency: Float) -> Float { Float(hzToMIDI(Double(frequency))) }

  /// Converts decibels to linear gain: 0 dB gives 1, and −∞ dB gives 0.
  @inlinable
  public static func amplitude(decibels: Double) -> Double { pow(10, decibels / 20) }

  /// Converts decibels to linear gain: 0 dB gives 1, and −∞ dB gives 0.
  @inlinable @_disfavoredOverload
  public static func amplitude(decibels: Float) -> Float { Float(amplitude(decibels: Double(decibels))) }

  /// Converts linear gain to decibels: 1 gives 0 dB, and 0 gives −∞ dB; the sign of the gain is ignored.
  @inlinable
  public static func decibels(amplitude: Double) -> Double { 20 * log10(abs(amplitude)) }

  /// Converts linear gain to decibels: 1 gives 0 dB, and 0 gives −∞ dB; the sign of the gain is ignored.
  @inlinable @_disfavoredOverload
  public static func decibels(amplitude: Float) -> Float { Float(decibels(amplitude: Double(amplitude))) }
}

extension MoFun {
  /// Returns the root mean square of a block; 0 for an empty block.
  ///
  /// - Real-time safe: yes.
  @inlinable
  public static func rms(_ samples: Span<Float>) -> Float {
    guard !samples.isEmpty else { return 0 }
    var sum = 0.0
    for index in samples.indices {
      sum += Double(samples[unchecked: index]) * Double(samples[unchecked: index])
    }
    return Float((sum / Double(samples.count)).squareRoot())
  }

  /// Returns the largest magnitude in a block; 0 for an empty block.
  ///
  /// - Real-time safe: yes.
  @inlinable
  public static func peak(_ samples: Span<Float>) -> Float {
    var peak: Float = 0
    for index in samples.indices { peak = max(peak, abs(samples[unchecked: index])) }
    return peak
  }
}
