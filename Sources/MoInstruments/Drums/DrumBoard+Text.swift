import Glibc
import MoMu

extension DrumBoard {
  /// Loads a pattern onto the board, as one edit that `undo` takes back.
  ///
  /// Each line is a row: a sound's name and its steps. `.` or `-` is silent. `x` has the velocity 0.8, `X` 1, `o`
  /// 0.5; a digit from 1 to 9 is the velocity in tenths. `|`, spaces between steps, and everything after `#` are
  /// ignored. Missing steps are silent.
  ///
  /// ```
  /// kick  x...|..x.|x...|....
  /// snare ....|x...|....|x..3   # a soft one before the bar
  /// ```
  ///
  /// - Parameters:
  ///   - text: the rows, one per line.
  ///   - pattern: the index of the pattern, clamped to the board. The text replaces its first rows; further rows stay.
  ///     The names set the sounds of these rows in all patterns.
  /// - Throws: `DrumError.line` for a line that cannot be parsed, `.noRows` for a text without rows; the board then
  ///   stays unchanged.
  public func load(_ text: String, pattern: Int = 0) throws(DrumError) {
    var changes: [(key: Int, value: UInt16)] = []
    var row = 0
    var number = 0
    let pattern = max(0, min(pattern, layout.patterns - 1))
    // An editor of Windows ends lines with CR and LF, which are one character.
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
      guard let name = words.first else { continue }
      func bad(_ reason: String) -> DrumError {
        .line(number: number, text: String(line.prefix(60)), reason: reason)
      }
      guard let sound = DrumSound(name: String(name)) else {
        throw bad("there is no sound \"\(name.prefix(20))\": \(Self.names)")
      }
      guard row < layout.rows else { throw bad("this machine has only \(layout.rows) rows") }
      var step = 0
      for mark in words.dropFirst().joined() where mark != "|" {
        guard let force = Self.force(mark) else {
          throw bad("a step cannot be \"\(mark)\": write . for silence, x, X, o, or 1 to 9")
        }
        guard step < layout.steps else { throw bad("a row has only \(layout.steps) steps") }
        changes.append((layout.slot(pattern, row, step), force))
        step += 1
      }
      while step < layout.steps {
        changes.append((layout.slot(pattern, row, step), 0))
        step += 1
      }
      changes.append((layout.sound(row), UInt16(sound.rawValue)))
      row += 1
    }
    guard row > 0 else { throw .noRows }
    set(changes)
  }

  /// Loads a pattern from a file; see `load`.
  ///
  /// Only the first 65,536 bytes are read.
  ///
  /// - Throws: `DrumError.file` if the file cannot be read, and the errors of `load`.
  public func load(file path: String, pattern: Int = 0) throws(DrumError) {
    guard let text = WholeFile.content(of: path, bytes: 65_536) else {
      throw .file(path: path, reason: String(cString: strerror(errno)))
    }
    guard !text.isEmpty else { throw .file(path: path, reason: "it is empty") }
    try load(text, pattern: pattern)
  }

  /// Returns a pattern as text in the format of `load`; velocities are rounded to tenths, but not to 0.
  public func text(pattern: Int = 0) -> String {
    var text = ""
    for row in 0..<layout.rows {
      let name = sound(row: row).name
      text += name + String(repeating: " ", count: 10 - name.utf8.count)
      for step in 0..<layout.steps {
        if step > 0, step % 4 == 0 { text += "|" }
        text += Self.mark(self[row, step, pattern: pattern])
      }
      text += "\n"
    }
    return text
  }

  /// Clears all steps of a pattern, as one edit that `undo` takes back.
  public func clear(pattern: Int = 0) {
    guard 0..<layout.patterns ~= pattern else { return }
    let first = layout.slot(pattern, 0, 0)
    set((first..<first + layout.rows * layout.steps).map { ($0, 0) })
  }

  private static var names: String {
    "write one of " + DrumSound.allCases.map(\.name).joined(separator: ", ")
  }

  private static func force(_ mark: Character) -> UInt16? {
    switch mark {
    case ".", "-": return 0
    case "x": return 800
    case "X": return 1000
    case "o": return 500
    default:
      guard let digit = mark.asciiValue, 49...57 ~= digit else { return nil }
      return UInt16(digit - 48) * 100
    }
  }

  private static func mark(_ force: Float) -> String {
    let tenths = Int((force * 10).rounded())
    switch tenths {
    case ...0: return force > 0 ? "1" : "."
    case 5: return "o"
    case 8: return "x"
    case 10...: return "X"
    default: return "\(tenths)"
    }
  }
}
