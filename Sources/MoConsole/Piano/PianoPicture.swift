/// A drawing of a piano keyboard for the terminal.
enum PianoPicture {
  /// Returns whether a MIDI note is a black key.
  static func isBlack(_ note: Int) -> Bool { [1, 3, 6, 8, 10].contains(note % 12) }

  /// Returns the lines of the drawing: the position of the range on the whole keyboard, then the keys of the range.
  ///
  /// The first line shows the position. The other lines show the keys; sounding keys are filled. There are six lines of
  /// keys, or five if the keys are too narrow for the names of the Cs.
  ///
  /// - Parameter columns: the width of the terminal; keys that do not fit are left out, the highest first.
  static func lines(_ range: PianoRange, sounding: Set<Int>, columns: Int) -> [String] {
    let whites = Array(range.notes.filter { !isBlack($0) }.prefix(max(1, (columns - 1) / 2)))
    let width = max(2, min((columns - 1) / whites.count, 6))
    return [overview(range, columns)] + blacks(whites, width, range, sounding)
      + self.whites(whites, width, range, sounding)
  }

  /// Returns a line with a character for each of the piano's 52 white keys; brackets enclose the keys of the range.
  ///
  /// After the keys, the line has the range's lowest note and width, such as `C3 … 2 oct.`. If the terminal has fewer
  /// than 70 columns, the line has only this text, without the keys.
  private static func overview(_ range: PianoRange, _ columns: Int) -> String {
    let name = "C\(range.first / 12 - 1) … \(range.octaves) oct."
    guard columns >= 70 else { return " " + name }
    var text = ""
    for note in 21...108 where !isBlack(note) {
      if note == range.notes.lowerBound { text += "[" }
      text += range.notes.contains(note) ? "█" : note % 12 == 0 ? "┆" : "·"
      if note == range.notes.upperBound { text += "]" }
    }
    return " \(text)  \(name)"
  }

  /// Returns at most `rows` of the lines of a drawing, in their order.
  ///
  /// If not all lines fit, the two lines with the letters of the computer keys are the last to be left out, and the
  /// position of the range is the last before them.
  static func fit(_ lines: [String], rows: Int) -> [String] {
    [4, 3, 0, 5, 6, 2, 1].filter { $0 < lines.count }.prefix(rows).sorted().map { lines[$0] }
  }

  /// Returns the upper three lines of the keys: the black keys, and the white keys between them.
  private static func blacks(_ whites: [Int], _ width: Int, _ range: PianoRange, _ sounding: Set<Int>)
    -> [String]
  {
    let half = width >= 4 ? 1 : 0
    return (0..<3).map { row in
      var cells = Array(repeating: Character(" "), count: whites.count * width + 1)
      for (index, note) in whites.enumerated() {
        cells[index * width] = "│"
        if sounding.contains(note) { for column in 1..<width { cells[index * width + column] = "▒" } }
      }
      cells[whites.count * width] = "│"
      for (index, note) in whites.enumerated() where index + 1 < whites.count && isBlack(note + 1) {
        for column in -half...half {
          cells[(index + 1) * width + column] = sounding.contains(note + 1) ? "▒" : "█"
        }
        if row == 2, let key = range.key(note + 1) { cells[(index + 1) * width] = key }
      }
      return String(cells)
    }
  }

  /// Returns the lower lines of the keys: the letters of the white keys, the names of the Cs, and the lower edge.
  ///
  /// Keys of two columns have no space for the names of the Cs, so their line is left out.
  private static func whites(_ whites: [Int], _ width: Int, _ range: PianoRange, _ sounding: Set<Int>)
    -> [String]
  {
    let hasNames = width > 2
    let row = Array(repeating: Character(" "), count: whites.count * width + 1)
    var rows = Array(repeating: row, count: hasNames ? 2 : 1)
    for (index, note) in whites.enumerated() {
      for row in rows.indices {
        rows[row][index * width] = "│"
        if sounding.contains(note) { for column in 1..<width { rows[row][index * width + column] = "▒" } }
      }
      if let key = range.key(note) { rows[0][index * width + width / 2] = key }
      if note % 12 == 0, hasNames {
        for (place, letter) in "C\(note / 12 - 1)".enumerated() {
          rows[1][index * width + 1 + place] = letter
        }
      }
    }
    for row in rows.indices { rows[row][whites.count * width] = "│" }
    let edge = Array(repeating: String(repeating: "─", count: width - 1), count: whites.count)
    return rows.map { String($0) } + ["└" + edge.joined(separator: "┴") + "┘"]
  }
}

/// The part of the keyboard that is shown and played: it starts at a C and spans 1 to 5 octaves.
///
/// With fewer octaves, the keys are drawn wider. The lower row of computer keys plays the range's lowest octave, and
/// the upper row plays the range's highest octave.
struct PianoRange: Equatable {
  /// The lowest note of the range, a C, as a MIDI note number, 24 … 96.
  private(set) var first = 48
  /// The width of the range in octaves, 1 … 5.
  private(set) var octaves = 2

  static let widest = 5

  /// The MIDI notes of the range, from the lowest C to the highest C; at most 108, a piano's highest key.
  var notes: ClosedRange<Int> { first...min(first + 12 * octaves, 108) }

  /// Moves the range up by `steps` octaves, or down if `steps` is negative; the range stays within the keys of a piano.
  mutating func move(by steps: Int) { first = max(24, min(first + 12 * steps, 108 - 12 * octaves)) }

  /// Widens the range by `steps` octaves, or narrows it if `steps` is negative; the width stays at 1 … 5 octaves.
  mutating func widen(by steps: Int) {
    octaves = max(1, min(octaves + steps, PianoRange.widest))
    move(by: 0)
  }

  /// The computer keys that play the range's lowest octave, from C up.
  ///
  /// The keys `zxcvbnm,` play the white piano keys, and `sdghj` play the black piano keys.
  static let lowerRow = Array("zsxdcvgbhnjm,")
  /// The computer keys that play the range's highest octave, from C up.
  ///
  /// The letters play the white piano keys, and the digits play the black piano keys.
  static let upperRow = Array("q2w3er5t6y7ui")

  /// Returns the MIDI note that a computer key plays; nil if the key plays no note.
  func note(_ key: Character) -> Int? {
    if let step = PianoRange.lowerRow.firstIndex(of: key) { return first + step }
    if let step = PianoRange.upperRow.firstIndex(of: key) { return first + 12 * (octaves - 1) + step }
    return nil
  }

  /// Returns the computer key that plays a MIDI note; nil if no key plays the note.
  ///
  /// If both `lowerRow` and `upperRow` have a key for the note, the result is the key of `upperRow`.
  func key(_ note: Int) -> Character? {
    let (low, high) = (note - first, note - first - 12 * (octaves - 1))
    if PianoRange.upperRow.indices.contains(high) { return PianoRange.upperRow[high] }
    return PianoRange.lowerRow.indices.contains(low) ? PianoRange.lowerRow[low] : nil
  }
}
