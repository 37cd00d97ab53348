/// The number format of the samples in a sound file.
public enum SoundCoding: CaseIterable, Sendable {
  /// Unsigned integers of 8 bits; 128 is silence.
  case unsigned8
  /// 16-bit integers.
  case int16
  /// 24-bit integers in three bytes.
  case int24
  /// 32-bit integers.
  case int32
  /// 32-bit floating point, ±1 at full scale.
  case float32
  /// 64-bit floating point.
  case float64

  /// Bytes per sample.
  package var bytes: Int {
    switch self {
    case .unsigned8: 1
    case .int16: 2
    case .int24: 3
    case .int32, .float32: 4
    case .float64: 8
    }
  }

  /// The card format with the same samples and the same conversion; nil if `SoundCoding` converts the samples itself.
  private var cardFormat: SampleFormat? {
    switch self {
    case .int16: .s16
    case .int24: .s24Packed
    case .int32: .s32
    case .float32, .unsigned8, .float64: nil
    }
  }

  /// Converts a file's samples to floats: integers are divided by their full scale, floats keep their value.
  ///
  /// Floats that are NaN or infinite become 0, and floats beyond ±1e30 are clamped.
  ///
  /// - Parameter source: `target.count` samples, aligned for them.
  package func decode(_ source: UnsafeRawPointer, to target: UnsafeMutableBufferPointer<Float>) {
    if let cardFormat {
      _ = SampleConversion.decode(source, as: cardFormat, to: target)
    } else if self == .unsigned8 {
      let bytes = source.assumingMemoryBound(to: UInt8.self)
      for index in target.indices { target[index] = Float(Int32(bytes[index]) &- 128) * 0x1p-7 }
    } else if self == .float32 {
      let values = source.assumingMemoryBound(to: Float.self)
      for index in target.indices { target[index] = held(values[index]) }
    } else {
      let values = source.assumingMemoryBound(to: Double.self)
      for index in target.indices { target[index] = held(Float(values[index])) }
    }
  }

  /// Returns 0 for NaN and infinity; clamps other values to ±1e30, so that sums of samples stay finite.
  private func held(_ value: Float) -> Float { value.isFinite ? max(-1e30, min(1e30, value)) : 0 }

  /// Converts floats to samples of this format.
  ///
  /// For an integer format, each value is rounded to the nearest step and clamped to full scale.
  ///
  /// - Parameters:
  ///   - source: the samples; NaN and values beyond full scale may be corrected in place.
  ///   - target: a buffer for `source.count` samples of this format, aligned for them.
  func encode(_ source: UnsafeMutableBufferPointer<Float>, to target: UnsafeMutableRawPointer) {
    if let cardFormat {
      _ = SampleConversion.encode(source, to: target, as: cardFormat)
    } else if self == .unsigned8 {
      let bytes = target.assumingMemoryBound(to: UInt8.self)
      for index in source.indices {
        let value = source[index].isNaN ? 0 : max(-128, min(127, (source[index] * 128).rounded()))
        bytes[index] = UInt8(value + 128)
      }
    } else if self == .float32 {
      let values = target.assumingMemoryBound(to: Float.self)
      for index in source.indices { values[index] = source[index].isFinite ? source[index] : 0 }
    } else {
      let values = target.assumingMemoryBound(to: Double.self)
      for index in source.indices { values[index] = source[index].isFinite ? Double(source[index]) : 0 }
    }
  }
}
