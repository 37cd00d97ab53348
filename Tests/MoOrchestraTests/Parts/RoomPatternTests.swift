import MoCore
import MoInstruments
import MoOrchestra
import MoSessionSimulation
import MoTesting
import Testing

/// Members of a virtual orchestra, each with a drum board that is shared like `DrumBoard.share`.
private struct Drummers {
  var orchestra: VirtualOrchestra
  let boards: [DrumBoard]
  private let patterns: [RoomPattern]
  private var isSettled: [Bool]
  private var merges: [Int]
  private let told: [Locked<[SharedEdit]>]
  private var tokens: [MoToken?]
  private static let thing = SharedDrums.name(of: .standard)

  /// Gives each member its own pattern: other slots, another number of changes, another swing.
  init(_ count: Int, on network: SimulatedNetwork, seed: UInt64) {
    orchestra = VirtualOrchestra(count: count, network: network, seed: seed)
    boards = (0..<count).map { index in
      // Author numbers are in an order independent of the arrivals.
      let author = UInt16(truncatingIfNeeded: (seed &+ UInt64(index)) &* 0x9E37_79B9_7F4A_7C15 >> 40)
      let board = DrumBoard(author: author)
      for step in stride(from: index, to: 16, by: 3) { board[index % 3, step] = 0.1 * Float(index + 1) }
      for _ in 0..<(2 * index + 1) { board.toggle(row: 2, step: 3 * index + 1) }
      board.swing = 0.1 * Float(index + 1)
      return board
    }
    patterns = boards.map { RoomPattern($0) }
    isSettled = Array(repeating: false, count: count)
    merges = Array(repeating: 0, count: count)
    told = (0..<count).map { _ in Locked([]) }
    tokens = Array(repeating: nil, count: count)
  }

  /// Returns the sound of a machine: all visible values of its board.
  func played(_ index: Int) -> [Float] {
    let board = boards[index]
    return (0..<3).flatMap { row in (0..<16).map { board[row, $0] } + [board.level(row: row)] } + [
      board.swing
    ]
  }

  mutating func pass(_ seconds: Double) throws {
    let end = orchestra.seconds + seconds
    while orchestra.seconds < end - 1e-9 {
      orchestra.run(to: min(end, orchestra.seconds + 0.05))
      for index in boards.indices where orchestra.members[index].core != nil { try service(index) }
    }
  }

  private mutating func service(_ index: Int) throws {
    let joined = orchestra.members[index].events.count { $0.event == .merged }
    if joined > merges[index] { isSettled[index] = false }
    merges[index] = joined
    var (there, knows) = ([SharedEdit](), false)
    _ = orchestra.act(index) { core, _ in (there, knows) = (core.shared(Self.thing), core.knowsShared) }
    var own: [SharedEdit] = []
    if isSettled[index] {
      for edit in there { patterns[index].apply(edit) }
    } else if knows {
      isSettled[index] = true
      own = patterns[index].begin(with: there)
      let told = told[index]
      tokens[index]?.cancel()
      tokens[index] = boards[index].onEdit { edit in told.withLock { $0.append(edit) } }
    }
    own += told[index].withLock { edits in
      defer { edits = [] }
      return edits
    }
    for edit in own {
      _ = try orchestra.act(index) { core, now throws(SessionRefusal) in
        try core.share(SharedEdits(Self.thing, [edit]), now: now)
      }
    }
  }
}

@Suite("A room's drum pattern")
struct RoomPatternTests {
  @Test(
    "members that begin a room in the same half second get the whole pattern of one of them",
    arguments: [SimulatedNetwork.wire, .goodWiFi, .badWiFi])
  func founders(network: SimulatedNetwork) throws {
    var random = TestRandom(seed: 5)
    for seed in 1...12 as ClosedRange<UInt64> {
      var drummers = Drummers(2 + Int(seed % 2), on: network, seed: seed)
      let before = drummers.boards.indices.map { drummers.played($0) }
      for index in drummers.boards.indices {
        drummers.orchestra.join(index)
        try drummers.pass(Double.random(in: 0...0.5, using: &random) / Double(drummers.boards.count))
      }
      try drummers.pass(20)
      let after = drummers.boards.indices.map { drummers.played($0) }
      #expect(after.allSatisfy { $0 == after[0] }, "seed \(seed)")
      #expect(before.contains(after[0]), "seed \(seed): a mixture")
      // Edits then override it, and can be undone to it.
      drummers.boards[0][0, 15] = 1
      drummers.boards[1][1, 15] = 0.95
      try drummers.pass(5)
      for board in drummers.boards { #expect(board[0, 15] == 1 && board[1, 15] == 0.95) }
      #expect(drummers.boards[0].undo() && drummers.boards[1].undo())
      try drummers.pass(5)
      #expect(drummers.boards.indices.allSatisfy { drummers.played($0) == after[0] }, "seed \(seed)")
    }
  }

  @Test("a newcomer gets the room's pattern with its edits, and loses its own")
  func newcomer() throws {
    var drummers = Drummers(3, on: .goodWiFi, seed: 2)
    let before = drummers.played(0)
    drummers.orchestra.join(0)
    try drummers.pass(3)
    drummers.orchestra.join(1)
    try drummers.pass(3)
    #expect(drummers.played(0) == before && drummers.played(1) == before)
    drummers.boards[1][0, 7] = 1
    try drummers.pass(1)
    drummers.orchestra.join(2)
    try drummers.pass(4)
    #expect(drummers.played(2) == drummers.played(0) && drummers.boards[2][0, 7] == 1)
  }

  @Test(
    "a newcomer gets the room's pattern, even if its network is late",
    arguments: [1, 10] as [Double])
  func late(seconds: Double) throws {
    for seed in 1...8 as ClosedRange<UInt64> {
      var drummers = Drummers(3, on: .goodWiFi, seed: seed)
      drummers.orchestra.parts = [0, 0, 1]
      let before = drummers.played(0)
      drummers.orchestra.join(0)
      try drummers.pass(3)
      drummers.orchestra.join(1)
      try drummers.pass(3)
      drummers.boards[1][0, 7] = 1
      let room = drummers.played(1)
      drummers.orchestra.join(2)
      try drummers.pass(seconds)
      drummers.orchestra.parts = [0, 0, 0]
      try drummers.pass(12)
      #expect(room != before)
      #expect((0..<3).allSatisfy { drummers.played($0) == room }, "seed \(seed)")
    }
  }

  @Test("parts of a room with different patterns keep one of the two when they meet")
  func healed() throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      var drummers = Drummers(2, on: .goodWiFi, seed: seed)
      drummers.orchestra.parts = [0, 1]
      let before = (0..<2).map { drummers.played($0) }
      for index in 0..<2 { drummers.orchestra.join(index) }
      try drummers.pass(8)
      #expect((0..<2).map { drummers.played($0) } == before)
      drummers.orchestra.parts = [0, 0]
      try drummers.pass(20)
      #expect(drummers.played(0) == drummers.played(1) && before.contains(drummers.played(0)))
    }
  }

  @Test("ignores cells that the board does not have; the order of edits does not matter")
  func order() {
    var random = TestRandom(seed: 9)
    var edits: [SharedEdit] = []
    for founder in [3, 9, 500] as [UInt16] {
      for key in 0..<40 as Range<Int32> where key % Int32(founder % 7 + 1) == 0 {
        let cell = SharedCell(value: founder + UInt16(key), count: 1, author: founder)
        edits.append(SharedEdit(key: RoomPattern.key(key, begunBy: founder), cell: cell))
      }
    }
    edits.append(SharedEdit(key: 1, cell: SharedCell(value: 7, count: 1, author: 1)))
    for key in [-1, .min, .max, 1 << 32 | 0xFFFF_FFFF, 70_000 << 32] as [Int64] {
      edits.append(SharedEdit(key: key, cell: SharedCell(value: 1, count: 1, author: 1)))
    }
    var boards: [[Float]] = []
    for _ in 0..<6 {
      edits.shuffle(using: &random)
      let board = DrumBoard()
      let pattern = RoomPattern(board)
      for edit in edits { pattern.apply(edit) }
      boards.append((0..<3).flatMap { row in (0..<16).map { board[row, $0] } })
    }
    #expect(boards.allSatisfy { $0 == boards[0] })
    #expect(boards[0][0] == 0.5 && boards[0][1] == 0.007 && boards[0][2] == 0)
  }
}
