import Glibc
import MoRuntime

/// Where the doctor reads: this machine's /proc and /sys, or a folder that looks like them.
struct SystemReader {
  /// What stands before `/proc` and `/sys`; empty for this machine.
  var root = ""
  /// Whether what only root sees can be read.
  var isRoot = getuid() == 0
  /// The addresses of all interfaces, which no file tells.
  var addresses: () -> [InterfaceAddress] = InterfaceAddress.all
  /// What a program printed; nil where it is not there or failed.
  var run: ([String]) -> String? = output(of:)
  /// Whose a device's file is; nil where it is not there.
  var rights: (String) -> FileRights? = FileRights.own

  /// The text of a file, or nil.
  func text(_ path: String) -> String? {
    guard let file = fopen(root + path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    // A folder opens, and fails only when read.
    return ferror(file) == 0 ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// The lines of a file, without those of its heading.
  func lines(_ path: String, heading: Int = 0) -> [Substring] {
    (text(path) ?? "").split(separator: "\n").dropFirst(heading).map { $0 }
  }

  /// A file's one word or line.
  func word(_ path: String) -> String? {
    text(path)?.split(separator: "\n", omittingEmptySubsequences: false).first.map { String($0.trimmed) }
  }

  func number(_ path: String) -> Int? { word(path).flatMap { Int($0) } }

  /// Whether there is anything by that name, even a link to nowhere.
  func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(root + path, &status) == 0
  }

  /// What a symbolic link says.
  func link(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = buffer.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { readlink(root + path, $0.baseAddress!, $0.count) }
    }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  /// The names in a folder, sorted.
  func names(_ path: String) -> [String] { SystemFiles.names(in: root + path).sorted() }

  /// Those of a folder's names that begin so, counted as people do: `event9` before `event10`.
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
