/// Finds the name that the user may have meant.
package enum Spelling {
  /// Returns the nearest name, whatever its case, if it differs in at most a third of its letters or in one.
  package static func nearest(to text: String, among names: [String]) -> String? {
    let wanted = text.lowercased()
    var best: (name: String, distance: Int)?
    for name in names {
      let known = name.lowercased()
      // A beginning of a name is near, however long the rest is.
      let isBegun = wanted.count >= 2 && known.hasPrefix(wanted)
      let distance = isBegun ? 0 : distance(Array(wanted), Array(known))
      guard isBegun || distance <= max(1, known.count / 3) else { continue }
      if best.map({ distance < $0.distance }) ?? true { best = (name, distance) }
    }
    return best?.name
  }

  /// Returns the least number of letters to insert, delete or change to turn one text into the other.
  ///
  /// - Source: V. I. Levenshtein, *Binary codes capable of correcting deletions, insertions, and reversals* (1966).
  private static func distance(_ one: [Character], _ other: [Character]) -> Int {
    var row = Array(0...other.count)
    for (index, letter) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for place in other.indices {
        let change = diagonal + (letter == other[place] ? 0 : 1)
        diagonal = row[place + 1]
        row[place + 1] = min(change, row[place] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}
