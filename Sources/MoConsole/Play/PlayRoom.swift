import MoCore
import MoMu

/// How a performance takes part in a room; rooms themselves are none of this module's.
package struct PlayRoom: Sendable {
  /// Joins, and says where the room's beat is read.
  package var join: @Sendable () throws -> @Sendable () -> BeatClock
  /// Shares an instrument with those in the room who play the same; cancelling ends that.
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
