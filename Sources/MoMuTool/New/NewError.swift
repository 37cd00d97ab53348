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
