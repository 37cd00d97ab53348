import MoInstruments
import MoOrchestra

extension PlayRoom {
  /// Returns the room that `--room` names, for a performance; nil if none is named.
  ///
  /// - Parameter part: the name under which the instrument is shared; nil for the instrument's own name.
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

  /// The notice that in a room `--tempo` does not set the tempo of the rhythm.
  package static let tempoRemark =
    "in a room --tempo is for --notes only: the conductor sets the rhythm's tempo"
}
