import Glibc
import MoCore

/// The terminal's keys: read in one place, and handed to whoever takes them.
///
/// Several may want keys at once: a desk, and an accelerometer that is played on them. Each key goes to the first that
/// takes it. The terminal is a keyboard as long as anybody listens, and then given back.
///
/// - Thread: any; keys are handed over on the input thread.
package final class TerminalKeys: @unchecked Sendable {
  // Unchecked: `reader` is used by the input loop alone, which services one input at a time.
  private var reader: KeyReader
  private let takers = Locked<[Taker]>([])
  private let terminal: Terminal

  /// How a terminal becomes a keyboard, and what it was again.
  package struct Terminal: Sendable {
    var open: @Sendable () -> Bool
    var restore: @Sendable () -> Void

    /// The program's own.
    package static let own = Terminal(open: KeyboardTerminal.open, restore: KeyboardTerminal.restore)
  }

  /// Who wants keys.
  private final class Taker: Sendable {
    /// Whether it takes a key.
    let take: @Sendable (TerminalKey, HostTime) -> Bool
    /// Called once when there will be no more.
    let closed: @Sendable () -> Void

    init(
      _ take: @escaping @Sendable (TerminalKey, HostTime) -> Bool, _ closed: @escaping @Sendable () -> Void
    ) {
      (self.take, self.closed) = (take, closed)
    }
  }

  /// - Parameter descriptor: where keys are read from.
  package init(_ descriptor: Int32 = STDIN_FILENO, _ terminal: Terminal = .own) {
    reader = KeyReader(descriptor)
    self.terminal = terminal
  }

  /// Hands keys to `take` from now on, which says whether it takes one.
  ///
  /// - Parameters:
  ///   - isFirst: whether it is asked before those that listen already.
  ///   - closed: called once if the terminal goes away.
  /// - Returns: what ends it; nil where there is no terminal whose keys could be read.
  /// - Throws: `MoThread.Failure`.
  package func add(
    to input: EventLoop, isFirst: Bool = false,
    _ take: @escaping @Sendable (TerminalKey, HostTime) -> Bool, closed: @escaping @Sendable () -> Void = {}
  ) throws -> MoToken? {
    guard terminal.open() else { return nil }
    let taker = Taker(take, closed)
    let isNew = takers.withLock { takers in
      takers.insert(taker, at: isFirst ? 0 : takers.count)
      return takers.count == 1
    }
    if isNew { try input.add(self) { _ in } }
    return MoToken { [weak self, weak input] in
      guard let self, let input else { return }
      remove(taker, from: input)
    }
  }

  private func remove(_ taker: Taker, from input: EventLoop) {
    let (wasThere, isLast) = takers.withLock { takers in
      let count = takers.count
      takers.removeAll { $0 === taker }
      return (takers.count < count, takers.isEmpty)
    }
    guard wasThere else { return }
    guard isLast else { return input.settle() }
    input.remove(self)
    terminal.restore()
  }
}

extension TerminalKeys: EventSource {
  package var name: String { "terminal" }
  package var descriptor: Int32? { reader.descriptor }
  package var nextTime: HostTime? { nil }

  package func service(until now: HostTime) {
    guard reader.descriptor != nil else { return }
    for key in reader.read() {
      // Asked anew for each: what one key does may end somebody's listening.
      _ = takers.withLock { $0 }.first { $0.take(key, now) }
    }
    guard reader.descriptor == nil else { return }
    for taker in takers.withLock({ $0 }) { taker.closed() }
  }
}
