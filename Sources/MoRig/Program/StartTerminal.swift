/// The terminal in which a rig started, and whether it is still open.
///
/// - Thread: any, but one at a time.
struct StartTerminal {
  /// The number of polls in a row that found the terminal closed.
  private var closedPolls: Int

  /// The number of polls that must find the terminal closed before a SIGHUP no longer means its closing.
  ///
  /// A shell passes SIGHUP on to its jobs a moment after the terminal was closed, so one poll could come too early.
  private static let sufficientPolls = 2

  /// - Parameter isOpen: whether the rig started in a terminal.
  init(isOpen: Bool) { closedPolls = isOpen ? 0 : Self.sufficientPolls }

  /// Whether a SIGHUP means that the terminal was closed; if false, the SIGHUP asks for the configuration to be read
  /// again.
  var isCloseExpected: Bool { closedPolls < Self.sufficientPolls }

  /// Stores the result of a poll that received no signal.
  mutating func update(isOpen: Bool) {
    if isCloseExpected { closedPolls = isOpen ? 0 : closedPolls + 1 }
  }
}
