import MoConsole
import MoCore
import MoInstruments
import MoRuntime
import Testing

@Suite("Consoles in terminals from 40 to 200 columns")
struct ConsoleWidthTests {
  /// Returns the rows that a terminal shows, with the last column left free.
  private func lines(_ blocks: [ScreenBlock], _ rows: Int) -> [String] {
    ScreenBlock.rows(blocks, rows).lines.map(\.text)
  }

  @Test(
    "every instrument's drawing fits, and the chosen parameter stays visible",
    arguments: [(39, 9), (79, 23), (119, 39), (199, 59)])
  func instruments(columns: Int, rows: Int) throws {
    for entry in Instruments.all {
      let handle = try entry.add(to: InstrumentBus())
      let last = handle.parameters.count - 1
      let picture = InstrumentPicture(
        handle: handle, chosen: last, octave: 4, level: 0.000_1, columns: columns)
      let lines = lines(picture.blocks, rows)
      #expect(lines.count <= rows && lines.allSatisfy { TerminalSize.width($0) <= columns }, "\(lines)")
      #expect(lines[0].hasPrefix(entry.sheet.name) && lines[0].hasSuffix("octave 4"), "\(lines[0])")
      #expect(lines.contains { $0.hasPrefix("▸ \(handle.parameters[last].name)") }, "\(lines)")
      let isWhole = lines.count { $0.contains("█") || $0.contains("·") } == handle.parameters.count
      #expect(isWhole || lines.contains { $0.contains(" more") }, "\(lines)")
    }
  }

  @Test("an instrument's title has the instrument's level only above the lowest level of the level meter")
  func level() throws {
    let handle = try Instruments.named("piano").add(to: InstrumentBus())
    for (level, text) in [(0.001_1, "octave 4"), (0.25, "octave 4   level -12 dB")] as [(Float, String)] {
      let picture = InstrumentPicture(handle: handle, chosen: 0, octave: 4, level: level, columns: 79)
      let lines = lines(picture.blocks, 20)
      #expect(lines[0].hasSuffix(text), "\(lines)")
    }
  }

  @Test("a drum machine fits, and the cursor's row stays visible", arguments: [(39, 9), (79, 23), (199, 59)])
  func drums(columns: Int, rows: Int) throws {
    let board = DrumBoard(try DrumLayout(rows: 8, steps: 32))
    let picture = DrumPicture(
      board: board, transport: RhythmTransport(board.rhythm), cursor: DrumPicture.Cursor(row: 7, step: 31),
      playhead: nil,
      columns: columns)
    let lines = lines(picture.blocks, rows)
    #expect(lines.count <= rows && lines.allSatisfy { TerminalSize.width($0) <= columns }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("▸") }, "\(lines)")
  }

  @Test("in a room at 40 x 10, a drum machine shows three rows of 16 steps, the pattern, and its first keys")
  func smallDrums() {
    let board = DrumBoard(rhythm: Rhythm(clock: ManualClock()))
    let picture = DrumPicture(
      board: board, transport: RhythmTransport(board.rhythm), cursor: DrumPicture.Cursor(), playhead: nil,
      columns: 39, facts: RoomFacts())
    let status = ScreenBlock((1...3).map { ScreenLine("fact \($0)") }, priority: ScreenBlock.Priority.status)
    let keys = KeyHelp([KeyHelp.Item("Ctrl-T", "talk")]).block(columns: 39, hasPage: false, least: 0)
    // A terminal of ten rows has a row for notices and a row for the level.
    let lines = lines([status] + picture.blocks + [keys], 8)
    #expect(lines.prefix(3) == ["fact 1", "fact 2", "fact 3"], "\(lines)")
    let rows = lines.filter { line in ["kick", "snare", "hat"].contains { line.contains($0) } }
    #expect(rows.map { row in row.count { $0 == "·" } } == [16, 16, 16], "\(lines)")
    #expect(lines.contains { $0.contains("pattern 1 of 4") }, "\(lines)")
    #expect(lines.contains("x on/off   space start/stop   ! silence"), "\(lines)")
  }

  @Test("a drum machine offers a pause only outside a room", arguments: [false, true])
  func pause(canPause: Bool) {
    let board = DrumBoard(rhythm: Rhythm(clock: ManualClock()))
    let picture = DrumPicture(
      board: board, transport: RhythmTransport(board.rhythm), cursor: DrumPicture.Cursor(), playhead: nil,
      columns: 199, facts: canPause ? nil : RoomFacts())
    #expect(lines(picture.blocks, 59).contains { $0.contains("p pause") } == canPause)
  }

  @Test("a drum machine offers no key that the room would refuse, and names what m does to the cursor's row")
  func refusedDrums() {
    let board = DrumBoard(rhythm: Rhythm(clock: ManualClock()))
    var facts = RoomFacts()
    func text() -> String {
      let picture = DrumPicture(
        board: board, transport: RhythmTransport(board.rhythm), cursor: DrumPicture.Cursor(), playhead: nil,
        columns: 199, facts: facts)
      return lines(picture.blocks, 59).joined(separator: "\n")
    }
    #expect(text().contains("space start/stop") && text().contains("m mute kick"), "\(text())")
    (facts.position, facts.conductor) = (BarPosition(bar: 1, beat: 0, meter: .common), "Ben")
    (facts.openers, facts.isRefused) = (["Ben"], true)
    board.setMuted(true, row: 0)
    #expect(!text().contains("start/stop") && !text().contains("tempo"), "\(text())")
    #expect(text().contains("m unmute kick") && text().contains(", . swing"), "\(text())")
  }

  @Test("a muted row of a drum machine says muted, beside the longest name and all steps in 40 columns")
  func mutedDrums() throws {
    let board = DrumBoard(rhythm: Rhythm(clock: ManualClock()))
    board.setSound(try #require(DrumSound.allCases.max { $0.name.count < $1.name.count }), row: 0)
    board.setMuted(true, row: 0)
    let picture = DrumPicture(
      board: board, transport: RhythmTransport(board.rhythm), cursor: DrumPicture.Cursor(), playhead: nil,
      columns: 39, facts: RoomFacts())
    let lines = lines(picture.blocks, 12)
    let name = board.sound(row: 0).name
    let row = try #require(lines.first { $0.hasPrefix("▸\(name) ") })
    #expect(row.contains(" muted ") && row.count { $0 == "·" } == 16, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("m unmute \(name)   arrows move") }, "\(lines)")
    #expect(lines.allSatisfy { TerminalSize.width($0) <= 39 }, "\(lines)")
  }

  @Test("in a single row, the chosen parameter keeps its value")
  func singleParameter() throws {
    let handle = try Instruments.named("piano").add(to: InstrumentBus())
    let chosen = try #require(handle.index(of: "pedal"))
    let picture = InstrumentPicture(handle: handle, chosen: chosen, octave: 4, level: 0, columns: 39)
    let lines = lines(picture.blocks, 3)
    #expect(lines.contains("▸ pedal off  and \(handle.parameters.count - 1) more"), "\(lines)")
  }
}
