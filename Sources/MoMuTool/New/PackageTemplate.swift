import Glibc
import MoMu

/// A package with a new instrument, as `momu new` makes it; its texts stand in `Template`.
struct PackageTemplate {
  let name: PackageName
  /// The folder of MoMu's sources.
  let momu: String

  /// The file to change first, from the package's folder.
  var instrumentFile: String { "Sources/\(name.folder)/\(name.type).swift" }

  /// All files by their paths in the package.
  var files: [(path: String, text: String)] {
    [
      ("Package.swift", manifest),
      (instrumentFile, instrument),
      ("Sources/\(name.folder)/main.swift", main),
      ("Tests/\(name.folder)Tests/\(name.type)Tests.swift", tests),
      (".gitignore", ".build/\n*.wav\n"),
    ]
  }

  /// Makes the folder and all files in it.
  ///
  /// - Throws: `NewError.cannotWrite`; what was written stays.
  func write(to folder: String) throws(NewError) {
    for file in files {
      let path = "\(folder)/\(file.path)"
      try makeFolders(to: path)
      if let reason = WholeFile.write(file.text, to: path, isPrivate: false) {
        throw .cannotWrite(path: path, reason: reason)
      }
    }
  }

  private func makeFolders(to path: String) throws(NewError) {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += folder.isEmpty ? String(part) : "/\(part)"
      guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
        throw .cannotWrite(path: folder, reason: String(cString: strerror(errno)))
      }
    }
  }
}
