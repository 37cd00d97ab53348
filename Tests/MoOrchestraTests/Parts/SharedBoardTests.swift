import MoCore
import MoInstruments
import MoOrchestra
import MoRuntime
import MoSessionCore
import Testing

extension OfflineRoomTests {
  @Suite("A shared drum board")
  struct SharedBoardTests {
    private final class Count: @unchecked Sendable {
      // Unchecked: one thread.
      var edits = 0
    }

    @Test("sharing a board and other callbacks for its edits do not stop each other")
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
      let firstToken = board.onEdit { _ in first.edits += 1 }
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
      #expect(first.edits == 2 && second.edits == 1 && isInTheRoom(4, 600))
      firstToken.cancel()
      board[0, 5] = 0.7
      #expect(first.edits == 2 && second.edits == 2 && isInTheRoom(5, 700))

      shared.end()
      board[0, 6] = 0.8
      #expect(second.edits == 3 && !isInTheRoom(6, 800))
    }

    @Test("the pattern of the next room replaces the board's cells, even if they were edited more often")
    func nextRoom() throws {
      var options = RunOptions()
      options.offline = true
      let run = Run(options)
      let session = SessionServer.shared
      try session.join(JoinOptions(room: "Lab", isKept: false), in: run)
      defer { session.leave() }
      let board = DrumBoard()
      let shared = SharedBoard(board, from: run.clock.now)
      defer { shared.end() }
      func pass(until isDone: () -> Bool, _ body: () -> Void = {}) {
        for _ in 0..<100 where !isDone() {
          run.frameClock?.advance(frames: 4_800)
          run.input.service(until: run.clock.now)
          body()
        }
      }
      func serviceBoard() { shared.service(until: run.clock.now) }
      pass(until: { shared.isSettled }, serviceBoard)
      for value in 1...5 { board[0, 3] = Float(value) / 10 }
      #expect(shared.isSettled && board[0, 3] == 0.5)

      session.leave()
      try session.join(JoinOptions(room: "Hall", isKept: false), in: run)
      pass(until: { session.read { core, _ in core.knowsShared } == true })
      let edit = SharedEdit(
        key: Int64(board.layout.slot(0, 0, 3)), cell: SharedCell(value: 900, count: 1, author: 1))
      _ = try session.perform { core, now throws(SessionRefusal) in
        try core.share(SharedEdits(SharedDrums.name(of: board.layout), [edit]), now: now)
      }
      pass(until: { board[0, 3] == 0.9 }, serviceBoard)
      #expect(board[0, 3] == 0.9)
    }
  }
}
