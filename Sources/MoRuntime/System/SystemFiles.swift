import Glibc

/// The folders and small files in which the kernel lists devices and processes: `/proc`, `/sys`, `/dev`.
package enum SystemFiles {
  /// Returns the names in a folder, shorter names first, so `event9` before `event10`; empty if the folder cannot be
  /// read.
  package static func names(in folder: String) -> [String] {
    guard let listing = opendir(folder) else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
  }

  /// Returns a file's first line, without white space at its ends; nil if the file is empty or cannot be read.
  package static func line(of path: String) -> String? {
    WholeFile.text(of: path, bytes: 4096).map { String($0.prefix { !$0.isNewline }.trimmed) }
  }

  /// Returns the absolute path after all symbolic links are followed; nil if there is no such file.
  package static func real(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
