import Glibc
import MoMu

/// The folder of MoMu's sources.
struct MoMuSources: Equatable {
  /// The path, without a slash at its end.
  let folder: String

  /// Finds the sources in the given folder or, if it is nil, in a folder above this program's file.
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

  /// Whether MoMu has a module, program or test with this name; a user's package must have another name.
  func hasTarget(_ name: String) -> Bool {
    ["Sources", "Examples", "Tests"].contains { access("\(folder)/\($0)/\(name)", F_OK) == 0 }
  }

  private static func isSources(_ folder: String) -> Bool {
    access("\(folder)/Package.swift", R_OK) == 0
      && access("\(folder)/Sources/MoInstruments/MoInstruments.swift", R_OK) == 0
  }
}

/// Resolves links and dots in a path; returns nil if the file does not exist.
func realPath(_ path: String) -> String? {
  guard let real = realpath(path, nil) else { return nil }
  defer { free(real) }
  return String(cString: real)
}
