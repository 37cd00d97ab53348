/// How a card lays out one sample; all in the machine's byte order but the packed one, which is little-endian.
package enum SampleFormat: CaseIterable, Sendable {
  /// 32-bit floating point, ±1 at full scale.
  case float
  /// 32-bit whole numbers.
  case s32
  /// 24-bit whole numbers in the low three of four bytes.
  case s24
  /// 24-bit whole numbers in three bytes.
  case s24Packed
  /// 16-bit whole numbers.
  case s16

  /// Bytes one sample takes.
  var bytes: Int {
    switch self {
    case .float, .s32, .s24: 4
    case .s24Packed: 3
    case .s16: 2
    }
  }
}
