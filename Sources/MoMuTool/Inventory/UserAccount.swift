import Glibc

/// The user of the tool, and the groups of this machine.
struct UserAccount: Equatable {
  var name = "$USER"
  var isRoot = false
  /// The IDs of the groups whose rights this program has.
  var active: Set<Int> = []
  /// The machine's groups.
  var groups: [Group] = []

  struct Group: Equatable {
    var name: String
    var number: Int
    /// The names of the group's members.
    var members: [String]
  }

  func group(named name: String) -> Group? { groups.first { $0.name == name } }
  func group(numbered number: Int) -> Group? { groups.first { $0.number == number } }

  /// Returns the command that adds the user to a group, or the advice to log in again if the user is a member already.
  func joining(_ group: String) -> String {
    if self.group(named: group)?.members.contains(name) == true {
      return "you are in the group '\(group)' only after the next login: log out, then log in again"
    }
    return "sudo usermod -aG \(group) \(name), then log in again"
  }

  /// Returns the command that adds the user to a file's group, or the advice to log in again.
  ///
  /// The result is nil if membership would not help: for root's group, or if the group may not use the file. It is also
  /// nil if the group has no name.
  func joining(_ rights: FileRights) -> String? {
    guard rights.isForGroup, rights.group != 0 else { return nil }
    return group(numbered: rights.group).map { joining($0.name) }
  }

  /// Returns the command that gives the user access to a device's file.
  ///
  /// The command adds the user to the file's group. If that is not possible, the command changes the file's rights
  /// until the device is unplugged, and the text names `momu doctor --udev-rule`, which prints a permanent rule.
  func opening(_ path: String, _ rights: FileRights) -> String {
    joining(rights) ?? "sudo chmod a+rw \(path) (until it is unplugged); permanently: momu doctor --udev-rule"
  }
}

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
