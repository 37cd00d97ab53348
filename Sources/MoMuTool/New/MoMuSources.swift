import Glibc
import MoMu

/// The folder of MoMu's own sources.
struct MoMuSources: Equatable {
  /// Without a slash at its end.
  let folder: String

  /// The one that was named, or the one that this program was built in.
  ///
  /// - Throws: `NewError.noSources`.
  static func found(named folder: String?) throws(NewError) -> MoMuSources {
    if let folder {
      guard let path = realPath(folder), isSources(path) else { throw .noSources(named: folder) }
      return MoMuSources(folder: path)
    }
    var path = realPath("/proc/self/exe") ?? ""
    while let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      path = String(path[..<slash])
      if isSources(path) { return MoMuSources(folder: path) }
    }
    throw .noSources(named: nil)
  }

  /// Whether a name is one of its modules, programs or tests, of which there may be no two.
  func hasTarget(_ name: String) -> Bool {
    ["Sources", "Examples", "Tests"].contains { access("\(folder)/\($0)/\(name)", F_OK) == 0 }
  }

  private static func isSources(_ folder: String) -> Bool {
    access("\(folder)/Package.swift", R_OK) == 0
      && access("\(folder)/Sources/MoInstruments/MoInstruments.swift", R_OK) == 0
  }
}

/// A path without links and dots; nil where nothing is there.
func realPath(_ path: String) -> String? {
  guard let real = realpath(path, nil) else { return nil }
  defer { free(real) }
  return String(cString: real)
}
