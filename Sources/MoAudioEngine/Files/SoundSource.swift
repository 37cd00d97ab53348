/// A sound in a file that can be read at any position.
///
/// - Thread: any, but one at a time; reading waits for the disk.
package protocol SoundSource: AnyObject {
  var path: String { get }
  var channels: Int { get }
  var sampleRate: Double { get }
  var frames: Int { get }

  /// Reads `count` interleaved frames from `frame` on, and returns the number of frames that were read.
  ///
  /// The number is less than `count` only if the file cannot be read further.
  func read(at frame: Int, count: Int, into target: UnsafeMutablePointer<Float>) -> Int
}

/// Opens sound files; a file's contents, not its name, decide its format.
package enum SoundFile {
  /// Opens a sound file: WAV files without a library, other formats with libsndfile.
  ///
  /// - Throws: `AudioFileError`, whose text says what is wrong with the file or what to install.
  package static func open(
    _ path: String, library: SndLibrary? = .loaded
  ) throws(AudioFileError) -> any SoundSource {
    let file = try FileBytes(path: path)
    guard file.length > 0 else { throw .notSound(path: path, reason: "it is empty") }
    guard WavLayout.isWav(file) else {
      return try SndFile(path: path, kind: kind(of: file), library: library)
    }
    switch try WavLayout.find(in: file) {
    case .ours(let layout): return WavReader(file, layout)
    case .foreign(let what): return try SndFile(path: path, kind: what, library: library)
    }
  }

  /// Returns the name of a file's format, such as `FLAC`, from the file's first bytes; nil if unknown.
  private static func kind(of file: FileBytes) -> String? {
    let head = RIFFBytes(file, at: 0, count: 12)
    guard head.count == 12 else { return nil }
    if head.says("FORM", at: 0) { return "AIFF" }
    if head.says("fLaC", at: 0) { return "FLAC" }
    if head.says("OggS", at: 0) { return "Ogg" }
    if head.says(".snd", at: 0) { return "AU" }
    if head.says("caff", at: 0) { return "CAF" }
    if head.says("RIFX", at: 0) { return "big-endian WAV" }
    // An ID3 tag, or eleven bits that are set.
    if head.half(0) == 0x4449 || head.half(0) & 0xE0FF == 0xE0FF { return "MP3" }
    return nil
  }
}

/// A WAV file, or a file without a header, read without a library.
final class WavReader: SoundSource {
  let channels: Int
  let sampleRate: Double
  let frames: Int
  private let file: FileBytes
  private let layout: WavLayout
  private let bytes: UnsafeMutableRawPointer

  private static let chunk = 4096

  init(_ file: FileBytes, _ layout: WavLayout) {
    (channels, sampleRate, frames) = (layout.channels, Double(layout.sampleRate), layout.frames)
    (self.file, self.layout) = (file, layout)
    bytes = .allocate(byteCount: WavReader.chunk * layout.channels * layout.coding.bytes, alignment: 16)
  }

  deinit { bytes.deallocate() }

  var path: String { file.path }

  func read(at frame: Int, count: Int, into target: UnsafeMutablePointer<Float>) -> Int {
    let frameBytes = channels * layout.coding.bytes
    var done = 0
    while done < min(count, frames - frame) {
      let wanted = min(WavReader.chunk, min(count, frames - frame) - done)
      let place = layout.offset + (frame + done) * frameBytes
      let got = file.read(at: place, count: wanted * frameBytes, into: bytes) / frameBytes
      if layout.isBigEndian { swapBytes(samples: got * channels) }
      layout.coding.decode(
        bytes, to: UnsafeMutableBufferPointer(start: target + done * channels, count: got * channels))
      done += got
      if got < wanted { break }
    }
    return done
  }

  private func swapBytes(samples: Int) {
    let size = layout.coding.bytes
    for sample in 0..<samples {
      var turned = UnsafeMutableRawBufferPointer(start: bytes + sample * size, count: size)
      turned.reverse()
    }
  }
}
