import Glibc

/// Whose a device's file is, and whether this program may use it.
struct FileRights: Equatable {
  /// The number of the group that it belongs to.
  var group: Int
  /// Whether that group may read and write it.
  var isForGroup: Bool
  var mayRead: Bool
  var mayWrite: Bool

  /// Whether it may be used for all that it is for.
  var mayUse: Bool { mayRead && mayWrite }

  /// Those of a file here, which the kernel decides: by owner, group, or an access list of whoever sits at the screen.
  @Sendable
  static func own(_ path: String) -> FileRights? {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    return FileRights(
      group: Int(found.st_gid), isForGroup: found.st_mode & 0o060 == 0o060, mayRead: access(path, R_OK) == 0,
      mayWrite: access(path, W_OK) == 0)
  }
}
