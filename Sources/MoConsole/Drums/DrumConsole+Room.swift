import MoInstruments
import MoOrchestra

extension DrumConsole {
  /// Shows a board that is everybody's in the room which `--room` names, and plays on its rhythm; without a room, one's
  /// own board on its own rhythm, which begins.
  ///
  /// In a room space starts the rhythm for all, and stops it where one conducts.
  ///
  /// - Throws: `SessionError`; what `MoAudio.follow` throws.
  /// - Thread: the main thread, in the set-up.
  public static func openTogether(_ board: DrumBoard) throws {
    guard MoRoom.isNamed else {
      open(board)
      board.rhythm.start()
      return
    }
    try MoAudio.follow(try MoRoom.join())
    MoSession.setPlays("drums")
    Run.current.open(DrumConsole(board, .room))
    MoRoom.open(hasKeys: false)
    try board.share()
  }
}
