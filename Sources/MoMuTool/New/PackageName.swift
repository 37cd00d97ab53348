import Glibc

/// The name of a user's package, and of the package's folder, module and instrument.
struct PackageName: Equatable {
  /// The folder and the module, as typed: `Bell`.
  let folder: String

  /// Creates the package's name, if a Swift type can have this name and the name is not in use.
  ///
  /// - Throws: `NewError` with the reason.
  init(_ name: String, beside sources: MoMuSources) throws(NewError) {
    guard Self.isIdentifier(name) else { throw .noIdentifier(name, instead: Self.identifier(like: name)) }
    if Self.words.contains(name) { throw .keyword(name) }
    folder = name
    if sources.hasTarget(name) { throw .taken(name, by: "a part of MoMu") }
    if Self.used.contains(type) { throw .taken(name, by: "a type that an instrument is made of") }
    if access(name, F_OK) == 0 { throw .exists(name) }
  }

  /// The name of the instrument's type: `Bell`, even if the typed name is `bell`.
  var type: String { folder.prefix(1).uppercased() + folder.dropFirst() }

  /// The name of the instrument in OSC addresses: `windChimes2` becomes `wind-chimes2`.
  var address: String {
    var address = ""
    var wasSmall = false
    for letter in folder where letter != "_" {
      if letter.isUppercase, wasSmall { address += "-" }
      address += letter.lowercased()
      wasSmall = letter.isLowercase
    }
    return address
  }

  private static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first) else { return false }
    return name.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Returns a valid name that is similar to the typed text: `wind-chimes` becomes `WindChimes`; nil if there is none.
  private static func identifier(like name: String) -> String? {
    let parts = name.drop { !$0.isLetter }.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    let text = parts.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return isIdentifier(text) ? text : nil
  }

  /// The reserved words of Swift: a type cannot have such a name.
  private static let words: Set<String> = [
    "Any", "Protocol", "Self", "Type", "actor", "as", "associatedtype", "await", "break", "case", "catch",
    "class",
    "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
    "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let",
    "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
    "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
    "where", "while",
  ]

  /// The names that the template's source uses for other types; the instrument cannot have such a name.
  private static let used: Set<String> = [
    "AudioBlock", "Bool", "Control", "Controls", "Double", "Float", "Instrument", "InstrumentControl",
    "InstrumentEvent", "InstrumentLaw", "InstrumentInfo", "Int", "MoApp", "Note", "Package", "Parameter",
    "InstrumentRender", "Rig", "Sine", "Swift", "Testing", "UInt64",
  ]
}
