import MoCore
import MoMu

/// The connection of a performance to a room, as closures, so that `Performance` needs no session types.
package struct PlayRoom: Sendable {
  /// Called to join the room; returns a function that gives the room's beat.
  package var join: @Sendable () throws -> @Sendable () -> BeatClock
  /// Called to share an instrument with the members that play the same instrument.
  ///
  /// The token's `cancel()` ends the sharing.
  package var share: @Sendable (InstrumentHandle) throws -> MoToken
  /// Called after the instrument's console has been opened.
  package var opened: @Sendable () -> Void

  package init(
    join: @escaping @Sendable () throws -> @Sendable () -> BeatClock,
    share: @escaping @Sendable (InstrumentHandle) throws -> MoToken, opened: @escaping @Sendable () -> Void
  ) {
    (self.join, self.share, self.opened) = (join, share, opened)
  }
}
