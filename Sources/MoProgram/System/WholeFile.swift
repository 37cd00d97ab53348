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

  /// Writes a file beside the old one and puts it in its place; makes the folders on the way.
  ///
  /// - Parameter isPrivate: whether others may not read it.
  /// - Returns: nil, or why it could not be written.
  @discardableResult
  package static func write(_ text: String, to path: String, isPrivate: Bool) -> String? {
    // A link, as to a folder of all one's settings, stays a link.
    let real = realpath(path, nil)
    defer { free(real) }
    let path = real.map { String(cString: $0) } ?? path
    makeFolders(to: path)
    let beside = "\(path).\(getpid())"
    let file = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, isPrivate ? 0o600 : 0o644)
    guard file >= 0 else { return String(cString: strerror(errno)) }
    let isWritten = put(text, into: file)
    let flaw = errno
    close(file)
    if isWritten, rename(beside, path) == 0 { return nil }
    let reason = String(cString: strerror(isWritten ? errno : flaw))
    unlink(beside)
    return reason
  }

  /// Writes all of a text to the disk itself; false where that cannot be.
  package static func put(_ text: String, into file: Int32) -> Bool {
    let bytes = Array(text.utf8)
    return Glibc.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
  }

  /// Makes the folders on the way to a file, for oneself alone.
  package static func makeFolders(to path: String) {
    var folder = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().dropLast() {
      folder += "/\(part)"
      mkdir(folder, 0o700)
    }
  }
}
