import Glibc
import MoCore
import MoInstruments
import MoOrchestra

/// A line that is typed at the bottom of a picture; what it says is done on a thread of its own, since some of it waits.
///
/// - Thread: any; keys come one at a time.
package final class CommandPrompt: Sendable {
  private struct State: Sendable {
    var editor = LineEditor()
    var isOpen = false
  }

  private let state = Locked(State())
  private let lines = Locked<[String]>([])
  private let signal = WakeEvent()
  private let prompt: String
  /// Whether it stays open behind a line.
  private let isKept: Bool

  /// - Parameter isKept: whether it is always open.
  package init(_ prompt: String, isKept: Bool = false) {
    (self.prompt, self.isKept) = (prompt, isKept)
    state.withLock { $0.isOpen = isKept }
    _ = try? MoThread(name: "lines") { [weak self, signal] _ in
      while true {
        signal.wait(for: nil)
        guard let self else { return }
        while let line = self.take() { SessionLines.attempt(line) }
      }
    }
  }

  /// The key that begins a line for other players: `t` is F sharp on the keyboard of letters.
  package static let talkKey = TerminalKey.character("\u{14}")
  /// It in words, as help shows it.
  package static let talkHelp = KeyHelp.Item("Ctrl-T", "talk")

  deinit { signal.raise() }

  /// Takes the terminal's keys while it is open, before anything else does, and opens at `talkKey`.
  package func listen(_ run: Run) {
    guard !run.isOffline else { return }
    _ = try? run.keys.add(to: run.input, rank: .prompt) { [weak self] key, _ in
      guard let self else { return false }
      if take(key) { return true }
      guard key == Self.talkKey else { return false }
      open("say ")
      return true
    }
  }

  private func take() -> String? { lines.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

  /// Opens it with a text that is typed already.
  package func open(_ text: String = "") {
    state.withLock { state in
      state.isOpen = true
      state.editor.begin(text)
    }
  }

  /// Takes in a key; false if it is closed.
  package func take(_ key: TerminalKey) -> Bool {
    // Completion looks at the room, which has a lock of its own.
    let outcome = state.withLock { state -> LineEditor.Outcome? in
      guard state.isOpen else { return nil }
      let outcome = state.editor.take(key) { SessionLines.completions(after: $0) }
      if outcome != .nothing, !isKept { state.isOpen = false }
      return outcome
    }
    guard case .line(let line)? = outcome else { return outcome != nil }
    lines.withLock { $0.append(line) }
    signal.raise()
    return true
  }

  /// Its row; nil while it is closed.
  package func block(columns: Int) -> ScreenBlock? {
    state.withLock { $0.isOpen ? $0.editor.block(prompt: prompt, columns: columns) : nil }
  }
}
