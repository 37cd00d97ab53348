import MoCore

/// The terminal as the front of something: keys go in, a picture comes out.
///
/// If an accelerometer is played on the keys, too, those that move it do not come here.
///
/// - Thread: any; the picture is drawn from the main thread, keys arrive on the input thread.
package protocol Console: AnyObject, Sendable {
  /// What is drawn above the meter.
  func picture(at now: HostTime, columns: Int) -> [ScreenBlock]

  /// Does what a key says; one that says nothing here is ignored.
  func take(_ key: TerminalKey, at now: HostTime)
}

extension Run {
  /// Draws a desk above the meter, and hands it the terminal's keys if there is a terminal.
  package func open(_ desk: some Console) {
    picture.withLock { $0.draw = { [clock] columns in desk.picture(at: clock.now, columns: columns) } }
    guard !isOffline else { return }
    _ = try? keys.add(to: input) { key, now in
      desk.take(key, at: now)
      return true
    }
  }
}
