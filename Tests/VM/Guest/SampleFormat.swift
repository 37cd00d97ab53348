import CALSA

/// A sample format of the sound card.
///
/// Elsewhere in this program a sample is an Int32 with its highest bit at the top, for any format of the card. A
/// narrower format lacks the low bits.
enum SampleFormat: String {
  case s16 = "S16"
  case s24 = "S24"
  case s32 = "S32"

  /// The bits that the card transmits.
  var bits: Int {
    switch self {
    case .s16: 16
    case .s24: 24
    case .s32: 32
    }
  }

  /// The name in ALSA; S24 is the format in four bytes.
  var alsa: snd_pcm_format_t {
    switch self {
    case .s16: SND_PCM_FORMAT_S16_LE
    case .s24: SND_PCM_FORMAT_S24_LE
    case .s32: SND_PCM_FORMAT_S32_LE
    }
  }

  /// The bytes of one sample in the card's buffer.
  var width: Int { self == .s16 ? 2 : 4 }

  /// Writes samples in the card's format.
  func store(_ samples: ArraySlice<Int32>, to card: UnsafeMutableRawPointer) {
    var at = card
    for sample in samples {
      switch self {
      case .s16: at.storeBytes(of: Int16(truncatingIfNeeded: sample >> 16), as: Int16.self)
      case .s24: at.storeBytes(of: sample >> 8, as: Int32.self)
      case .s32: at.storeBytes(of: sample, as: Int32.self)
      }
      at += width
    }
  }

  /// Reads samples in the card's format.
  func load(_ count: Int, from card: UnsafeRawPointer) -> [Int32] {
    (0..<count).map { index in
      let at = card + index * width
      return switch self {
      case .s16: Int32(at.loadUnaligned(as: Int16.self)) << 16
      case .s24: at.loadUnaligned(as: Int32.self) << 8
      case .s32: at.loadUnaligned(as: Int32.self)
      }
    }
  }
}
