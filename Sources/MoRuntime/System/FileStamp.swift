import Glibc

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
