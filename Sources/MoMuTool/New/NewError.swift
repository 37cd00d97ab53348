/// Why no package can be made; its text says what to type instead.
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
      "\"\(name)\" is a word of Swift's own: choose another name, such as \(Self.own(name))"
    case .taken(let name, let what): "\"\(name)\" is \(what): choose another name, such as \(Self.own(name))"
    case .exists(let folder):
      "there is a \(folder) here already: choose another name, or go elsewhere with cd"
    case .cannotWrite(let path, let reason):
      "cannot write \(path): \(reason); go to a folder that is yours with cd"
    case .noSources(nil):
      "MoMu's sources were not found from where momu is: say where they are with --momu FOLDER"
    case .noSources(let folder?):
      "there are no sources of MoMu in \(folder): name the folder that its Package.swift is in, with --momu FOLDER"
    }
  }

  /// Another name that says whose it is.
  private static func own(_ name: String) -> String { "My" + name.prefix(1).uppercased() + name.dropFirst() }
}
