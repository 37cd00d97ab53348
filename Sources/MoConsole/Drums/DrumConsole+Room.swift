import MoInstruments
import MoMIDI
import MoOrchestra

extension DrumConsole {
  /// Shows a drum board that all members of the room share, and plays it on the room's rhythm.
  ///
  /// `--room` names the room. Without a room, the board is local and starts its own rhythm. In a room, space starts
  /// the rhythm for all members, and stops it if this member conducts.
  ///
  /// - Throws: `SessionError`; the errors of `MoAudio.follow`.
  /// - Thread: the main thread, in the set-up.
  public static func openTogether(_ board: DrumBoard) throws {
    guard MoRoom.isNamed else {
      open(board)
      if try !MoMIDI.syncIfAsked(board.rhythm) { board.rhythm.start() }
      return
    }
    try MoAudio.follow(try MoRoom.join(startKey: "space"))
    MoSession.setPlays("drums")
    Run.current.open(DrumConsole(board, .room))
    MoRoom.open(hasKeys: false)
    try board.share()
    try MoRoom.tellActivity()
  }
}
