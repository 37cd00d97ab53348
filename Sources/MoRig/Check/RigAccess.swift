import Glibc
import MoRuntime

/// The user that reads a rig's files and devices: the user that runs this program, or the user of the rig's service.
package struct RigAccess: Sendable {
  /// The settings of the service's systemd unit that decide about access to files; nil for the user that runs this
  /// program.
  private let service: ServiceUnit?

  /// The user that runs this program.
  package static let caller = RigAccess(service: nil)

  /// Returns the user of the service that a systemd unit describes.
  package static func service(_ unit: ServiceUnit) -> RigAccess { RigAccess(service: unit) }

  /// Whether this is the user that runs this program.
  var isCaller: Bool { service == nil }

  /// Returns why a file cannot be opened in the given mode of access(2), and what to do; nil if the file can be opened,
  /// or does not exist.
  func problem(with path: String, mode: Int32) -> String? {
    guard let service else {
      return access(path, mode) == 0 || errno == ENOENT ? nil : "this user has no permission to open it"
    }
    let real = SystemFiles.real(path) ?? path
    if let (folder, setting) = service.hiding(real) {
      return "the service cannot see it, because \(setting) hides \(folder): move it to /etc/momu"
    }
    // The service needs the right to enter each folder on the way.
    var folder = ""
    for part in real.split(separator: "/").dropLast() {
      folder += "/\(part)"
      if !service.may(folder, X_OK) {
        return
          "the service has no permission to enter \(folder): type sudo chmod a+x \(folder), or move it to /etc/momu"
      }
    }
    guard !service.may(real, mode) else { return nil }
    guard real.hasPrefix("/dev/") else {
      return "the service has no permission to read it: type sudo chmod a+r \(real)"
    }
    return
      "the service has no permission to open it: it is in the groups \(service.groupNames.joined(separator: ", ")); "
      + "\(ToolName.rig) --udev-rule prints a rule that gives these groups access"
  }
}
