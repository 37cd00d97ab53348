import CMoSystem
import Glibc

/// A function call on a stack, with its source file and line as far as they are known.
struct StackFrame: Equatable, Sendable, CustomStringConvertible {
  var name: String
  var file: String?
  var line: Int?

  /// Whether the source line is known, and the source file can be read on this machine.
  ///
  /// The Swift runtime's source files, for example, were only on the machine that built the runtime.
  var isReadable: Bool { line ?? 0 > 0 && file.map { access($0, R_OK) == 0 } ?? false }

  func isUnder(_ folder: String) -> Bool { file?.hasPrefix(folder + "/") ?? false }

  /// The frame as text, such as "Examples/ShakeDrum/main.swift:21, in closure #1".
  var description: String {
    guard isReadable, let file, let line else { return name }
    let here = getcwd(nil, 0)
    defer { free(here) }
    let folder = here.map { String(cString: $0) + "/" } ?? "/"
    return "\(file.hasPrefix(folder) ? String(file.dropFirst(folder.count)) : file):\(line), in \(name)"
  }

  /// Returns the frames of return addresses, in the order of the addresses.
  ///
  /// If calls were inlined, an address has several frames, the innermost first.
  static func named(_ addresses: [UnsafeMutableRawPointer]) -> [StackFrame] {
    // A return address may already belong to the next line.
    let places = addresses.map { momu_rt_place_of($0 - 1) }
    // Of a library without debug information, such as the C library, the loader's name of the function says more.
    var lines: [String: [Int: [StackFrame]]] = [:]
    for (image, places) in Dictionary(grouping: places, by: image(of:)) where !image.hasPrefix("/usr/") {
      lines[image] = Symboliser.lines(of: image, at: places.map(\.offset))
    }
    return places.flatMap { place -> [StackFrame] in
      if let known = lines[image(of: place)]?[place.offset],
        place.library == nil || known.contains(where: { $0.line != nil })
      {
        return known
      }
      return [StackFrame(name: place.symbol.map { readable(String(cString: $0)) } ?? "?")]
    }
  }

  /// Returns the path of the file that contains a code address: this executable, or a library, such as the library that
  /// `momu run` loads.
  private static func image(of place: momu_rt_place) -> String {
    place.library.map { String(cString: $0) } ?? Symboliser.executable
  }

  /// Returns a symbol as a programmer would write it: "closure #1 in Drum.strike".
  static func readable(_ symbol: String) -> String {
    guard let raw = demangle(symbol, symbol.utf8.count, nil, nil, 0) else { return symbol }
    defer { free(raw) }
    var name = String(cString: raw)
    if let end = name.ranges(of: "> of ").last { name = String(name[end.upperBound...]) }
    name = name.replacing("(extension in Swift):", with: "").replacing("Swift.", with: "")
    name = name.replacing(/\((\w+) in _[0-9A-F]+\)/) { String($0.1) }  // private names
    if name.hasPrefix("closure #"), let end = name.ranges(of: " in ").last {
      name = name.prefix { $0 != " " } + " " + name.split(separator: " ")[1] + name[end.lowerBound...]
    }
    name = withoutTypes(name)
    if let end = name.firstRange(of: " : ") { name = String(name[..<end.lowerBound]) }
    return name.replacing(" throws", with: "")
  }

  /// Returns a function's name without the text in brackets and without the result type: `strike` for
  /// `strike(Swift.Float) -> ()`.
  private static func withoutTypes(_ name: String) -> String {
    var kept = ""
    var depth = 0
    var last: Character = " "
    for letter in name {
      if letter == ">", last == "-" {
        if depth == 0 { return String(kept.dropLast(2)) }
      } else if letter == "(" || letter == "<" {
        depth += 1
      } else if letter == ")" || letter == ">" {
        depth -= 1
      } else if depth == 0 {
        kept.append(letter)
      }
      last = letter
    }
    return kept
  }
}

/// The demangler of the Swift runtime; it returns null for a name that is not a mangled Swift name.
@_silgen_name("swift_demangle")
private func demangle(
  _ name: UnsafePointer<CChar>, _ length: Int, _ output: UnsafeMutablePointer<CChar>?,
  _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
