import Glibc
import MoMu

/// A Swift file that declares an instrument.
struct InstrumentFile: Equatable {
  /// The path as typed; the compiler's messages show it.
  let path: String
  /// The name of the first type in the file that is an instrument.
  let type: String
  /// The advice to print if the file does not build, such as a missing import; nil for none.
  let adviceOnErrors: String?
  /// The advice to print if the file builds, such as about `print` on the audio thread; nil for none.
  let advice: String?

  /// Reads a file and finds its first instrument.
  ///
  /// - Throws: `RunError` with the reason.
  init(_ path: String) throws(RunError) {
    guard access(path, R_OK) == 0 else {
      throw .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { throw .isFolder(path: path) }
    let text = WholeFile.text(of: path, bytes: 1 << 20) ?? ""
    let words = SwiftWords.words(in: text)
    guard let type = Self.instruments(words).first else {
      throw words.contains("MoApp") ? .isProgram(path: path) : .noInstrument(path: path)
    }
    if words.contains("MoApp") { throw .isAlsoProgram(path: path) }
    self.path = path
    self.type = type
    adviceOnErrors =
      Self.importsMoMu(words)
      ? nil : "\(path) imports no module of MoMu: write import MoInstruments in its first line"
    advice = Self.callbacks.first { Self.calls("print", in: $0, words) }.map {
      "\(path) calls print in \($0), which runs hundreds of times a second: the sound stutters, and lines flood the "
        + "terminal. Call it in init, or look at a parameter in the picture."
    }
  }

  /// Returns the advice for a file that is a program, not an instrument: the command that starts the program.
  ///
  /// If the file is not in a folder of its own in MoMu's folder `Examples`, the text says to copy it there first.
  static func wayToStart(program path: String) -> String {
    let names = path.split(separator: "/")
    if names.last == "main.swift", let example = names.dropLast().last, names.dropLast(2).last == "Examples" {
      return "type swift run Examples/\(example) in MoMu's folder"
    }
    return "copy it to Examples/NAME/main.swift in MoMu's folder, "
      + "add NAME to the list examples in Package.swift, and type swift run Examples/NAME"
  }

  /// The name of the module that is built, made from the file's name: `Instrument_bell` for `bell.swift`.
  var module: String {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let letters = name.replacing(".swift", with: "").unicodeScalars.map { scalar -> Character in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        ? Character(scalar) : "_"
    }
    return "Instrument_" + String(letters)
  }

  /// The functions of an instrument that the audio thread calls.
  private static let callbacks = ["render", "handle"]

  private static func importsMoMu(_ words: [String]) -> Bool {
    words.indices.dropLast().contains {
      words[$0] == "import" && ["MoInstruments", "MoMu"].contains(words[$0 + 1])
    }
  }

  /// Whether the body of the function `function` contains a call of the function `callee`, such as `print`.
  ///
  /// - Parameter words: the words of the source file, from `SwiftWords`.
  static func calls(_ callee: String, in function: String, _ words: [String]) -> Bool {
    for index in words.indices.dropLast() where words[index] == "func" && words[index + 1] == function {
      guard let start = words[index...].firstIndex(of: "{") else { continue }
      var depth = 0
      for place in start..<words.count {
        if words[place] == "{" { depth += 1 }
        if words[place] == "}" { depth -= 1 }
        if depth == 0 { break }
        if words[place] == callee, place + 1 < words.count, words[place + 1] == "(", words[place - 1] != "." {
          return true
        }
      }
    }
    return false
  }

  /// Returns the names of the types that conform to `Instrument`, in source order.
  ///
  /// - Parameter words: the words of the source file, from `SwiftWords`.
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
