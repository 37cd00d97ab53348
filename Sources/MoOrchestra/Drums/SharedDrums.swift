import MoInstruments

/// A drum machine's name among what is shared, which says its size: `drums 3×16×4`.
package enum SharedDrums {
  /// What all such names begin with.
  package static let prefix = "drums "

  /// The name of a size.
  package static func name(of layout: DrumLayout) -> String {
    "\(prefix)\(layout.rows)×\(layout.steps)×\(layout.patterns)"
  }

  /// The size in a name; nil where it is no drum machine's.
  package static func layout(_ name: String) -> DrumLayout? {
    guard name.hasPrefix(prefix) else { return nil }
    let sizes = name.dropFirst(prefix.count).split(separator: "×").map { Int($0) }
    guard sizes.count == 3, let rows = sizes[0], let steps = sizes[1], let patterns = sizes[2] else {
      return nil
    }
    return try? DrumLayout(rows: rows, steps: steps, patterns: patterns)
  }
}
