import Glibc

/// Small files, read in one call, and written so that they are either complete or absent, even after a power failure.
///
/// - Thread: any but the audio thread.
package enum WholeFile {
  /// Returns the text of a file, up to the given number of bytes; nil if it is empty or cannot be read.
  package static func text(of path: String, bytes most: Int = 16_384) -> String? {
    content(of: path, bytes: most).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the text of a file, up to the given number of bytes; nil if it cannot be read, with the reason in `errno`.
  ///
  /// The text does not contain the byte order mark with which some editors of Windows begin a file.
  package static func content(of path: String, bytes most: Int) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: most)
    let count = read(file, &bytes, most)
    guard count >= 0 else { return nil }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes[..<count]
    return String(decoding: text.starts(with: mark) ? text.dropFirst(mark.count) : text, as: UTF8.self)
  }

  /// Writes a text to a file, as `replace` does; creates the missing folders.
  ///
  /// - Parameter isPrivate: true if other users must not read the file; false for the rights of the old file.
  /// - Returns: nil, or the reason why the file could not be written.
  @discardableResult
  package static func write(_ text: String, to path: String, isPrivate: Bool) -> String? {
    makeFolders(to: linked(path))
    return replace(
      path, with: Array(text.utf8), rights: isPrivate ? 0o600 : 0o644, keepsRights: !isPrivate)
  }

  /// Writes a new file next to the old one, and then renames it over the old one.
  ///
  /// - Parameters:
  ///   - rights: the file's mode, as for `chmod`.
  ///   - keepsRights: whether the file keeps the mode of the old file, if there is an old file.
  /// - Returns: nil, or the reason why the file could not be written.
  package static func replace(
    _ path: String, with bytes: [UInt8], rights: mode_t = 0o644, keepsRights: Bool = false
  ) -> String? {
    let path = linked(path)
    let beside = Self.beside(path)
    var old = stat()
    let kept: mode_t? = keepsRights && stat(path, &old) == 0 ? old.st_mode & 0o777 : nil
    let file = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kept ?? rights)
    guard file >= 0 else { return String(cString: strerror(errno)) }
    // `open` removes the rights that the umask names.
    if let kept { fchmod(file, kept) }
    let isWritten = put(bytes, into: file)
    let number = errno
    close(file)
    if isWritten, rename(beside, path) == 0 { return nil }
    let reason = String(cString: strerror(isWritten ? errno : number))
    unlink(beside)
    return reason
  }

  /// Renames a file that a new recording would replace: `evening.osc` becomes `evening-1.osc`, or `evening-2.osc` if
  /// `evening-1.osc` exists, and so on.
  ///
  /// - Returns: the new path; nil if nothing was renamed, such as for a file that is missing, empty or not a regular
  ///   file.
  package static func keepEarlier(_ path: String) -> String? {
    let path = linked(path)
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return nil }
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    // A leading dot begins the name of a hidden file, not an extension.
    let dot = path[name...].dropFirst().lastIndex(of: ".") ?? path.endIndex
    for number in 1...mostEarlier {
      let kept = "\(path[..<dot])-\(number)\(path[dot...])"
      guard lstat(kept, &status) != 0 else { continue }
      return rename(path, kept) == 0 ? kept : nil
    }
    return nil
  }

  /// The largest number of earlier recordings that are kept for a path.
  private static let mostEarlier = 999

  /// Returns the path at which this process writes a file before it renames the file: `PATH.PID.unfinished`.
  ///
  /// First, the function removes the unfinished files of processes that were killed, so that these files do not pile
  /// up.
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
      // On a shared disk, the writer may be a process of another machine, which cannot be seen here.
      if lstat(left, &status) == 0, status.st_mtim.tv_sec < time(nil) - 60 { unlink(left) }
    }
    return "\(path).\(getpid())\(end)"
  }

  /// Returns the target of a symbolic link, or else the path itself.
  ///
  /// A write that replaces the target, not the path, keeps the link, for example a link to a settings folder.
  package static func linked(_ path: String) -> String { SystemFiles.real(path) ?? path }

  /// Writes all bytes through to the disk; returns false if that fails, with the reason in `errno`.
  package static func put(_ bytes: [UInt8], into file: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + done, bytes.count - done) }
      guard count > 0 || count < 0 && errno == EINTR else { return false }
      done += max(0, count)
    }
    return fsync(file) == 0
  }

  /// Creates the missing folders that contain the file at a path; only this user can access the new folders.
  package static func makeFolders(to path: String) {
    var folder = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
      folder += "\(part)/"
      mkdir(folder, 0o700)
    }
  }
}

/// The properties of a file by which a program sees that the file was saved again.
package struct FileStamp: Equatable, Sendable {
  package var inode: UInt
  package var size: Int
  /// The time of the last write by the wall clock, in whole seconds since 1970, without the fraction in `nanoseconds`.
  package var seconds: Int
  package var nanoseconds: Int

  /// Reads the stamp of a file; nil if the file does not exist.
  package init?(_ path: String) {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    self.init(
      inode: UInt(found.st_ino), size: Int(found.st_size), seconds: found.st_mtim.tv_sec,
      nanoseconds: found.st_mtim.tv_nsec)
  }

  package init(inode: UInt, size: Int, seconds: Int, nanoseconds: Int) {
    (self.inode, self.size, self.seconds, self.nanoseconds) = (inode, size, seconds, nanoseconds)
  }

  /// The seconds since the last write.
  package var age: Double {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Double(now.tv_sec - seconds) + Double(now.tv_nsec - nanoseconds) / 1e9
  }
}
