import CMoSystem
import Glibc
import MoCore

/// The terminal's keys, read in one place and passed to the parts of the program that use them.
///
/// Several parts may use keys at the same time: a console, and an accelerometer that is played on the keys. Each key
/// goes to the first part that accepts it. The terminal is in keyboard mode as long as a part listens, and is then
/// restored.
///
/// - Thread: any; keys are passed on the thread `mo-input`, which reads the terminal.
package final class TerminalKeys: @unchecked Sendable {
  // Unchecked: only the input loop uses `reader`, `isAway` and `nextTime`, and it services one input at a time.
  private var reader: KeyReader
  /// Whether the program was in the background when it last looked for keys.
  ///
  /// If a program in the background read the terminal, the system would stop the program.
  private var isAway = false
  /// The time at which an Esc byte counts as the key Esc, or pasted text as ended, if no byte follows.
  ///
  /// In the background, the time at which the program checks again whether it is in the foreground. Else nil.
  package private(set) var nextTime: HostTime?
  private let listeners = Locked<[Listener]>([])
  private let terminal: Terminal

  /// The functions that set up and restore a terminal, and tell whether the program may read it.
  package struct Terminal: Sendable {
    var open: @Sendable () -> Bool
    var restore: @Sendable () -> Void
    /// Returns whether the program may read the terminal now.
    var isOurs: @Sendable () -> Bool = { true }

    package init(
      open: @escaping @Sendable () -> Bool, restore: @escaping @Sendable () -> Void,
      isOurs: @escaping @Sendable () -> Bool = { true }
    ) {
      (self.open, self.restore, self.isOurs) = (open, restore, isOurs)
    }

    /// The terminal of this program.
    package static let own = Terminal(
      open: KeyboardTerminal.open, restore: KeyboardTerminal.restore, isOurs: { KeyboardTerminal.isOurs })
  }

  /// The priority of a listener: a key goes first to the listener with the highest priority.
  package enum Rank: Int, Sendable {
    /// Listeners with this rank are asked last, in the order in which they were added.
    case usual
    /// Listeners with this rank are asked before the usual listeners: an accelerometer that is played on a few keys.
    case first
    /// Listeners with this rank are asked first: a line that the user types, which accepts every key while it is open.
    ///
    /// Only these listeners receive pasted text.
    case prompt
  }

  /// A listener: a part of the program that uses keys.
  private final class Listener: Sendable {
    let rank: Rank
    /// Handles a key; returns true if the listener accepts the key, so that no other listener gets it.
    let handleKey: @Sendable (TerminalKey, HostTime) -> Bool
    /// Called once when no more keys will come.
    let closed: @Sendable () -> Void

    init(
      _ rank: Rank, _ handleKey: @escaping @Sendable (TerminalKey, HostTime) -> Bool,
      _ closed: @escaping @Sendable () -> Void
    ) {
      (self.rank, self.handleKey, self.closed) = (rank, handleKey, closed)
    }
  }

  /// Creates a reader of keys.
  ///
  /// - Parameter descriptor: the descriptor from which keys are read.
  package init(_ descriptor: Int32 = STDIN_FILENO, _ terminal: Terminal = .own) {
    reader = KeyReader(descriptor)
    self.terminal = terminal
  }

  /// Adds a listener: `handleKey` is called with each key, and returns whether the listener accepts the key.
  ///
  /// - Parameters:
  ///   - rank: the priority of this listener. Of several listeners with the rank `first`, or with the rank `prompt`,
  ///     the last added gets a key first.
  ///   - closed: called once if the terminal closes.
  /// - Returns: a token whose `cancel()` stops the keys; nil if there is no terminal whose keys could be read.
  /// - Throws: `MoThread.Failure`.
  package func add(
    to input: EventLoop, rank: Rank = .usual,
    _ handleKey: @escaping @Sendable (TerminalKey, HostTime) -> Bool,
    closed: @escaping @Sendable () -> Void = {}
  ) throws -> MoToken? {
    guard terminal.open() else { return nil }
    let listener = Listener(rank, handleKey, closed)
    let isNew = listeners.withLock { listeners in
      let place =
        listeners.firstIndex { rank != .usual && $0.rank.rawValue <= rank.rawValue } ?? listeners.count
      listeners.insert(listener, at: place)
      return listeners.count == 1
    }
    if isNew { try input.add(self) { _ in } }
    return MoToken { [weak self, weak input] in
      guard let self, let input else { return }
      remove(listener, from: input)
    }
  }

  private func remove(_ listener: Listener, from input: EventLoop) {
    let (wasThere, isLast) = listeners.withLock { listeners in
      let count = listeners.count
      listeners.removeAll { $0 === listener }
      return (listeners.count < count, listeners.isEmpty)
    }
    guard wasThere else { return }
    guard isLast else { return input.waitUntilIdle() }
    input.remove(self)
    terminal.restore()
  }
}

extension TerminalKeys: EventSource {
  package var name: String { "terminal" }
  package var descriptor: Int32? { isAway ? nil : reader.descriptor }

  /// The time between two checks whether the program has come back to the foreground; no signal reports this.
  private static let awayPause = Duration.milliseconds(250)

  package func service(until now: HostTime) {
    guard reader.descriptor != nil else { return }
    let wasAway = isAway
    isAway = !terminal.isOurs()
    if isAway {
      nextTime = now + Self.awayPause
      return
    }
    if wasAway { nextTime = nil }
    var keys = reader.read()
    if reader.hasRead { nextTime = nil }
    if isDue(at: now), let key = reader.pendingKey() { keys.append(key) }
    nextTime = reader.pause.map { nextTime ?? now + $0 }
    for key in keys {
      // As keys, the letters of pasted text would play notes, change the tempo or silence the room.
      let isPasted = if case .pasted = key { true } else { false }
      // The list is read again for each key, since a key may end a listener.
      _ = listeners.withLock { $0 }.first { ($0.rank == .prompt || !isPasted) && $0.handleKey(key, now) }
    }
    guard reader.descriptor == nil else { return }
    for listener in listeners.withLock({ $0 }) { listener.closed() }
  }
}

/// The terminal in keyboard mode: every key arrives immediately and without echo, and pasted text is marked.
///
/// The terminal is restored afterwards, whether the program ends, is stopped, or crashes.
///
/// Ctrl-C and Ctrl-Z keep their meaning.
package enum KeyboardTerminal {
  private static let isOpen = Locked(false)

  /// Registers, at the first access, a function that restores the terminal when the program ends.
  private static let atExit: Void = { atexit { KeyboardTerminal.restore() } }()

  /// Whether standard input is a terminal that this program may read: a program in the background may not.
  package static var isAvailable: Bool { isatty(STDIN_FILENO) != 0 && tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// Whether this program may read and draw on its terminal now: no other program is in the foreground there.
  ///
  /// If the program has come back to the foreground, the terminal is put into keyboard mode again.
  package static var isOurs: Bool { isOpen.withLock { _ in momu_terminal_is_ours() != 0 } }

  /// Waits until standard input has a line or has ended, and until this program is in the foreground of its terminal.
  ///
  /// If a program in the background read its terminal, the system would stop the program.
  package static func awaitLine() {
    guard isatty(STDIN_FILENO) != 0 else { return }
    func isElsewhere() -> Bool { tcgetpgrp(STDIN_FILENO) >= 0 && tcgetpgrp(STDIN_FILENO) != getpgrp() }
    while true {
      var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      // In the background, the shell's own input would end each wait immediately.
      if isElsewhere() { usleep(250_000) } else if poll(&request, 1, -1) > 0, !isElsewhere() { return }
    }
  }

  /// Puts the terminal into keyboard mode; returns false if that is not possible.
  package static func open() -> Bool {
    isOpen.withLock { isOpen in
      // A sensor may add itself after the console, when the user has already stopped the program with Ctrl-Z.
      if isOpen { return true }
      guard isAvailable else { return false }
      _ = atExit
      isOpen = momu_keyboard_open(STDIN_FILENO) == 0
      return isOpen
    }
  }

  /// Restores the terminal; safe to call again.
  package static func restore() {
    isOpen.withLock { isOpen in
      if isOpen { momu_keyboard_restore() }
      isOpen = false
    }
  }
}
