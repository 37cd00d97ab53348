import MoInstruments
import MoOrchestra

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
