import MoInstruments

/// The name under which members share the pattern of a drum machine, such as `drums 3×16×4`.
///
/// The name contains the size of the machine: rows × steps × patterns.
package enum SharedDrums {
  /// The prefix of the names of all shared drum patterns.
  package static let prefix = "drums "

  /// Returns the name under which drum machines of the given size share their pattern, such as `drums 3×16×4`.
  package static func name(of layout: DrumLayout) -> String {
    "\(prefix)\(layout.rows)×\(layout.steps)×\(layout.patterns)"
  }

  /// Returns the size of the drum machine that a shared name contains; nil for a name of another shared setting.
  package static func layout(_ name: String) -> DrumLayout? {
    guard name.hasPrefix(prefix) else { return nil }
    let sizes = name.dropFirst(prefix.count).split(separator: "×").map { Int($0) }
    guard sizes.count == 3, let rows = sizes[0], let steps = sizes[1], let patterns = sizes[2] else {
      return nil
    }
    return try? DrumLayout(rows: rows, steps: steps, patterns: patterns)
  }
}
