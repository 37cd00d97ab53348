import Glibc

/// The group of a device file, and whether this program may read and write the file.
struct FileRights: Equatable {
  /// The ID of the file's group.
  var group: Int
  /// Whether the file's group may read and write the file.
  var isForGroup: Bool
  var mayRead: Bool
  var mayWrite: Bool

  /// Whether the program may read and write the file.
  var mayUse: Bool { mayRead && mayWrite }

  /// Returns this program's rights to a file of this machine; nil if the file does not exist.
  ///
  /// The kernel decides by the file's owner, by its group, or by its access list, which can name the logged-in user.
  @Sendable
  static func own(_ path: String) -> FileRights? {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    return FileRights(
      group: Int(found.st_gid), isForGroup: found.st_mode & 0o060 == 0o060, mayRead: access(path, R_OK) == 0,
      mayWrite: access(path, W_OK) == 0)
  }
}
