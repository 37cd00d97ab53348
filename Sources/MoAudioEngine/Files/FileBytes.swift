import Glibc

/// A file that can be read at any position.
///
/// - Thread: any; reading waits for the disk.
final class FileBytes: Sendable {
  let path: String
  let length: Int
  private let descriptor: Int32

  /// Opens a file for reading.
  ///
  /// - Throws: `AudioFileError.cannotOpen` if there is no readable file of that name.
  init(path: String) throws(AudioFileError) {
    self.path = path
    // Without this, a pipe without a writer would block forever.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .cannotOpen(path: path, reason: FileBytes.advice(errno)) }
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    length = isFile ? Int(status.st_size) : 0
    guard isFile else {
      close(descriptor)
      throw .cannotOpen(
        path: path,
        reason: status.st_mode & S_IFMT == S_IFDIR
          ? "that is a folder; name a file in it" : "that is not a file"
      )
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Reads up to `count` bytes from `offset` on, and returns the number of bytes that were read.
  ///
  /// The number is less than `count` only at the end of the file, or after an error.
  func read(at offset: Int, count: Int, into target: UnsafeMutableRawPointer) -> Int {
    var done = 0
    while done < count {
      let got = pread(descriptor, target + done, count - done, offset + done)
      if got < 0 && errno == EINTR { continue }
      guard got > 0 else { break }
      done += got
    }
    return done
  }

  private static func advice(_ code: Int32) -> String {
    switch code {
    case ENOENT: "there is no such file; check its name and folder"
    case EACCES, EPERM: "no permission to read it: chmod u+r, or ask its owner"
    default: String(cString: strerror(code))
    }
  }
}

/// The first bytes of a chunk or header in a RIFF file, at most 64, read as little-endian numbers.
struct RIFFBytes {
  private var bytes = InlineArray<64, UInt8>(repeating: 0)
  let count: Int

  /// Reads `count` bytes of a file, at most 64; the property `count` is the number of bytes that were read.
  init(_ file: FileBytes, at offset: Int, count: Int) {
    self.count = withUnsafeMutableBytes(of: &bytes) {
      file.read(at: offset, count: min(count, 64), into: $0.baseAddress!)
    }
  }

  func half(_ place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }
  func word(_ place: Int) -> Int { half(place) | half(place + 2) << 16 }
  func long(_ place: Int) -> UInt64 { UInt64(word(place)) | UInt64(word(place + 4)) << 32 }

  /// Returns whether the four letters of `name`, such as `WAVE`, are at the byte `place`.
  func says(_ name: StaticString, at place: Int) -> Bool {
    (0..<4).allSatisfy { bytes[place + $0] == name.utf8Start[$0] }
  }
}
