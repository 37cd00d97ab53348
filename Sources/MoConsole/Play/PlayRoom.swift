import MoCore
import MoMu

/// The connection of a performance to a room, as closures, because this module does not know rooms.
package struct PlayRoom: Sendable {
  /// Joins the room; returns the source of its beat.
  package var join: @Sendable () throws -> @Sendable () -> BeatClock
  /// Shares an instrument with the members that play the same; `cancel()` ends the sharing.
  package var share: @Sendable (InstrumentHandle) throws -> MoToken
  /// Called once the instrument is shown.
  package var opened: @Sendable () -> Void

  package init(
    join: @escaping @Sendable () throws -> @Sendable () -> BeatClock,
    share: @escaping @Sendable (InstrumentHandle) throws -> MoToken, opened: @escaping @Sendable () -> Void
  ) {
    (self.join, self.share, self.opened) = (join, share, opened)
  }
}
