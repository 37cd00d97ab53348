import MoRig
import MoSensing
import MoTesting
import Testing

@Suite("The page of journal lines")
struct JournalPageTests {
  private let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  /// The table under "What the journal says".
  private func table() throws -> String {
    let page = ProgramRun(shell: "cat '\(root)/Docs/Rig.md'").text
    let start = try #require(page.firstRange(of: "### What the journal says\n"))
    let end = try #require(page[start.upperBound...].firstRange(of: "\n## "))
    return String(page[start.upperBound..<end.lowerBound])
  }

  /// Returns the fixed parts of the string literals in a piece of source, without interpolations.
  static func fixedParts(_ source: some StringProtocol) -> [String] {
    var parts: [String] = []
    var part = ""
    // For each open interpolation, the number of brackets that are open in it; nil for a literal.
    var open: [Int?] = []
    var rest = source[...]
    while let character = rest.popFirst() {
      switch (open.last, character) {
      case (.some(.none), "\""):
        open.removeLast()
        parts.append(part)
        part = ""
      case (.some(.none), "\\"):
        if rest.popFirst() == "(" {
          parts.append(part)
          part = ""
          open.append(0)
        }
      case (.some(.none), _): part.append(character)
      case (_, "\""): open.append(nil)
      case (.some(.some(let depth)), "("): open[open.count - 1] = depth + 1
      case (.some(.some(let depth)), ")"):
        if depth == 0 { open.removeLast() } else { open[open.count - 1] = depth - 1 }
      default: break
      }
    }
    return parts
  }

  /// Returns the bracketed text at the beginning of a piece of source.
  private func arguments(_ source: Substring) -> Substring {
    var depth = 0
    for index in source.indices {
      if source[index] == "(" { depth += 1 }
      if source[index] == ")" { depth -= 1 }
      if depth == 0 { return source[...index] }
    }
    return source
  }

  /// Returns the phrases of a line that a reader would search for: its fixed parts up to a stop.
  private func phrases(_ parts: [String]) -> [String] {
    parts.flatMap { $0.split { ":;?.]".contains($0) } }.map { $0.drop { $0 == " " || $0 == "," } }
      .map { String($0) }.filter { $0.count >= 9 }
  }

  @Test("each journal line of a rig has an entry in Docs/Rig.md")
  func entries() throws {
    let table = try table()
    let found = ProgramRun(
      shell:
        "grep -rhE -A7 --group-separator=@@@ '(^|[ .])(log|logLine|printLine)[(]|[(][.](notice|warning),' "
        + "'\(root)/Sources/MoRig'"
    )
    var lines = 0
    for place in found.text.split(separator: "@@@") {
      // Two calls close together are one match: each of its lines may begin a call.
      let source = place.split(separator: "\n")
      for (index, line) in source.enumerated() {
        let begins = ["log(", "logLine(", "printLine(", "(.notice,", "(.warning,"].compactMap {
          line.firstRange(of: $0)
        }
        guard let first = begins.map(\.lowerBound).min(), let bracket = line[first...].firstIndex(of: "(")
        else {
          continue
        }
        let statement = ([line[bracket...]] + source[(index + 1)...].prefix(7)).joined(separator: "\n")
        let phrases = phrases(Self.fixedParts(arguments(statement[...])))
        guard !phrases.isEmpty else { continue }
        lines += 1
        #expect(phrases.contains { table.contains($0) }, "\(phrases)")
      }
    }
    #expect(lines > 15, "\(lines)")
  }

  @Test("each cause of an unreached target has an entry in Docs/Rig.md")
  func causes() throws {
    let table = try table()
    let causes: [Reachability.Cause] = [
      .unknownName, .noWay, .silent, .refused, .congested, .closed("…"), .unconfirmed,
    ]
    for cause in causes {
      let clause = cause.description.prefix { $0 != ":" }
      #expect(table.contains("is not reached: \(clause)"), "\(clause)")
    }
  }

  @Test("each line in Docs/Rig.md shows a sensor or output by its whole heading, as the journal does")
  func headings() throws {
    let kinds = Set(AnySensorKind.all.map(\.name) + ["output"])
    let headings = try table().matches(of: /\[(\w+)(?: [^\]]*)?\](?!\()/).map { String($0.1) }
    #expect(headings.contains("sensor") && headings.contains("output"))
    for heading in headings { #expect(kinds.contains(heading), "\(heading)") }
  }

  @Test("splits a literal into its fixed parts, without interpolations")
  func parts() {
    #expect(Self.fixedParts(#"x, "a \(b("c", d)) e", "f""#) == ["a ", "c", " e", "f"])
  }
}
