import MoCore
import MoInstruments
import MoOrchestra
import MoRuntime
import Testing

extension OfflineRoomTests {
  @Suite("A shared drum board")
  struct SharedBoardTests {
    private final class Count: @unchecked Sendable {
      // Unchecked: one thread.
      var edits = 0
    }

    @Test("sharing neither replaces an edit listener nor is replaced by a later one")
    func listeners() throws {
      var options = RunOptions()
      options.offline = true
      let run = Run(options)
      let session = SessionServer.shared
      try session.join(JoinOptions(room: "Lab", isKept: false), in: run)
      defer { session.leave() }
      let board = DrumBoard()
      let thing = SharedDrums.name(of: board.layout)
      func isInTheRoom(_ step: Int, _ value: UInt16) -> Bool {
        let key = Int64(board.layout.slot(0, 0, step))
        let edits = session.read { core, _ in core.shared(thing) } ?? []
        return edits.contains { $0.key == key && $0.cell.value == value }
      }
      let (first, second) = (Count(), Count())
      board.onEdit { _ in first.edits += 1 }
      let shared = SharedBoard(board, from: run.clock.now)
      for _ in 0..<100 where !shared.isSettled {
        run.frameClock?.advance(frames: 4_800)
        run.input.service(until: run.clock.now)
        shared.service(until: run.clock.now)
      }
      #expect(shared.isSettled)
      board[0, 3] = 0.5
      #expect(first.edits == 1 && isInTheRoom(3, 500))

      board.onEdit { _ in second.edits += 1 }
      board[0, 4] = 0.6
      #expect(first.edits == 1 && second.edits == 1 && isInTheRoom(4, 600))
      board.onEdit(nil)
      board[0, 5] = 0.7
      #expect(second.edits == 1 && isInTheRoom(5, 700))

      board.onEdit { _ in second.edits += 1 }
      shared.end()
      board[0, 6] = 0.8
      #expect(second.edits == 2 && !isInTheRoom(6, 800))
    }
  }
}
