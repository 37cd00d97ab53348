import Glibc
import MoRuntime

/// The places at which a rig looks for its configuration, and the functions that read the configuration.
package enum RigFile {
  /// The paths that are tried in this order if no path is given.
  ///
  /// Any computer can write to the first partition of a Raspberry Pi's card: this is `/boot/firmware` since 2023, and
  /// was `/boot` before. The last path is in the usual folder for the settings of system programs.
  ///
  /// Names that end in `.txt` are tried, too: the editor of Windows adds this ending, and its file manager hides it.
  package static let usual = [
    "/boot/firmware/momu-rig.conf", "/boot/firmware/momu-rig.conf.txt", "/boot/momu-rig.conf",
    "/boot/momu-rig.conf.txt", "/etc/momu/rig.conf",
  ]

  /// The largest size of a configuration, in bytes.
  private static let most = 65_536

  /// Reads the configuration at a path; throws an error if the configuration has mistakes.
  ///
  /// - Parameter path: the path; nil for the first path of `usual` at which a file exists.
  /// - Throws: `RigProblem` if the configuration cannot be read; `RigProblems` with all mistakes.
  package static func read(
    _ path: String?, among usual: [String] = usual
  ) throws -> (file: String, RigConfiguration) {
    let reading = try reading(path, among: usual)
    guard reading.problems.isEmpty else { throw RigProblems(list: reading.problems) }
    return (reading.file, reading.configuration)
  }

  /// Reads the valid parts of the configuration at a path, and lists the mistakes.
  ///
  /// - Parameter path: the path; nil for the first path of `usual` at which a file exists.
  /// - Throws: `RigProblem` if there is no configuration, or if it cannot be read.
  package static func reading(
    _ path: String?, among usual: [String] = usual
  ) throws(RigProblem) -> RigReading {
    guard let path = path ?? usual.first(where: { access($0, F_OK) == 0 }) else {
      throw RigProblem(
        file: usual.first ?? "", line: 0,
        text: "there is no configuration: type \(ToolName.rig) --example > momu-rig.conf, then edit that file"
      )
    }
    let bytes = try bytes(of: path)
    guard bytes.count <= most else {
      throw RigProblem(file: path, line: 0, text: "it is longer than \(most) bytes: is it a configuration?")
    }
    guard let text = RigText.decoded(bytes) else {
      throw RigProblem(
        file: path, line: 0,
        text:
          "it contains zero bytes, perhaps because the power was cut while it was written: "
          + "write it again as plain text")
    }
    return RigReader.reading(text, file: path)
  }

  /// Returns the contents of a file; of a file with more than `most` bytes, at least the first `most` + 1 bytes.
  ///
  /// From the length of the result, the caller sees that the file is too large.
  private static func bytes(of path: String) throws(RigProblem) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw problem(path, errno) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: most + 1)
    while bytes.count <= most {
      // A pipe returns only the bytes that are there; more may follow.
      let count = Glibc.read(file, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw problem(path, errno) }
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    return bytes
  }

  private static func problem(_ path: String, _ error: Int32) -> RigProblem {
    let whatToDo =
      switch error {
      case EACCES: "type sudo chmod a+r \(path), since the service runs as its own user"
      case ENOENT where access(path + ".txt", F_OK) == 0:
        "there is \(path).txt: use this name, or remove .txt, which Windows adds and hides"
      default: "\(ToolName.rig) --example prints an example"
      }
    return RigProblem(
      file: path, line: 0, text: "it cannot be read: \(String(cString: strerror(error))); \(whatToDo)")
  }
}

/// A mistake in a configuration, with the text to write instead.
package struct RigProblem: Error, CustomStringConvertible, Equatable, Sendable {
  package var file: String
  /// The number of the line with the mistake, from 1; 0 if the mistake concerns no single line.
  package var line: Int
  package var text: String

  package var description: String { line > 0 ? "\(file):\(line): \(text)" : "\(file): \(text)" }
}

/// All mistakes of a configuration together, so that a user can correct them at once, and takes a Raspberry Pi's card
/// out only once.
package struct RigProblems: Error, CustomStringConvertible, Equatable {
  package var list: [RigProblem]

  package init(list: [RigProblem]) { self.list = list }

  package var description: String {
    list.map(\.description).joined(separator: "\n")
  }
}

/// The result of reading a configuration: its valid parts, and its mistakes.
package struct RigReading: Equatable, Sendable {
  package var file: String
  /// The valid parts: all sensors and outputs without a mistake, and the valid settings of `[rig]`.
  package var configuration: RigConfiguration
  package var problems: [RigProblem]

  /// Returns the reading of a configuration that could not be read at all.
  package static func unreadable(_ problem: RigProblem) -> RigReading {
    RigReading(file: problem.file, configuration: RigConfiguration(), problems: [problem])
  }
}
