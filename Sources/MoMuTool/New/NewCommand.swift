import ArgumentParser
import Glibc
import MoMu

/// `momu new`: creates a package with an instrument that plays immediately.
struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Create your own package with an instrument that plays.",
    discussion: """
      This command creates the folder NAME here. In it, swift run plays the instrument, and swift test checks the laws \
      that every instrument must keep.
      """)

  @Argument(
    help: ArgumentHelp("The instrument's type name in Swift, such as Bell.", valueName: "NAME"))
  var name: String

  @Option(
    help: ArgumentHelp(
      "MoMu's sources (default: where momu was built).", valueName: "FOLDER"))
  var momu: String?

  func run() throws {
    let sources = try MoMuSources.found(named: momu)
    let name = try PackageName(name, beside: sources)
    let package = PackageTemplate(name: name, momu: sources.folder)
    try package.write(to: name.folder)
    show(
      """
      Created \(name.folder). Now:

        cd \(name.folder)
        swift run        plays it: space strikes, a to k are keys, Ctrl-C ends
        swift test       checks the laws that every instrument must keep

      The first build compiles MoMu too, which takes about four minutes on two cores. Then change \(package.instrumentFile).

      """)
  }
}

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

/// An error of `momu new`; its text says what to type instead.
enum NewError: Error, CustomStringConvertible, Equatable {
  case noIdentifier(String, instead: String?)
  case keyword(String)
  case taken(String, by: String)
  case exists(String)
  case cannotWrite(path: String, reason: String)
  case noSources(named: String?)

  var description: String {
    switch self {
    case .noIdentifier(let name, let instead?):
      "\"\(name)\" cannot be the name of a type in Swift: use letters and digits, such as \(instead)"
    case .noIdentifier(let name, nil):
      "\"\(name)\" cannot be the name of a type in Swift: use letters and digits, such as Bell"
    case .keyword(let name):
      "\"\(name)\" is a reserved word of Swift: choose another name, such as \(Self.own(name))"
    case .taken(let name, let what): "\"\(name)\" is \(what): choose another name, such as \(Self.own(name))"
    case .exists(let folder):
      "\(folder) already exists here: choose another name, or go to another folder with cd"
    case .cannotWrite(let path, let reason):
      "cannot write \(path): \(reason); with cd, go to a folder that you can write to"
    case .noSources(nil):
      "cannot find MoMu's sources from the folder of momu: give their folder with --momu FOLDER"
    case .noSources(let folder?):
      "\(folder) does not contain MoMu's sources: give the folder of MoMu's Package.swift with --momu FOLDER"
    }
  }

  /// Returns the name with "My" before it: `bell` becomes `MyBell`.
  private static func own(_ name: String) -> String { "My" + name.prefix(1).uppercased() + name.dropFirst() }
}
