import Glibc
import MoMu

/// The package that `momu new` creates; the texts of the package's files are in the folder `Template`.
struct PackageTemplate {
  let name: PackageName
  /// The folder of MoMu's sources.
  let momu: String

  /// The path of the instrument's file, relative to the package.
  var instrumentFile: String { "Sources/\(name.folder)/\(name.type).swift" }

  /// The files of the package: their paths, relative to the package, and their texts.
  var files: [(path: String, text: String)] {
    [
      ("Package.swift", manifest),
      (instrumentFile, instrument),
      ("Sources/\(name.folder)/main.swift", main),
      ("Tests/\(name.folder)Tests/\(name.type)Tests.swift", tests),
      (".gitignore", ".build/\n*.wav\n"),
    ]
  }

  /// Creates the folder and all files of the package.
  ///
  /// - Throws: `NewError.cannotWrite`; files already written stay.
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
