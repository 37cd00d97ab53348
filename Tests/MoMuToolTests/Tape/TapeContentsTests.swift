import MoOSC
import Testing

@testable import MoMuTool

@Suite("The statistics of a tape")
struct TapeContentsTests {
  @Test("counts pauses also if the usual interval between messages is 68 years")
  func decades() {
    var contents = TapeContents()
    let latest: Int64 = 2_147_483_647_000_000_000
    for time in [0, latest] {
      contents.add(OSCTapeReading(nanoseconds: time, message: OSCMessage("/a", [1])))
    }
    #expect(contents.streams.map(\.count) == [2])
    #expect(contents.streams.map(\.longestPause) == [latest])
    #expect(contents.streams.map(\.pauses) == [0])
  }
}
