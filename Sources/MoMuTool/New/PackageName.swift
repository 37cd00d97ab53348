import Glibc

/// The name of a package of one's own: of its folder, its module, its instrument.
struct PackageName: Equatable {
  /// The folder and the module, as typed: `Bell`.
  let folder: String

  /// Takes a name that may be a Swift type's, and of which there is none yet.
  ///
  /// - Throws: `NewError`, which says what is wrong with it.
  init(_ name: String, beside sources: MoMuSources) throws(NewError) {
    guard Self.isIdentifier(name) else { throw .noIdentifier(name, instead: Self.identifier(like: name)) }
    if Self.words.contains(name) { throw .keyword(name) }
    folder = name
    if sources.hasTarget(name) { throw .taken(name, by: "a part of MoMu") }
    if Self.used.contains(type) { throw .taken(name, by: "a type that an instrument is made of") }
    if access(name, F_OK) == 0 { throw .exists(name) }
  }

  /// The instrument's type: `Bell`, also of `bell`.
  var type: String { folder.prefix(1).uppercased() + folder.dropFirst() }

  /// As it stands in addresses: `windChimes2` is `wind-chimes2`.
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

  /// As people say it: `wind chimes 2`.
  var words: String { String(address.map { $0 == "-" ? " " : $0 }) }

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

  /// The letters and digits of what was typed, each word begun large; nil where nothing is left.
  private static func identifier(like name: String) -> String? {
    let parts = name.drop { !$0.isLetter }.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    let text = parts.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return isIdentifier(text) ? text : nil
  }

  /// Swift's own words that may not be names.
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

  /// What the new instrument's text says, of which it must not be one itself.
  private static let used: Set<String> = [
    "AudioBlock", "Bool", "Control", "Controls", "Double", "Float", "Instrument", "InstrumentControl",
    "InstrumentEvent", "InstrumentLaw", "InstrumentInfo", "Int", "MoApp", "Note", "Package", "Parameter",
    "Rig",
    "Sine", "Swift", "Testing", "UInt64",
  ]
}
