import MoConsole
import MoCore
import MoInstruments
import MoTesting
import Testing

@Suite("A drum machine's board")
struct DrumBoardTests {
  private func board(_ author: UInt16 = 1, rows: Int = 3, steps: Int = 16) throws -> DrumBoard {
    let rhythm = Rhythm(clock: ManualClock())
    return DrumBoard(try DrumLayout(rows: rows, steps: steps), rhythm: rhythm, author: author)
  }

  @Test("has three silent rows of sixteen steps by default")
  func usual() {
    let board = DrumBoard(rhythm: Rhythm(clock: ManualClock()))
    #expect(board.layout.rows == 3 && board.layout.steps == 16)
    #expect((0..<3).map { board.sound(row: $0) } == [.kick, .snare, .closedHat])
    #expect((0..<3).allSatisfy { row in (0..<16).allSatisfy { board[row, $0] == 0 } })
  }

  @Test(
    "refuses invalid sizes and names the valid ones",
    arguments: [(0, 16, 4), (3, 0, 4), (3, 1_000_000, 4), (17, 16, 4), (3, 16, 0)])
  func sizes(rows: Int, steps: Int, patterns: Int) {
    let error = #expect(throws: DrumError.self) {
      try DrumLayout(rows: rows, steps: steps, patterns: patterns)
    }
    #expect(
      error?.description
        == "a drum machine cannot have \(rows) rows, \(steps) steps and \(patterns) patterns: "
        + "give it 1 to 16 rows, 1 to 256 steps and 1 to 16 patterns")
  }

  @Test("clamps values out of range and ignores NaN")
  func clamps() throws {
    let board = try board()
    board.swing = 2
    #expect(board.swing == 1)
    board.swing = .nan
    #expect(board.swing == 1)
    board.swing = -3
    #expect(board.swing == 0)
    board[0, 0] = 7
    #expect(board[0, 0] == 1)
    board[0, 0] = .nan
    #expect(board[0, 0] == 0)
    board[5, 0] = 1
    board[0, 99] = 1
    board[-1, -1, pattern: 77] = 1
    #expect(board[5, 0] == 0 && board[0, 99] == 0)
    board.setLevel(-2, row: 1)
    #expect(board.level(row: 1) == 0)
    board.chain = []
    #expect(board.chain == [0])
    board.chain = [9, -1, 2]
    #expect(board.chain == [3, 0, 2])
    board.chain = Array(repeating: 1, count: 1000)
    #expect(board.chain.count == 32)
    board.rhythm.setTempo(Tempo(Double.nan))
    #expect(board.rhythm.tempo == 120)
    board.rhythm.setTempo(1e9)
    #expect(board.rhythm.tempo.beatsPerMinute == Tempo.range.upperBound)
    board.rhythm.setTempo(Tempo(-Double.infinity))
    #expect(board.rhythm.tempo.beatsPerMinute == Tempo.range.lowerBound)
  }

  @Test("undoes local changes one after the other, and combined changes together")
  func undo() throws {
    let board = try board()
    board[0, 0] = 0.5
    board[0, 0] = 1
    board[1, 4] = 0.5
    #expect(board.undo() && board[1, 4] == 0)
    #expect(board.undo() && board[0, 0] == 0.5)
    try board.load("snare xxxx\nhat x.x.")
    #expect(board[0, 3] == 0.8 && board.sound(row: 0) == .snare)
    #expect(board.undo() && board[0, 0] == 0.5 && board[0, 3] == 0 && board.sound(row: 0) == .kick)
    #expect(board.undo() && board[0, 0] == 0)
    #expect(!board.undo())
  }

  @Test("undoes the last 256 changes, and no more")
  func bounded() throws {
    let board = try board(rows: 16, steps: 64)
    for step in 0..<300 { board[step / 64, step % 64] = 1 }
    var taken = 0
    while board.undo() { taken += 1 }
    #expect(taken == 256)
    #expect(board[0, 43] == 1 && board[0, 44] == 0)
  }

  @Test("does not undo a cell that another member has changed since")
  func undoOthers() throws {
    let (mine, theirs) = (try board(1), try board(2))
    mine[0, 0] = 0.5
    mine[0, 1] = 0.5
    for edit in mine.edits { theirs.merge(edit) }
    theirs[0, 1] = 1
    for edit in theirs.edits { mine.merge(edit) }
    #expect(mine.undo())
    #expect(mine[0, 1] == 1 && mine[0, 0] == 0)
    #expect(!mine.undo())
  }

  @Test("reaches the same state on all machines, whatever the network does to the edits", arguments: 1...20)
  func converges(seed: UInt64) throws {
    var random = TestRandom(seed: seed)
    let boards = try (1...4).map { try board($0, steps: 8) }
    let box = EditBox()
    for board in boards { board.onEdit { box.edits.append($0) } }
    for _ in 0..<400 {
      let board = boards.randomElement(using: &random)!
      switch Int.random(in: 0..<8, using: &random) {
      case 0: board.undo()
      case 1: board.setMuted(Bool.random(using: &random), row: Int.random(in: 0..<3, using: &random))
      case 2: board.swing = Float.random(in: 0...1, using: &random)
      case 3: board.chain = [Int.random(in: 0..<4, using: &random), Int.random(in: 0..<4, using: &random)]
      case 4: try board.load("kick x.x.o..1")
      default:
        board[Int.random(in: 0..<3, using: &random), Int.random(in: 0..<8, using: &random)] =
          Float.random(in: 0...1, using: &random)
      }
      // Late, twice, out of order, or only at the end.
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        if let edit = box.edits.randomElement(using: &random) {
          boards.randomElement(using: &random)!.merge(edit)
        }
      }
    }
    for board in boards { for edit in box.edits.shuffled(using: &random) { board.merge(edit) } }
    let newcomer = try self.board(9, steps: 8)
    for edit in boards[0].edits.shuffled(using: &random) { newcomer.merge(edit) }
    #expect(box.edits.count > 100)
    for board in boards + [newcomer] {
      #expect(board.edits == boards[0].edits)
      #expect(board.text() == boards[0].text())
      #expect(board.chain == boards[0].chain && board.swing == boards[0].swing)
    }
  }

  @Test("the change with the higher count wins; between equal counts, that of the higher author")
  func order() throws {
    let board = try board()
    #expect(board.merge(SharedEdit(key: 0, cell: SharedCell(value: 100, count: 5, author: 3))))
    #expect(!board.merge(SharedEdit(key: 0, cell: SharedCell(value: 900, count: 4, author: 9))))
    #expect(!board.merge(SharedEdit(key: 0, cell: SharedCell(value: 900, count: 5, author: 2))))
    #expect(board[0, 0] == 0.1)
    #expect(board.merge(SharedEdit(key: 0, cell: SharedCell(value: 200, count: 5, author: 4))))
    // The next local change counts higher than those received.
    board[0, 0] = 1
    #expect(board.edits.map(\.cell.count) == [6])
  }

  @Test("ignores invalid edits")
  func nonsense() throws {
    let board = try board()
    let before = board.text()
    for key in [-1, Int64(board.layout.count), .min, .max] {
      #expect(!board.merge(SharedEdit(key: key, cell: SharedCell(value: 1, count: 9, author: 9))))
    }
    for key in 0..<board.layout.count {
      #expect(!board.merge(SharedEdit(key: Int64(key), cell: SharedCell(value: 60_000, count: 9, author: 9))))
    }
    #expect(board.text() == before && board.edits.isEmpty)
  }

  @Test("ignores an impossibly high count, and counts on beyond the highest")
  func counts() throws {
    let board = try board()
    board[0, 0] = 0.5
    #expect(!board.merge(SharedEdit(key: 0, cell: SharedCell(value: 100, count: .max, author: 9))))
    #expect(!board.merge(SharedEdit(key: 0, cell: SharedCell(value: 100, count: 1 << 24 + 2, author: 9))))
    #expect(board.merge(SharedEdit(key: 0, cell: SharedCell(value: 100, count: 1 << 24 + 1, author: 9))))
    #expect(board[0, 0] == 0.1)
  }

  @Test("forging ever higher counts, around the whole range, never blocks local changes")
  func patience() throws {
    let (mine, theirs) = (try board(1), try board(2))
    mine[0, 0] = 0.5
    for edit in mine.edits { theirs.merge(edit) }
    var count: UInt32 = 1
    for round in 0..<600 {
      count = count &+ (1 << 24 - 1)
      if count == 0 { count = 1 }
      let forged = SharedEdit(
        key: 0, cell: SharedCell(value: UInt16(101 + 2 * (round % 400)), count: count, author: .max))
      #expect(mine.merge(forged))
      #expect(theirs.merge(forged))
      // The next local change of either board is merged into the other.
      mine[0, 0] = 0.25
      let mineNow = try #require(mine.edits.first)
      #expect(theirs.merge(mineNow))
      theirs[0, 0] = 0.75
      let theirsNow = try #require(theirs.edits.first)
      #expect(mine.merge(theirsNow))
      #expect(mine[0, 0] == 0.75 && theirs[0, 0] == 0.75)
      count = theirsNow.cell.count
    }
    let last = SharedEdit(key: 1, cell: SharedCell(value: 100, count: .max, author: .max))
    #expect(mine.merge(last))
    mine[0, 1] = 0.5
    #expect(mine[0, 1] == 0.5 && mine.edits.last?.cell.count == 1)
  }

  @Test("a chain's entries are set before its length")
  func chainOrder() throws {
    let board = try board()
    let box = EditBox()
    board.onEdit { box.edits.append($0) }
    board.chain = [1, 2, 3]
    #expect(box.edits.map { Int($0.key) }.last == board.layout.chainLength)
  }

  @Test("a digit key sets as many tenths, as a digit in a pattern's text")
  func digits() throws {
    let board = try board()
    let console = DrumConsole(board)
    for (digit, key) in zip(1..., "123456789") {
      console.handleKey(.character(key), at: .zero)
      #expect(abs(board[0, 0] - Float(digit) / 10) < 1e-6)
    }
    #expect(board.text().hasPrefix("kick      9..."))
  }

  private final class EditBox: @unchecked Sendable {
    // Unchecked: one thread.
    var edits: [SharedEdit] = []
  }
}
