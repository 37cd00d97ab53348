import CMoSystem
import Glibc

/// One call on a stack, as far as it could be named.
struct StackFrame: Equatable, Sendable, CustomStringConvertible {
  var name: String
  var file: String?
  var line: Int?

  /// Whether the source file is on this machine; the runtime's was only on the one that built it.
  var isReadable: Bool { line ?? 0 > 0 && file.map { access($0, R_OK) == 0 } ?? false }

  func isUnder(_ folder: String) -> Bool { file?.hasPrefix(folder + "/") ?? false }

  /// "Examples/ShakeDrum/main.swift:21, in closure #1": the path from the working directory if it is inside.
  var description: String {
    guard isReadable, let file, let line else { return name }
    let here = getcwd(nil, 0)
    defer { free(here) }
    let folder = here.map { String(cString: $0) + "/" } ?? "/"
    return "\(file.hasPrefix(folder) ? String(file.dropFirst(folder.count)) : file):\(line), in \(name)"
  }

  /// Names every address, inlined calls included, the innermost first.
  static func named(_ addresses: [UnsafeMutableRawPointer]) -> [StackFrame] {
    // A return address may belong to the next line already.
    let places = addresses.map { momu_rt_place_of($0 - 1) }
    let lines = Symboliser.lines(ofExecutableAt: places.filter { $0.library == nil }.map(\.offset))
    return places.flatMap { place -> [StackFrame] in
      if place.library == nil, let known = lines[place.offset] { return known }
      return [StackFrame(name: place.symbol.map { readable(String(cString: $0)) } ?? "?")]
    }
  }

  /// A symbol as its source would call it, without its specialisations, modules and result.
  static func readable(_ symbol: String) -> String {
    guard let raw = demangle(symbol, symbol.utf8.count, nil, nil, 0) else { return symbol }
    defer { free(raw) }
    var name = String(cString: raw)
    if let end = name.ranges(of: "> of ").last { name = String(name[end.upperBound...]) }
    if let end = name.firstRange(of: " -> ") { name = String(name[..<end.lowerBound]) }
    return name.replacing("Swift.", with: "")
  }
}

/// The Swift runtime's own demangler; null for a name that is not Swift's.
@_silgen_name("swift_demangle")
private func demangle(
  _ name: UnsafePointer<CChar>, _ length: Int, _ output: UnsafeMutablePointer<CChar>?,
  _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
