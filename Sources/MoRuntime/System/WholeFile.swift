import Glibc

/// Small files that are there whole or not at all, whenever the power fails.
///
/// - Thread: any but the audio thread.
package enum WholeFile {
  /// What a file says, up to so many bytes; nil where it cannot be read, or says nothing.
  package static func text(of path: String, bytes most: Int = 16_384) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: most)
    let count = read(file, &bytes, most)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }

  /// Puts a text into a file, as `replace` does; makes the folders on the way.
  ///
  /// - Parameter isPrivate: whether others may not read it.
  /// - Returns: nil, or why it could not be written.
  @discardableResult
  package static func write(_ text: String, to path: String, isPrivate: Bool) -> String? {
    makeFolders(to: linked(path))
    return replace(path, with: Array(text.utf8), rights: isPrivate ? 0o600 : 0o644)
  }

  /// Writes a file beside the old one and puts it in its place.
  ///
  /// - Parameter rights: who may do what with it, as `chmod` takes it.
  /// - Returns: nil, or why it could not be written.
  package static func replace(_ path: String, with bytes: [UInt8], rights: mode_t = 0o644) -> String? {
    let path = linked(path)
    let beside = Self.beside(path)
    let file = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, rights)
    guard file >= 0 else { return String(cString: strerror(errno)) }
    let isWritten = put(bytes, into: file)
    let flaw = errno
    close(file)
    if isWritten, rename(beside, path) == 0 { return nil }
    let reason = String(cString: strerror(isWritten ? errno : flaw))
    unlink(beside)
    return reason
  }

  /// Where a file is written before it takes its place: `PATH.PID.unfinished`.
  ///
  /// What programs that were killed as they wrote have left there is taken away first, so that it does not gather.
  package static func beside(_ path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.dropLast().map { "\($0)/" }.joined()
    let (start, end) = ("\(parts.last ?? "").", ".unfinished")
    for other in SystemFiles.names(in: folder.isEmpty ? "." : folder)
    where other.hasPrefix(start) && other.hasSuffix(end) {
      guard let process = pid_t(other.dropFirst(start.count).dropLast(end.count)), process > 0,
        kill(process, 0) != 0, errno == ESRCH
      else { continue }
      let left = folder + other
      var status = stat()
      // On a disk that machines share, one that writes may be another's, whose processes are not seen here.
      if lstat(left, &status) == 0, status.st_mtim.tv_sec < time(nil) - 60 { unlink(left) }
    }
    return "\(path).\(getpid())\(end)"
  }

  /// Where a link leads, so that one, as to a folder of all one's settings, stays a link; else the path itself.
  package static func linked(_ path: String) -> String {
    let real = realpath(path, nil)
    defer { free(real) }
    return real.map { String(cString: $0) } ?? path
  }

  /// Writes all of some bytes to the disk itself; false where that cannot be, and `errno` says why.
  package static func put(_ bytes: [UInt8], into file: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + done, bytes.count - done) }
      guard count > 0 || count < 0 && errno == EINTR else { return false }
      done += max(0, count)
    }
    return fsync(file) == 0
  }

  /// Makes the folders on the way to a file, for oneself alone.
  package static func makeFolders(to path: String) {
    var folder = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
      folder += "\(part)/"
      mkdir(folder, 0o700)
    }
  }
}
