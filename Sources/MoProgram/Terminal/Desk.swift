import MoTime

/// The terminal as the front of something: keys go in, a picture comes out.
///
/// - Thread: any; the picture is drawn from the main thread, keys arrive on the input thread.
package protocol Desk: AnyObject, Sendable {
  /// What is drawn above the meter, line by line.
  func picture(at now: HostTime) -> String

  /// Does what a key says; one that says nothing here is ignored.
  func take(_ key: TerminalKey, at now: HostTime)
}

extension Run {
  /// Draws a desk above the meter, and hands it the terminal's keys where there is a terminal.
  package func open(_ desk: some Desk) {
    picture.withLock { $0 = { [clock] in desk.picture(at: clock.now) } }
    guard !isOffline, KeyboardTerminal.open() else { return }
    try? input.add(DeskKeys(desk)) { _ in }
  }
}

/// The terminal's keys on their way to a desk.
private final class DeskKeys<Taker: Desk>: InputSource {
  let name = "desk"
  let nextTime: HostTime? = nil
  private let desk: Taker
  private var keys = KeyReader()

  init(_ desk: Taker) { self.desk = desk }

  var descriptor: Int32? { keys.descriptor }

  func service(until now: HostTime) {
    for key in keys.read() { desk.take(key, at: now) }
  }
}
