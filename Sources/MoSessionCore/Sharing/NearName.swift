/// The name that somebody may have meant.
enum NearName {
  /// The name that differs least, where that is not much: a third of its letters at most, or one.
  ///
  /// - Source: V. I. Levenshtein, *Binary codes capable of correcting deletions, insertions, and reversals* (1966).
  static func of(_ text: String, among names: [String]) -> String? {
    let wanted = Array(text.lowercased())
    let near = names.map { name in (name: name, distance: distance(wanted, Array(name.lowercased()))) }
      .filter { $0.distance <= max(1, $0.name.count / 3) }
    return near.min { $0.distance < $1.distance }?.name
  }

  private static func distance(_ one: [Character], _ other: [Character]) -> Int {
    var row = Array(0...other.count)
    for (index, letter) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for place in other.indices {
        let change = diagonal + (letter == other[place] ? 0 : 1)
        diagonal = row[place + 1]
        row[place + 1] = min(change, min(row[place], diagonal) + 1)
      }
    }
    return row[other.count]
  }
}
