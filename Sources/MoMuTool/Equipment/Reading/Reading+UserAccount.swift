extension SystemReader {
  /// Reads the user and the groups from /proc/self/status, /etc/passwd and /etc/group.
  func person() -> UserAccount {
    var person = UserAccount()
    var number: Int?
    for line in lines("/proc/self/status") {
      let fields = line.split(whereSeparator: \.isWhitespace)
      switch fields.first {
      // The fields are the real, effective, saved and file-system ID; the effective one counts.
      case "Uid:": number = fields.count > 2 ? Int(fields[2]) : nil
      case "Gid:": if fields.count > 2, let group = Int(fields[2]) { person.active.insert(group) }
      case "Groups:": person.active.formUnion(fields.dropFirst().compactMap { Int($0) })
      default: break
      }
    }
    person.isRoot = number == 0
    for line in lines("/etc/passwd") {
      let fields = line.split(separator: ":", omittingEmptySubsequences: false)
      if fields.count > 2, let number, Int(fields[2]) == number {
        person.name = String(fields[0])
        break
      }
    }
    person.groups = lines("/etc/group").compactMap { line in
      let fields = line.split(separator: ":", omittingEmptySubsequences: false)
      guard fields.count >= 4, let number = Int(fields[2]) else { return nil }
      return UserAccount.Group(
        name: String(fields[0]), number: number, members: fields[3].split(separator: ",").map { String($0) })
    }
    return person
  }
}
