import Glibc
import MoRuntime

/// Reads the state of the system: from this machine's /proc and /sys, or from a copy of them.
struct SystemReader {
  /// The folder that contains `proc` and `sys`; empty for this machine.
  var root = ""
  /// Whether the program has root's rights.
  var isRoot = getuid() == 0
  /// Returns the addresses of all network interfaces; no file of /proc or /sys contains these addresses.
  var addresses: () -> [InterfaceAddress] = InterfaceAddress.all
  /// Runs a program, given as its name and arguments, and returns its output; nil if the program is missing or fails.
  var run: ([String]) -> String? = output(of:)
  /// Returns this program's rights to a device file; nil if the file is missing.
  var rights: (String) -> FileRights? = FileRights.own

  /// Returns the text of a file; nil if the file cannot be read.
  func text(_ path: String) -> String? {
    guard let file = fopen(root + path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    // A folder can be opened; only reading it fails.
    return ferror(file) == 0 ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// Returns the non-empty lines of a file, except the first `heading` of these lines; none if the file cannot be read.
  func lines(_ path: String, heading: Int = 0) -> [Substring] {
    (text(path) ?? "").split(separator: "\n").dropFirst(heading).map { $0 }
  }

  /// Returns the first line of a file, without white space at its ends; nil if the file cannot be read.
  func word(_ path: String) -> String? {
    text(path)?.split(separator: "\n", omittingEmptySubsequences: false).first.map { String($0.trimmed) }
  }

  func number(_ path: String) -> Int? { word(path).flatMap { Int($0) } }

  /// Whether the path exists, even as a broken link.
  func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(root + path, &status) == 0
  }

  /// Returns the target of a symbolic link; nil if the path is no symbolic link.
  func link(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = buffer.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { readlink(root + path, $0.baseAddress!, $0.count) }
    }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  /// Returns the names of all files and folders in a folder, in alphabetical order: `event10` before `event9`.
  func names(_ path: String) -> [String] { SystemFiles.names(in: root + path).sorted() }

  /// Returns the names in a folder that begin with one of `beginnings`, in numeric order: `event9` before `event10`.
  func numbered(_ beginnings: String..., in path: String) -> [String] {
    SystemFiles.names(in: root + path).filter { name in beginnings.contains { name.hasPrefix($0) } }
  }
}

extension StringProtocol {
  /// The text without white space at its ends.
  var trimmed: SubSequence {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return self[endIndex...] }
    return self[first...last]
  }
}
