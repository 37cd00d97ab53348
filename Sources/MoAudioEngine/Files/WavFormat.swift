/// The fields of the fmt chunk of a WAV file.
struct WavFormat {
  let tag: Int
  let channels: Int
  let sampleRate: Int
  let frameBytes: Int
  let bits: Int
  /// Whether the chunk has the WAVE_FORMAT_EXTENSIBLE tag, but its extension is incomplete or unknown, so that `tag` is
  /// 0.
  private let isOdd: Bool

  private static let pcm = 1
  private static let floatingPoint = 3
  private static let extensible = 0xFFFE

  /// - Parameter fields: the chunk's first 16 to 40 bytes.
  init(_ fields: RIFFBytes) {
    channels = fields.half(2)
    sampleRate = fields.word(4)
    frameBytes = fields.half(12)
    bits = fields.half(14)
    guard fields.half(0) == Self.extensible else {
      (tag, isOdd) = (fields.half(0), false)
      return
    }
    // The tag is the start of a GUID with a fixed rest: xxxxxxxx-0000-0010-8000-00AA00389B71.
    let isWhole =
      fields.count >= 40 && fields.half(16) >= 22 && fields.half(26) == 0
      && fields.long(28) == 0xAA00_0080_0010_0000 && fields.word(36) == 0x719B_3800
    (tag, isOdd) = (isWhole ? fields.half(24) : 0, !isWhole)
  }

  /// Returns the coding of the samples; nil if they are compressed.
  ///
  /// - Throws: `damaged` if the fields are inconsistent.
  func coding(path: String) throws(AudioFileError) -> SoundCoding? {
    guard tag == Self.pcm || tag == Self.floatingPoint else {
      if isOdd { throw .damaged(path: path, reason: "the extension of its fmt chunk is not valid") }
      return nil
    }
    guard channels >= 1, channels <= 64 else {
      throw .damaged(path: path, reason: "it has \(channels) channels, but must have 1 to 64")
    }
    guard sampleRate >= 1, sampleRate <= 1_000_000 else {
      throw .damaged(path: path, reason: "it has \(sampleRate) frames a second, but must have 1 to 1,000,000")
    }
    // Samples fill whole bytes; unused bits are the lowest.
    let bytes = (bits + 7) / 8
    let coding: SoundCoding? =
      switch (tag, bytes) {
      case (Self.pcm, 1): .unsigned8
      case (Self.pcm, 2): .int16
      case (Self.pcm, 3): .int24
      case (Self.pcm, 4): .int32
      case (Self.floatingPoint, 4): bits == 32 ? .float32 : nil
      case (Self.floatingPoint, 8): bits == 64 ? .float64 : nil
      default: nil
      }
    guard let coding, frameBytes == channels * bytes else {
      throw .damaged(
        path: path, reason: "\(channels) channels of \(bits) bits do not make frames of \(frameBytes) bytes")
    }
    return coding
  }

  /// The name of the compression for error texts, such as "sound compressed as ADPCM".
  var compression: String {
    switch tag {
    case 2, 0x11: "sound compressed as ADPCM"
    case 6: "sound compressed as A-law"
    case 7: "sound compressed as µ-law"
    case 0x55: "sound compressed as MP3"
    default: "sound compressed as WAV kind \(tag)"
    }
  }
}
