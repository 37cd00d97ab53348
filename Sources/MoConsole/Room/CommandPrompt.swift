import Glibc
import MoCore
import MoInstruments
import MoOrchestra

/// A line for commands at the bottom of a picture; a separate thread executes the commands, so that keys do not wait
/// for a command.
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
  /// Whether the prompt is always open, also after the user has typed a line.
  private let isKept: Bool

  /// Creates a prompt.
  ///
  /// - Parameter isKept: whether the prompt is always open.
  package init(_ prompt: String, isKept: Bool = false) {
    (self.prompt, self.isKept) = (prompt, isKept)
    state.withLock { $0.isOpen = isKept }
    _ = try? MoThread(name: "mo-lines") { [weak self, signal] _ in
      while true {
        signal.wait(for: nil)
        guard let self else { return }
        while let line = self.popLine() { SessionLines.attempt(line) }
      }
    }
  }

  /// The key that begins a message to other players: Ctrl-T, since `t` without Ctrl plays a note.
  package static let talkKey = TerminalKey.character("\u{14}")
  /// The key that begins a command of `momu session`, the same in each program that plays in a room.
  package static let commandKey = TerminalKey.character(":")
  /// The entry for `talkKey` in the help for the keys.
  package static let talkHelp = KeyHelp.Item("Ctrl-T", "talk")
  /// The entry for `commandKey` in the help for the keys.
  package static let commandHelp = KeyHelp.Item(":", "type a command")

  deinit { signal.raise() }

  /// Connects the prompt to the terminal's keys: `talkKey` and `commandKey` open the prompt.
  ///
  /// While the prompt is open, it receives each key before the console. Offline, the function does nothing.
  package func listen(_ run: Run) {
    guard !run.isOffline else { return }
    _ = try? run.keys.add(to: run.input, rank: .prompt) { [weak self] key, _ in
      guard let self else { return false }
      if handleKey(key) { return true }
      guard key == Self.talkKey || key == Self.commandKey else { return false }
      open(key == Self.talkKey ? "say " : "")
      return true
    }
  }

  private func popLine() -> String? { lines.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

  /// Opens the prompt with an initial text.
  package func open(_ text: String = "") {
    state.withLock { state in
      state.isOpen = true
      state.editor.begin(text)
    }
  }

  /// Handles a key; returns false if the prompt is closed.
  package func handleKey(_ key: TerminalKey) -> Bool {
    // Completion reads the room, which has a lock of its own.
    let outcome = state.withLock { state -> LineEditor.Outcome? in
      guard state.isOpen else { return nil }
      let outcome = state.editor.handleKey(key) { SessionLines.completions(after: $0) }
      if outcome != .nothing, !isKept { state.isOpen = false }
      return outcome
    }
    guard case .line(let line)? = outcome else { return outcome != nil }
    lines.withLock { $0.append(line) }
    signal.raise()
    return true
  }

  /// Whether no text is typed.
  package var isEmpty: Bool { state.withLock { $0.editor.line.isEmpty } }

  /// Returns the prompt's row; nil while the prompt is closed.
  package func block(columns: Int) -> ScreenBlock? {
    state.withLock { $0.isOpen ? $0.editor.block(prompt: prompt, columns: columns) : nil }
  }
}
