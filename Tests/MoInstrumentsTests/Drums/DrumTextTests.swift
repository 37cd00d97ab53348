import Glibc
import MoCore
import MoInstruments
import MoTesting
import Testing

@Suite("A drum pattern as text")
struct DrumTextTests {
  private let board = DrumBoard(rhythm: Rhythm(clock: ManualClock()), author: 1)

  @Test("has one row per line and one mark per step")
  func reads() throws {
    try board.load(
      """
      # a comment
      clap  x...|X..o|1..9|-..x

      hat   o o o o   # the rest is silent
      """)
    #expect(board.sound(row: 0) == .clap && board.sound(row: 1) == .closedHat)
    let forces = (0..<16).map { board[0, $0] }
    #expect(forces == [0.8, 0, 0, 0, 1, 0, 0, 0.5, 0.1, 0, 0, 0.9, 0, 0, 0, 0.8])
    #expect((0..<16).map { board[1, $0] } == [0.5, 0.5, 0.5, 0.5] + Array(repeating: 0, count: 12))
  }

  @Test("parses to the pattern it was written from")
  func roundTrip() throws {
    try board.load("kick x..3|...o\nsnare ....|X")
    let text = board.text()
    #expect(text.hasPrefix("kick      x..3|...o|....|....\nsnare     ....|X...|....|....\n"))
    let other = DrumBoard(rhythm: Rhythm(clock: ManualClock()), author: 1)
    try other.load(text)
    #expect(other.text() == text)
  }

  @Test(
    "an error names the line and the problem; the board stays unchanged",
    arguments: [
      ("", "the pattern has no rows: write one a line, such as \"kick x...x...x...x...\""),
      (
        "kick x...\nsnere x...",
        "line 2 of the pattern, \"snere x...\": there is no sound \"snere\": write one of kick, snare, hat, open-hat, "
          + "clap, low-tom, high-tom, cowbell, rim, crash"
      ),
      (
        "kick x?",
        "line 1 of the pattern, \"kick x?\": a step cannot be \"?\": write . for silence, x, X, o, or 1 to 9"
      ),
      (
        "kick xxxxxxxxxxxxxxxxx", "line 1 of the pattern, \"kick xxxxxxxxxxxxxxxxx\": a row has only 16 steps"
      ),
      ("kick x\nkick x\nkick x\nkick x", "line 4 of the pattern, \"kick x\": this machine has only 3 rows"),
    ])
  func errors(text: String, message: String) throws {
    board[2, 2] = 1
    let error = #expect(throws: DrumError.self) { try board.load(text) }
    #expect(error?.description == message)
    #expect(board[2, 2] == 1 && board[0, 0] == 0)
  }

  @Test("has the same rows with the line ends and the byte order mark of Windows")
  func windows() throws {
    let text = "\u{FEFF}kick x... # a\r\n\r\nsnare ....x\r\n"
    let folder = Scratch()
    let path = folder.file("beat.txt")
    let file = try #require(fopen(path, "w"))
    fputs(text, file)
    fclose(file)
    try board.load(file: path)
    #expect(board.sound(row: 0) == .kick && board.sound(row: 1) == .snare)
    #expect(board[0, 0] == 0.8 && board[1, 4] == 0.8 && board[1, 0] == 0)
    let error = #expect(throws: DrumError.self) { try board.load("kick x\r\nsnere x\r\n") }
    #expect(error?.description.hasPrefix("line 2 of the pattern, \"snere x\": ") == true)
  }

  @Test("reports an empty file as empty, also if an earlier call failed")
  func emptyFile() throws {
    let folder = Scratch()
    let path = folder.file("beat.txt")
    let file = try #require(fopen(path, "w"))
    fclose(file)
    errno = EAGAIN
    let error = #expect(throws: DrumError.self) { try board.load(file: path) }
    #expect(error?.description == "cannot read the pattern \(path): it is empty")
  }

  @Test("reports a file that cannot be read and a folder without sounds")
  func files() {
    let error = #expect(throws: DrumError.self) { try board.load(file: "/nowhere/beat.txt") }
    #expect(error?.description == "cannot read the pattern /nowhere/beat.txt: No such file or directory")
    let missing = #expect(throws: DrumError.self) { try SampleKit(folder: "/nowhere") }
    #expect(
      missing?.description
        == "/nowhere holds no sounds: put files such as kick.wav, snare.wav and hat.wav there")
  }
}
