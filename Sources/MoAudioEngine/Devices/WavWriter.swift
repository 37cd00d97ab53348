import Glibc
import MoDSPCore

/// A writer of a WAV file that is playable at any moment, also after a crash or with a full disk.
///
/// More than two channels are written as WAVE_FORMAT_EXTENSIBLE, without speaker positions. One or two channels of 24
/// bits stay plain PCM: Debian 12's Python reads no other format. Files of floats have a `fact` chunk.
///
/// The header is updated about once per second of sound. A file that exceeds 4 GiB, after four hours of stereo in 24
/// bits at 48 kHz, becomes an RF64 (EBU Tech 3306). Space for the RF64 header is reserved from the start.
///
/// - Thread: any, but one at a time; it writes to the disk.
/// - Real-time safe: no.
package final class WavWriter {
  let path: String
  private(set) var sampleRate: Int
  let channels: Int
  let coding: SoundCoding
  /// The number of frames passed to the operating system.
  private(set) var frames: Int64 = 0
  /// A comment about the recording, ASCII, 127 letters at most; written with the next header update.
  var comment = ""
  private let descriptor: Int32
  private var dither: Dither?
  private var samples: [Float] = []
  private var bytes: [UInt8] = []
  private var headerFrames: Int64 = 0
  private var isOpen = true

  private let hasComment: Bool

  private var frameBytes: Int { channels * coding.bytes }

  /// The number of bytes reserved for the comment, including the zero at its end.
  private static let commentSize = 128

  /// - Parameters:
  ///   - dither: the noise to add to samples of 16 bits, nil for none; other codings ignore it.
  ///   - hasComment: whether to reserve space for a comment.
  /// - Throws: `AudioError.cannotWrite` if the file cannot be created.
  package init(
    path: String, sampleRate: Double, channels: Int, coding: SoundCoding = .int24, dither: Dither? = nil,
    hasComment: Bool = false
  ) throws(AudioError) {
    self.path = path
    self.coding = coding
    self.dither = coding == .int16 ? dither : nil
    self.hasComment = hasComment
    self.sampleRate = Int(sampleRate.rounded())
    self.channels = channels
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .cannotWrite(path: path, reason: WavWriter.advice(errno)) }
    samples.reserveCapacity(8192 * channels)
    bytes.reserveCapacity(8192 * frameBytes)
    do {
      try put(header(), at: 0)
    } catch {
      Glibc.close(descriptor)
      isOpen = false
      throw error
    }
  }

  deinit { close() }

  /// Changes the sample rate of a file without frames; a file with frames keeps its rate.
  func change(sampleRate: Double) {
    let rate = Int(sampleRate.rounded())
    guard isOpen, frames == 0, rate != self.sampleRate else { return }
    self.sampleRate = rate
    updateHeader()
  }

  /// Appends interleaved frames; ±1 is full scale, and integer samples are clipped to full scale.
  ///
  /// For integer codings, each sample is rounded to the nearest integer. So, without dither, samples that were read
  /// from a file of the same coding are written unchanged.
  ///
  /// - Throws: `AudioError.cannotWrite` if the file cannot be written, as on a full disk; earlier frames stay playable,
  ///   and later calls throw again.
  package func append(_ source: UnsafeBufferPointer<Float>) throws(AudioError) {
    guard isOpen else { return }
    samples.removeAll(keepingCapacity: true)
    samples.append(contentsOf: source)
    dither?.add(to: &samples)
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: repeatElement(0, count: source.count * coding.bytes))
    samples.withUnsafeMutableBufferPointer { samples in
      bytes.withUnsafeMutableBytes { if let bytes = $0.baseAddress { coding.encode(samples, to: bytes) } }
    }
    do {
      try put(bytes, at: Int64(headerSize) + frames * Int64(frameBytes))
    } catch {
      // An incomplete frame at the end would shift the channels in a player that trusts the file's length.
      ftruncate(descriptor, headerSize + Int(frames) * frameBytes)
      updateHeader()
      throw error
    }
    frames += Int64(source.count / channels)
    if frames - headerFrames >= Int64(sampleRate) { updateHeader() }
  }

  /// Completes the file; safe to call again.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    let length = frames * Int64(frameBytes)
    // Chunks have an even length.
    if length % 2 == 1 { try? put([0], at: Int64(headerSize) + length) }
    updateHeader()
    Glibc.close(descriptor)
  }

  private func updateHeader() {
    headerFrames = frames
    // The header exists since the start: rewriting it needs no disk space.
    try? put(header(), at: 0)
  }

  private func put(_ bytes: [UInt8], at offset: Int64) throws(AudioError) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress! + done, bytes.count - done, Int(offset) + done)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .cannotWrite(path: path, reason: WavWriter.advice(errno)) }
      done += count
    }
  }

  /// The number of bytes before the first frame.
  ///
  /// These bytes are the RIFF header, a chunk reserved for RF64's sizes, the fmt chunk, and the header of the data
  /// chunk. Floats add a fact chunk with the number of frames, and a comment adds a LIST chunk.
  private var headerSize: Int {
    64 + formatSize + (isFloat ? 12 : 0) + (hasComment ? 20 + WavWriter.commentSize : 0)
  }

  private var isFloat: Bool { coding == .float32 || coding == .float64 }
  private var isExtensible: Bool { channels > 2 }

  /// The size of the fmt chunk's contents, in bytes: 16 for PCM, 18 for floats, 40 for WAVE_FORMAT_EXTENSIBLE.
  ///
  /// The chunk for floats is two bytes longer than the chunk for PCM: the two bytes hold the length of an extension, 0.
  private var formatSize: Int { isExtensible ? 40 : isFloat ? 18 : 16 }

  private func header() -> [UInt8] {
    let dataBytes = UInt64(frames) * UInt64(frameBytes)
    let riffBytes = dataBytes + dataBytes % 2 + UInt64(headerSize) - 8
    let isLarge = riffBytes > UInt64(UInt32.max)
    var header = LittleEndianBytes()
    header.text(isLarge ? "RF64" : "RIFF")
    header.word(isLarge ? .max : UInt32(riffBytes))
    header.text("WAVE")
    header.text(isLarge ? "ds64" : "JUNK")
    header.word(28)
    header.long(isLarge ? riffBytes : 0)
    header.long(isLarge ? dataBytes : 0)
    header.long(isLarge ? UInt64(frames) : 0)
    header.word(0)
    header.text("fmt ")
    header.word(UInt32(formatSize))
    header.half(isExtensible ? 0xFFFE : isFloat ? 3 : 1)
    header.half(UInt16(channels))
    header.word(UInt32(sampleRate))
    header.word(UInt32(truncatingIfNeeded: sampleRate * frameBytes))
    header.half(UInt16(frameBytes))
    header.half(UInt16(coding.bytes * 8))
    if isExtensible {
      header.half(22)
      header.half(UInt16(coding.bytes * 8))
      header.word(0)
      // The tag, and the rest of the identifier, which all such tags share (KSDATAFORMAT_SUBTYPE).
      header.half(isFloat ? 3 : 1)
      header.bytes += [0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71]
    } else if isFloat {
      header.half(0)
    }
    if isFloat {
      header.text("fact")
      header.word(4)
      header.word(UInt32(clamping: frames))
    }
    if hasComment {
      header.text("LIST")
      header.word(UInt32(12 + WavWriter.commentSize))
      header.text("INFOICMT")
      header.word(UInt32(WavWriter.commentSize))
      let letters = comment.utf8.prefix(WavWriter.commentSize - 1)
      header.bytes += letters
      header.bytes += repeatElement(0, count: WavWriter.commentSize - letters.count)
    }
    header.text("data")
    header.word(isLarge ? .max : UInt32(dataBytes))
    return header.bytes
  }

  private static func advice(_ code: Int32) -> String {
    switch code {
    case ENOSPC:
      "the disk is full; make room, or choose a file elsewhere. The part written so far can be played"
    case EFBIG:
      "the file has reached the largest size allowed here (ulimit -f); the part written so far can be played"
    case EACCES, EPERM, EROFS: "no permission to write there; choose a folder of your own"
    case ENOENT: "the folder does not exist; make it first"
    case EISDIR: "that is a folder; name a file in it"
    default: String(cString: strerror(code))
    }
  }
}

/// A buffer of little-endian numbers, as in a RIFF file.
private struct LittleEndianBytes {
  var bytes: [UInt8] = []

  mutating func text(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }
  mutating func half(_ value: UInt16) { put(value) }
  mutating func word(_ value: UInt32) { put(value) }
  mutating func long(_ value: UInt64) { put(value) }

  private mutating func put(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
}

/// Noise that is added before rounding to 16 bits, so that the rounding error is noise for any sound.
///
/// The noise has a triangular distribution from −1 to +1 times the least significant bit. It is the weakest noise that
/// makes the mean and the power of the rounding error independent of the sound. Sound below the least significant bit
/// is then still audible, in noise of −96 dBFS.
///
/// - Source: S. P. Lipshitz, R. A. Wannamaker, J. Vanderkooy, *Quantization and Dither: A Theoretical Survey*,
///   JAES 40(5) (1992).
package struct Dither {
  private var noise: Noise

  package init(seed: UInt64?) { noise = Noise(seed: seed) }

  /// Adds noise to samples that will be rounded to 16 bits; NaN stays NaN.
  mutating func add(to samples: inout [Float]) {
    for index in samples.indices { samples[index] += (noise.tick() + noise.tick()) * 0x1p-16 }
  }
}
