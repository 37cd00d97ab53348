/// The position and coding of the sound in a WAV file, or in a file without a header.
///
/// MoMu reads integers of 8, 16, 24 and 32 bits and floating point of 32 and 64, plain or as WAVE_FORMAT_EXTENSIBLE.
/// Files may be RIFF or, beyond 4 GiB, RF64 (EBU Tech 3306) and BW64 (ITU-R BS.2088).
struct WavLayout: Equatable, Sendable {
  var channels: Int
  var sampleRate: Int
  var coding: SoundCoding
  /// The position of the first frame, in bytes from the start of the file.
  var offset: Int
  var frames: Int
  /// Whether the most significant byte of a sample comes first, which is possible only in files without a header.
  var isBigEndian = false

  /// The contents of a WAV file: sound that MoMu reads itself, or compressed sound for libsndfile.
  enum Finding {
    case ours(WavLayout)
    /// The sound has the compression `what`, which libsndfile may support.
    case foreign(what: String)
  }

  /// The largest number of chunks that are searched for the sound, so that a file without sound cannot keep the program
  /// busy.
  private static let mostChunks = 1000

  /// Returns whether a file begins like a WAV file.
  static func isWav(_ file: FileBytes) -> Bool {
    let head = RIFFBytes(file, at: 0, count: 12)
    let isRIFF = head.says("RIFF", at: 0) || head.says("RF64", at: 0) || head.says("BW64", at: 0)
    return head.count == 12 && isRIFF && head.says("WAVE", at: 8)
  }

  /// Finds the sound in a WAV file.
  ///
  /// - Throws: `damaged` if the header is inconsistent, or the file is shorter than its header states.
  static func find(in file: FileBytes) throws(AudioFileError) -> Finding {
    func damaged(_ reason: String) -> AudioFileError { .damaged(path: file.path, reason: reason) }
    var format: WavFormat?
    var largeSize: Int?
    var place = 12
    for _ in 0..<mostChunks {
      let head = RIFFBytes(file, at: place, count: 8)
      guard head.count == 8 else {
        throw damaged(
          "it ends before \(format == nil ? "it says how the sound is written" : "the sound begins")")
      }
      let size = head.word(4)
      let body = place + 8
      if head.says("ds64", at: 0) {
        let sizes = RIFFBytes(file, at: body, count: 16)
        guard size >= 28, sizes.count == 16, sizes.long(8) <= UInt64(Int.max / 2) else {
          throw damaged("its ds64 chunk is not valid")
        }
        largeSize = Int(sizes.long(8))
      } else if head.says("fmt ", at: 0) {
        let fields = RIFFBytes(file, at: body, count: min(size, 40))
        guard size >= 16, fields.count == min(size, 40) else { throw damaged("its fmt chunk is cut short") }
        format = WavFormat(fields)
      } else if head.says("data", at: 0) {
        guard let format else { throw damaged("the sound comes before the fmt chunk") }
        return try finding(format, at: body, size: size, largeSize: largeSize, in: file)
      }
      // Chunks have an even length, even if their header states an odd one.
      place = body + size + size & 1
    }
    throw damaged("there are more than \(mostChunks) chunks before the sound")
  }

  private static func finding(
    _ format: WavFormat, at offset: Int, size: Int, largeSize: Int?, in file: FileBytes
  ) throws(AudioFileError) -> Finding {
    guard let coding = try format.coding(path: file.path) else { return .foreign(what: format.compression) }
    let there = max(0, file.length - offset)
    // All ones mean the size in ds64, or "to the end" in a file that was written to a pipe.
    let said = size < 0xFFFF_FFFF ? size : largeSize ?? there
    let frame = format.channels * coding.bytes
    guard said <= there else {
      throw .damaged(
        path: file.path,
        reason: "its header announces \(said / frame) frames, but only \(there / frame) exist; "
          + "to keep those: sox --ignore-length \(file.path) mended.wav")
    }
    return .ours(
      WavLayout(
        channels: format.channels, sampleRate: format.sampleRate, coding: coding, offset: offset,
        frames: said / frame))
  }
}

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
