import Glibc

/// A file that is read from its start to its end, and that is closed when this value is destroyed.
struct TapeFile: ~Copyable {
  private let path: String
  private let descriptor: Int32

  init(path: String) throws(OSCTapeError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: path, reason: systemReason()) }
  }

  deinit { close(descriptor) }

  /// Returns the next bytes of the file, at most 64 KiB; an empty array at the end of the file.
  func readPiece() throws(OSCTapeError) -> [UInt8] {
    let size = 65_536
    var result = 0
    let piece = [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
      repeat { result = read(descriptor, bytes.baseAddress, size) } while result < 0 && errno == EINTR
      count = max(result, 0)
    }
    guard result >= 0 else { throw .unreadable(path: path, reason: systemReason()) }
    return piece
  }

  func rewind() throws(OSCTapeError) {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw .unreadable(path: path, reason: systemReason())
    }
  }
}
