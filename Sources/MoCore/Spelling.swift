/// The search for a name that the user may have meant and misspelt.
package enum Spelling {
  /// Returns the name nearest to a text, without regard to capitals; nil if no name is near.
  ///
  /// A name is near if it begins with the text (at least two letters), or if it differs in at most a third of its
  /// letters. In a short name, a single letter may differ.
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

  /// Returns the least number of edits that turn one text into the other.
  ///
  /// An edit inserts, deletes or changes a letter, or swaps two neighbouring letters.
  ///
  /// - Source: optimal string alignment, after F. J. Damerau, *A technique for computer detection and correction of
  ///   spelling errors* (1964).
  private static func distance(_ one: [Character], _ other: [Character]) -> Int {
    var (before, row) = ([Int](), Array(0...other.count))
    for (index, letter) in one.enumerated() {
      var next = [index + 1]
      for place in other.indices {
        let change = row[place] + (letter == other[place] ? 0 : 1)
        var least = min(change, next[place] + 1, row[place + 1] + 1)
        if index > 0, place > 0, letter == other[place - 1], one[index - 1] == other[place] {
          least = min(least, before[place - 1] + 1)
        }
        next.append(least)
      }
      (before, row) = (row, next)
    }
    return row[other.count]
  }
}
