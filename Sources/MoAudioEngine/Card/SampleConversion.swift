/// Conversion between the program's floats and a card's samples, block by block.
///
/// Full scale is a power of two in both directions: an integer *n* of *b* bits is the float *n* / 2^(*b* − 1). So an
/// integer of 16 or 24 bits is unchanged after conversion to a float and back. Of an integer of 32 bits, the top 25
/// bits are unchanged. A float is rounded to the nearest integer step, ties to even, and clamped to −1 … the largest
/// step below +1.
///
/// - Thread: any.
/// - Real-time safe: yes.
package enum SampleConversion {
  /// The numbers of faulty samples, in one block or added up over several blocks.
  package struct Faults: Equatable {
    /// The number of samples that were NaN and were made silent.
    var notNumbers = 0
    /// The number of samples beyond ±1, infinity included, that were clamped to full scale.
    var clipped = 0

    package init(notNumbers: Int = 0, clipped: Int = 0) {
      (self.notNumbers, self.clipped) = (notNumbers, clipped)
    }

    static func += (left: inout Faults, right: Faults) {
      left.notNumbers &+= right.notNumbers
      left.clipped &+= right.clipped
    }
  }

  /// Converts floats to the card's samples.
  ///
  /// - Parameters:
  ///   - source: the floats; faults are corrected in `source` itself.
  ///   - target: a buffer for `source.count` samples of `format`, aligned for them.
  package static func encode(
    _ source: UnsafeMutableBufferPointer<Float>, to target: UnsafeMutableRawPointer, as format: SampleFormat
  ) -> Faults {
    guard let samples = source.baseAddress else { return Faults() }
    let count = source.count
    let faults = isSound(samples, count) ? Faults() : mend(samples, count)
    switch format {
    case .float:
      target.copyMemory(from: samples, byteCount: count &* 4)
    case .s32:
      let out = target.assumingMemoryBound(to: Int32.self)
      for i in 0..<count { out[i] = step(samples[i], 0x1p31, top: 0x1p31 - 1) }
    case .s24:
      let out = target.assumingMemoryBound(to: Int32.self)
      for i in 0..<count { out[i] = step(samples[i], 0x1p23, top: 0x1p23 - 1) }
    case .s24Packed:
      let out = target.assumingMemoryBound(to: UInt8.self)
      for i in 0..<count {
        let value = UInt32(bitPattern: step(samples[i], 0x1p23, top: 0x1p23 - 1))
        out[3 &* i] = UInt8(truncatingIfNeeded: value)
        out[3 &* i &+ 1] = UInt8(truncatingIfNeeded: value >> 8)
        out[3 &* i &+ 2] = UInt8(truncatingIfNeeded: value >> 16)
      }
    case .s16:
      let out = target.assumingMemoryBound(to: Int16.self)
      for i in 0..<count { out[i] = Int16(truncatingIfNeeded: step(samples[i], 0x1p15, top: 0x1p15 - 1)) }
    }
    return faults
  }

  /// Converts the card's samples to floats.
  ///
  /// - Returns: the faults of floating-point samples, which are corrected in `target`; integers have no faults.
  package static func decode(
    _ source: UnsafeRawPointer, as format: SampleFormat, to target: UnsafeMutableBufferPointer<Float>
  ) -> Faults {
    guard let out = target.baseAddress else { return Faults() }
    let count = target.count
    switch format {
    case .float:
      UnsafeMutableRawPointer(out).copyMemory(from: source, byteCount: count &* 4)
      return isSound(out, count) ? Faults() : mend(out, count)
    case .s32:
      // A float holds 24 bits and the sign. Dropping the low 7 bits keeps the ones above; rounding would carry into
      // them.
      let samples = source.assumingMemoryBound(to: Int32.self)
      for i in 0..<count { out[i] = Float(samples[i] & ~0x7f) * 0x1p-31 }
    case .s24:
      // The fourth byte is undefined.
      let samples = source.assumingMemoryBound(to: Int32.self)
      for i in 0..<count { out[i] = Float(samples[i] &<< 8) * 0x1p-31 }
    case .s24Packed:
      let bytes = source.assumingMemoryBound(to: UInt8.self)
      for i in 0..<count {
        let value =
          UInt32(bytes[3 &* i]) &<< 8 | UInt32(bytes[3 &* i &+ 1]) &<< 16 | UInt32(bytes[3 &* i &+ 2]) &<< 24
        out[i] = Float(Int32(bitPattern: value)) * 0x1p-31
      }
    case .s16:
      let samples = source.assumingMemoryBound(to: Int16.self)
      for i in 0..<count { out[i] = Float(samples[i]) * 0x1p-15 }
    }
    return Faults()
  }

  /// Returns `sample` times `scale`, rounded to the nearest integer and at most `top`; `sample` must be within ±1.
  ///
  /// The addition of 1.5 × 2^52 leaves the integer part in the low bits, rounded by the processor's adder, ties to
  /// even. This needs no branch and no call, so the compiler can vectorise it.
  @inline(__always)
  private static func step(_ sample: Float, _ scale: Double, top: Double) -> Int32 {
    let scaled = Double(sample) * scale
    let held = scaled < top ? scaled : top
    return Int32(truncatingIfNeeded: (held + 0x1.8p52).bitPattern)
  }

  /// Returns whether all samples are within ±1 and not NaN, which is nearly always true.
  private static func isSound(_ samples: UnsafeMutablePointer<Float>, _ count: Int) -> Bool {
    // Without the sign, the bits of floats have the order of the floats, and NaN is above infinity.
    let one = Int32(bitPattern: Float(1).bitPattern)
    var beyond: Int32 = 0
    for i in 0..<count {
      let magnitude = Int32(bitPattern: samples[i].bitPattern & 0x7fff_ffff)
      beyond |= one &- magnitude
    }
    return beyond >= 0
  }

  /// Replaces NaN by 0, clamps the other samples to ±1, and returns the numbers of both corrections.
  private static func mend(_ samples: UnsafeMutablePointer<Float>, _ count: Int) -> Faults {
    var faults = Faults()
    for i in 0..<count {
      let sample = samples[i]
      if sample.isNaN {
        samples[i] = 0
        faults.notNumbers &+= 1
      } else if sample > 1 || sample < -1 {
        samples[i] = sample > 0 ? 1 : -1
        faults.clipped &+= 1
      }
    }
    return faults
  }
}

/// The layout of a sample on a card: in native byte order, except `s24Packed`, which is little-endian.
package enum SampleFormat: CaseIterable, Sendable {
  /// 32-bit floating point, ±1 at full scale.
  case float
  /// 32-bit integers.
  case s32
  /// 24-bit integers in the low three of four bytes.
  case s24
  /// 24-bit integers in three bytes.
  case s24Packed
  /// 16-bit integers.
  case s16

  /// Bytes per sample.
  package var bytes: Int {
    switch self {
    case .float, .s32, .s24: 4
    case .s24Packed: 3
    case .s16: 2
    }
  }
}

/// The mapping between the program's channels and a card's channels, if the numbers of channels differ.
///
/// Output: a mono program plays on every channel of the card. Otherwise the program's channels go to the card's first
/// channels, and the card's other channels are silent. Input: a mono card fills every channel of the program. Otherwise
/// the card's first channels are used, and the program's other channels are silent. Channels of the source that the
/// target does not have are dropped.
///
/// - Thread: any.
/// - Real-time safe: yes.
package struct ChannelMap: Equatable {
  /// The number of channels of the interleaved source.
  var from: Int
  /// The number of channels of the interleaved target.
  var to: Int

  package init(from: Int, to: Int) {
    (self.from, self.to) = (from, to)
  }

  /// Copies interleaved frames from `source` to `target`, with the channels mapped.
  package func copy(
    _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, frames: Int
  ) {
    if from == to {
      target.update(from: source, count: frames &* to)
    } else if from == 1 {
      for frame in 0..<frames {
        let sample = source[frame]
        for channel in 0..<to { target[frame &* to &+ channel] = sample }
      }
    } else {
      let shared = min(from, to)
      for frame in 0..<frames {
        for channel in 0..<shared { target[frame &* to &+ channel] = source[frame &* from &+ channel] }
        if shared < to { for channel in shared..<to { target[frame &* to &+ channel] = 0 } }
      }
    }
  }
}
