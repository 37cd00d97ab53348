import Glibc
import MoMu

/// A Swift file with an instrument in it.
struct InstrumentFile: Equatable {
  /// As it was typed: so the compiler's messages name it.
  let path: String
  /// The type of its first instrument.
  let type: String

  /// Looks into a file.
  ///
  /// - Throws: `RunError`, which says what is missing in it.
  init(_ path: String) throws(RunError) {
    guard access(path, R_OK) == 0 else {
      throw .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
    let text = WholeFile.text(of: path, bytes: 1 << 20) ?? ""
    let words = SwiftWords.words(in: text)
    guard let type = Self.instruments(words).first else {
      throw words.contains("MoApp") ? .isProgram(path: path) : .noInstrument(path: path)
    }
    if words.contains("MoApp") { throw .isProgram(path: path) }
    self.path = path
    self.type = type
  }

  /// The file's name without its ending, as a module may be called.
  var module: String {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let letters = name.replacing(".swift", with: "").unicodeScalars.map { scalar -> Character in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        ? Character(scalar) : "_"
    }
    return "Instrument_" + String(letters)
  }

  /// The types that are declared as instruments, in their order.
  static func instruments(_ words: [String]) -> [String] {
    var found: [String] = []
    for index in words.indices where ["struct", "class", "enum"].contains(words[index]) {
      guard index + 2 < words.count, words[index + 2] == ":" else { continue }
      let inherited = words[(index + 3)...].prefix { $0 != "{" && $0 != "where" }
      if inherited.contains("Instrument") { found.append(words[index + 1]) }
    }
    return found
  }
}
