import MoCore

/// The user interface of a program in the terminal: it receives keys and draws a picture.
///
/// If an accelerometer is also played on the terminal's keys, the console does not receive the keys that the
/// accelerometer uses.
///
/// - Thread: any; the picture is drawn from the main thread, and keys arrive on the thread `mo-input`, which reads the
///   terminal.
package protocol Console: AnyObject, Sendable {
  /// Returns the picture that the terminal shows above the level meter.
  func picture(at now: HostTime, columns: Int) -> [ScreenBlock]

  /// Handles a typed key; ignores a key that has no meaning in this console.
  func handleKey(_ key: TerminalKey, at now: HostTime)
}

extension Run {
  /// Draws a console's picture above the level meter, and passes the terminal's keys to the console if there is a
  /// terminal.
  package func open(_ console: some Console) {
    picture.withLock { $0.draw = { [clock] columns in console.picture(at: clock.now, columns: columns) } }
    guard !isOffline else { return }
    _ = try? keys.add(to: input) { key, now in
      console.handleKey(key, at: now)
      return true
    }
  }
}
