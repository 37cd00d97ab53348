import CALSA

/// A sample format of the sound card.
///
/// Everywhere else here a sample is an Int32 with its highest bit at the top, whatever the card's format;
/// what a format holds fewer of are the low bits.
enum SampleFormat: String {
  case s16 = "S16"
  case s24 = "S24"
  case s32 = "S32"

  /// Bits that survive the way through the card.
  var bits: Int {
    switch self {
    case .s16: 16
    case .s24: 24
    case .s32: 32
    }
  }

  /// What ALSA calls it; S24 is the one in four bytes.
  var alsa: snd_pcm_format_t {
    switch self {
    case .s16: SND_PCM_FORMAT_S16_LE
    case .s24: SND_PCM_FORMAT_S24_LE
    case .s32: SND_PCM_FORMAT_S32_LE
    }
  }

  /// Bytes of one sample in the card's buffer.
  var width: Int { self == .s16 ? 2 : 4 }

  /// Writes samples as the card wants them.
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

  /// Reads samples as the card gives them.
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
