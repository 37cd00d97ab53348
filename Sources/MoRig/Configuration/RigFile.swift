import Glibc
import MoProgram

/// Where a configuration is found.
package enum RigFile {
  /// Looked through in this order where none is named: the card's first partition, which every computer can write
  /// (Raspberry Pi OS since 2023, and before), then where a system's programs have theirs.
  package static let usual = [
    "/boot/firmware/momu-rig.conf", "/boot/momu-rig.conf", "/etc/momu/rig.conf",
  ]

  /// More than that is no configuration.
  private static let most = 65_536

  /// Reads the configuration of a path, or the first that is there.
  ///
  /// - Parameter path: nil for the usual places.
  /// - Throws: `RigProblem`, `RigProblems`.
  package static func read(
    _ path: String?, among usual: [String] = usual
  ) throws -> (file: String, RigConfiguration) {
    guard let path = path ?? usual.first(where: { access($0, F_OK) == 0 }) else {
      throw RigProblem(
        file: usual.first ?? "", line: 0,
        text: "there is no configuration: momu rig --example > momu-rig.conf writes one to begin with")
    }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    var bytes = [UInt8](repeating: 0, count: most + 1)
    let count = file < 0 ? -1 : Glibc.read(file, &bytes, bytes.count)
    let reason = errno
    if file >= 0 { close(file) }
    guard count >= 0 else {
      throw RigProblem(
        file: path, line: 0,
        text:
          "it cannot be read: \(String(cString: strerror(reason))); momu rig --example prints one to begin with"
      )
    }
    guard count <= most else {
      throw RigProblem(file: path, line: 0, text: "it is longer than \(most) bytes: is it a configuration?")
    }
    return (path, try RigReader.read(String(decoding: bytes[..<count], as: UTF8.self), file: path))
  }
}
