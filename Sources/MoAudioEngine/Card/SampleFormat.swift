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
  var bytes: Int {
    switch self {
    case .float, .s32, .s24: 4
    case .s24Packed: 3
    case .s16: 2
    }
  }
}
