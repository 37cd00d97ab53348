/// A line that the user types, with history, completion, and the common keys of GNU Readline.
///
/// The editor is a plain value: the program draws the line together with all other rows, so no message cuts the line.
/// Readline and libedit cannot be used, since they write to the terminal themselves.
///
/// | key | does |
/// |---|---|
/// | ← → Ctrl-B Ctrl-F | moves by a character |
/// | Home End, Ctrl-A Ctrl-E | moves to the beginning or the end |
/// | Backspace, Delete, Ctrl-D | deletes a character |
/// | Ctrl-W, Ctrl-U, Ctrl-K | deletes the word before the cursor, all text before it, all text after it |
/// | Ctrl-Y | inserts the text that Ctrl-W, Ctrl-U or Ctrl-K deleted last |
/// | ↑ ↓ Ctrl-P Ctrl-N | shows an earlier line of the history, a later line |
/// | Tab | completes a word |
package struct LineEditor: Sendable {
  /// The result of a typed key for the editor's owner.
  package enum Outcome: Equatable, Sendable {
    case nothing
    /// The user entered a line.
    case line(String)
    /// The user left the editor: with Enter or Backspace in an empty line, with Esc, or with Ctrl-G.
    case left
  }

  private var text: [Character] = []
  private var cursor = 0
  private var history: [String] = []
  /// The index in `history` of the line that the editor shows; `history.count` while it shows the new line.
  private var place = 0
  /// The unfinished new line, stored while a line of the history is shown.
  private var begun: [Character] = []
  private var killed: [Character] = []
  /// The possible completions of the word before the cursor, which are shown after Tab until the next key.
  package private(set) var choices: [String] = []

  private static let mostHistory = 200
  private static let longest = 1000

  package init(_ text: String = "") { self = LineEditor().with(text) }

  private init() {}

  private func with(_ text: String) -> LineEditor {
    var editor = self
    (editor.text, editor.cursor) = (Array(text), text.count)
    return editor
  }

  /// The typed text.
  package var line: String { String(text) }

  /// Begins a new line that contains `text`; the history is not changed.
  package mutating func begin(_ text: String) {
    self = with(text)
    (place, begun, choices) = (history.count, [], [])
  }

  /// Handles a key.
  ///
  /// - Parameter complete: returns the words that may replace the last word before the cursor, given the text before
  ///   that word.
  package mutating func handleKey(_ key: TerminalKey, complete: (_ before: String) -> [String] = { _ in [] })
    -> Outcome
  {
    choices = []
    switch key {
    case .left, .character("\u{02}"): cursor = max(0, cursor - 1)
    case .right, .character("\u{06}"): cursor = min(text.count, cursor + 1)
    case .home, .character("\u{01}"): cursor = 0
    case .end, .character("\u{05}"): cursor = text.count
    case .up, .character("\u{10}"): go(to: place - 1)
    case .down, .character("\u{0E}"): go(to: place + 1)
    case .delete, .character("\u{04}"): if cursor < text.count { text.remove(at: cursor) }
    case .character("\u{7F}"), .character("\u{08}"):
      guard !text.isEmpty else { return .left }
      if cursor > 0 { kill(cursor - 1, isKept: false) }
    case .character("\u{17}"): kill(startOfWord)
    case .character("\u{15}"): kill(0)
    case .character("\u{0B}"):
      killed = Array(text[cursor...])
      text.removeSubrange(cursor...)
    case .character("\u{19}"): insert(killed)
    case .character("\u{07}"), .character("\u{1B}"):
      begin("")
      return .left
    case .character("\t"): self.complete(complete)
    case .character("\n"), .character("\r"): return enter()
    case .character(let letter), .pasted(let letter):
      if letter.unicodeScalars.allSatisfy(\.isPrintable) { insert([letter]) }
    }
    return .nothing
  }

  private mutating func enter() -> Outcome {
    let line = self.line
    guard !line.allSatisfy({ $0 == " " }) else {
      begin("")
      return .left
    }
    if history.last != line { history.append(line) }
    history = history.suffix(Self.mostHistory)
    begin("")
    return .line(line)
  }

  private mutating func insert(_ letters: [Character]) {
    guard text.count + letters.count <= Self.longest else { return }
    // A combining mark joins the letter before it.
    let joined = Array(String(text[..<cursor]) + String(letters))
    text.replaceSubrange(..<cursor, with: joined)
    cursor = joined.count
  }

  /// Deletes the text from the index `start` to the cursor.
  ///
  /// - Parameter isKept: whether Ctrl-Y can insert the text again.
  private mutating func kill(_ start: Int, isKept: Bool = true) {
    if isKept { killed = Array(text[start..<cursor]) }
    text.removeSubrange(start..<cursor)
    cursor = start
  }

  private var startOfWord: Int {
    var start = cursor
    while start > 0, text[start - 1] == " " { start -= 1 }
    while start > 0, text[start - 1] != " " { start -= 1 }
    return start
  }

  private mutating func go(to new: Int) {
    guard (0...history.count).contains(new) else { return }
    if place == history.count { begun = text }
    place = new
    text = new == history.count ? begun : Array(history[new])
    cursor = text.count
  }

  // MARK: completion

  private mutating func complete(_ words: (String) -> [String]) {
    // A word in quotes may contain spaces.
    let before = text[..<cursor]
    let isQuoted = before.count { $0 == "\"" } % 2 == 1
    let start =
      isQuoted
      ? before.lastIndex(of: "\"") ?? cursor : (before.lastIndex(of: " ").map { $0 + 1 } ?? 0)
    let typed = String(text[start..<cursor].filter { $0 != "\"" })
    let fitting = words(String(text[..<start])).filter { $0.lowercased().hasPrefix(typed.lowercased()) }
    guard let first = fitting.first else { return }
    var common = first
    for word in fitting { while !word.lowercased().hasPrefix(common.lowercased()) { common.removeLast() } }
    let isWhole = fitting.count == 1
    guard isWhole || common.count > typed.count else {
      choices = fitting
      return
    }
    let needsQuotes = isQuoted || common.contains(" ")
    let word = needsQuotes ? "\"\(common)\(isWhole ? "\"" : "")" : common
    text.replaceSubrange(start..<cursor, with: Array(word + (isWhole ? " " : "")))
    cursor = start + word.count + (isWhole ? 1 : 0)
  }

  // MARK: drawing

  /// Returns the prompt and the typed text in one row; if the text does not fit, only the part around the cursor.
  ///
  /// The row above shows `choices`, if there are any.
  package func block(prompt: String, columns: Int) -> ScreenBlock {
    let head = ScreenLine(prompt, .bold)
    let room = max(4, columns - head.width - 1)
    let widths = text.map { min(2, TerminalSize.width($0)) }
    var (first, used) = (cursor, 0)
    while first > 0, used + widths[first - 1] <= room {
      (first, used) = (first - 1, used + widths[first - 1])
    }
    var (last, wide) = (cursor, used)
    while last < text.count, wide + widths[last] <= room { (last, wide) = (last + 1, wide + widths[last]) }
    let row = head + ScreenLine(String(text[first..<last]))
    var rows = [row]
    if !choices.isEmpty {
      rows.insert(ScreenLine(choices.joined(separator: "  "), .faint).cut(to: columns), at: 0)
    }
    let lines = rows
    return ScreenBlock(
      least: 1, most: lines.count, priority: ScreenBlock.Priority.input, cursor: head.width + used
    ) { lines.suffix($0) }
  }
}
