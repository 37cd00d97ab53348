import Glibc

/// What changes of a file when it is saved.
package struct FileStamp: Equatable, Sendable {
  package var inode: UInt
  package var size: Int
  /// When it was written, as the calendar's clock counts.
  package var seconds: Int
  package var nanoseconds: Int

  /// The file's own; nil where it is not there.
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

  /// Seconds since it was written.
  package var age: Double {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Double(now.tv_sec - seconds) + Double(now.tv_nsec - nanoseconds) / 1e9
  }
}
