import Testing

@testable import MoMuTool

@Suite("Lines that are typed into momu session")
struct SessionLinesTests {
  @Test(
    "what cannot be done is said, with what can",
    arguments: [
      ("start 96 0", "start wants a tempo, a bar from 1 and bars to count in, 0 to 8, such as start 96 17 2"),
      (
        "start 96 17 9",
        "start wants a tempo, a bar from 1 and bars to count in, 0 to 8, such as start 96 17 2"
      ),
      ("start 96 x", "start wants a tempo, a bar from 1 and bars to count in, 0 to 8, such as start 96 17 2"),
      ("tempo 12", "tempo wants a number of beats a minute from 20 to 999, such as tempo 96"),
      ("meter 3", "meter wants a meter such as meter 3/4"),
      ("give Zoe", "nobody called \"Zoe\" is here"),
      ("halt", "there is no word \"halt\": start, stop, tempo, meter, baton, give, ignore, panic"),
    ])
  func refused(line: String, text: String) {
    let error = #expect(throws: SessionLines.LineError.self) { try SessionLines.obey(line) }
    #expect(error?.description == text)
  }
}
