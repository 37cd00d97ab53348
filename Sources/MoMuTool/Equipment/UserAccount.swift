/// Who runs the tool, and the groups of this machine.
struct UserAccount: Equatable {
  var name = "$USER"
  var isRoot = false
  /// The numbers of the groups that this program is in.
  var active: Set<Int> = []
  /// The machine's groups.
  var groups: [Group] = []

  struct Group: Equatable {
    var name: String
    var number: Int
    /// Those whom it lists.
    var members: [String]
  }

  func group(named name: String) -> Group? { groups.first { $0.name == name } }
  func group(numbered number: Int) -> Group? { groups.first { $0.number == number } }

  /// What to type to be in a group from the next log-in on.
  func joining(_ group: String) -> String {
    if self.group(named: group)?.members.contains(name) == true {
      return "you are in the group '\(group)' already, but have not logged in since: log out, and in again"
    }
    return "sudo usermod -aG \(group) \(name), then log in again"
  }

  /// What to type to be in the group that may use a file; nil where none may: root's own is nobody's.
  func joining(_ rights: FileRights) -> String? {
    guard rights.isForGroup, rights.group != 0 else { return nil }
    return group(numbered: rights.group).map { joining($0.name) }
  }

  /// What gives access to a file that may not be used: a group, or this once and a rule for the device.
  func opening(_ path: String, _ rights: FileRights) -> String {
    joining(rights) ?? "sudo chmod a+rw \(path) (until it is unplugged); for good: momu doctor --udev-rule"
  }
}
