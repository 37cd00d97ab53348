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
