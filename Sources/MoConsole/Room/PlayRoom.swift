import MoCore
import MoInstruments
import MoOrchestra

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

extension PlayRoom {
  /// Returns the connection to the room that `--room` or `MOMU_ROOM` names; nil if neither names a room.
  ///
  /// - Parameters:
  ///   - part: the name under which the instrument is shared; nil for the instrument's own name.
  ///   - remark: a notice to log when the room is joined; nil for none.
  package static func named(as part: String? = nil, saying remark: String? = nil) -> PlayRoom? {
    guard MoRoom.isNamed else { return nil }
    return PlayRoom(
      join: {
        let beat = try MoRoom.join()
        if let remark { Run.current.notice(remark) }
        return beat
      },
      share: { try $0.share(as: part) }, opened: { MoRoom.open() })
  }

  /// The notice that `--tempo` does not set the tempo of a room's rhythm.
  package static let tempoRemark =
    "in a room --tempo is for --notes only: the conductor sets the rhythm's tempo"
}
