import Glibc
import MoRuntime

/// The settings of a service's systemd unit that decide about access to files: user, groups and hidden folders.
///
/// - Source: systemd.exec(5).
package struct ServiceUnit: Sendable {
  private var user: String?
  private var isDynamic = false
  private(set) var groupNames: [String] = []
  /// The folders that the service cannot see, each with the setting that hides it, such as `ProtectHome=yes`.
  private var hidden: [(folder: String, setting: String)] = []

  /// The paths at which systemd searches for the rig's unit; systemd uses the first file that exists.
  package static let usual = ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"].map {
    "\($0)/systemd/system/momu-rig.service"
  }

  /// - Parameter text: the text of the unit file, followed by the texts of its drop-in files.
  package init(_ text: String) {
    var part = Substring()
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("[") {
        part = line
        continue
      }
      guard part == "[Service]", let equals = line.firstIndex(of: "=") else { continue }
      parse(String(line[..<equals]), String(line[line.index(after: equals)...]))
    }
  }

  /// Reads the rig's unit with its drop-in files; returns nil if there is none.
  ///
  /// - Parameter path: the path of the unit file; nil for the first readable path of `usual`.
  package static func read(_ path: String? = nil) -> ServiceUnit? {
    guard let path = path ?? usual.first(where: { access($0, R_OK) == 0 }),
      let text = WholeFile.text(of: path)
    else { return nil }
    let dropped = (["\(path).d"] + usual.map { "\($0).d" }).flatMap { folder in
      SystemFiles.names(in: folder).filter { $0.hasSuffix(".conf") }.sorted().map { "\(folder)/\($0)" }
    }
    return ServiceUnit(
      ([text] + dropped.compactMap { WholeFile.text(of: $0) }).joined(separator: "\n"))
  }

  private mutating func parse(_ name: String, _ value: String) {
    let isYes = ["yes", "true", "on", "1"].contains(value)
    switch name {
    case "User": user = value
    case "DynamicUser":
      isDynamic = isYes
      if isYes { hide(["/tmp", "/var/tmp"], "DynamicUser=yes") }
    case "SupplementaryGroups", "Group":
      groupNames = value.isEmpty ? [] : groupNames + value.split(separator: " ").map { String($0) }
    case "ProtectHome":
      hidden.removeAll { $0.setting.hasPrefix("ProtectHome") }
      if isYes || value == "tmpfs" { hide(["/home", "/root", "/run/user"], "ProtectHome=\(value)") }
    case "PrivateTmp": if isYes { hide(["/tmp", "/var/tmp"], "PrivateTmp=\(value)") }
    case "InaccessiblePaths":
      hide(
        value.split(separator: " ").map { String($0.drop { $0 == "-" || $0 == "+" }) }, "InaccessiblePaths")
    case "PrivateDevices":
      if isYes { hide(["/dev/input", "/dev/serial", "/dev/gpiochip0"], "PrivateDevices=yes") }
    default: break
    }
  }

  private mutating func hide(_ folders: [String], _ setting: String) {
    hidden += folders.map { ($0, setting) }
  }

  /// Returns the hidden folder that contains a path, and the setting that hides the folder; nil if no hidden folder
  /// contains the path.
  func hiding(_ path: String) -> (folder: String, setting: String)? {
    hidden.first { path == $0.folder || path.hasPrefix($0.folder + "/") }
  }

  /// Returns whether the service may access a file in the given mode of access(2); true if the file does not exist.
  ///
  /// A dynamic user of systemd owns only the files that it creates itself.
  func may(_ path: String, _ mode: Int32) -> Bool {
    var found = stat()
    guard stat(path, &found) == 0 else { return errno == ENOENT }
    let owner = user.flatMap { getpwnam($0) }
    if !isDynamic, user == nil || user == "root" { return true }
    let groups =
      groupNames.compactMap { getgrnam($0)?.pointee.gr_gid } + (owner.map { [$0.pointee.pw_gid] } ?? [])
    let bits =
      owner?.pointee.pw_uid == found.st_uid
      ? found.st_mode >> 6 : groups.contains(found.st_gid) ? found.st_mode >> 3 : found.st_mode
    return bits & 7 & mode_t(mode) == mode_t(mode)
  }
}
