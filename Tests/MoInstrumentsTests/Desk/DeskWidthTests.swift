import MoTime
import Testing

@testable import MoInstruments

@Suite("Desks in a terminal of 80 columns and 24 lines")
struct DeskWidthTests {
  /// What a terminal shows on a line: an 80th column would begin a new one, and what is drawn anew would not cover it.
  private static let columns = 79

  @Test("what the keys do stands on lines that fit")
  func help() {
    let lines =
      DrumPicture.help + [PianoDesk.help] + InstrumentPicture.help.split(separator: "\n").map(String.init)
    for line in lines { #expect(line.count <= Self.columns, "\(line)") }
  }

  @Test("every instrument's picture fits, with the room's line and the meter's below it")
  func instruments() throws {
    for entry in Instruments.all {
      let handle = try entry.add(to: InstrumentBus())
      let picture = InstrumentPicture(handle: handle, chosen: 0, octave: 4, level: 0.000_1)
      let lines = picture.text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.allSatisfy { $0.count <= Self.columns }, "\(picture.text)")
      #expect(lines.count <= 22, "\(picture.text)")
      #expect(lines[0].hasPrefix(entry.sheet.name) && lines[0].hasSuffix("octave 4   silent"), "\(lines[0])")
    }
  }

  @Test("a text that is cut says so, and one that fits stays as it is")
  func cut() {
    #expect(InstrumentPicture.cut("harp", to: 4) == "harp")
    #expect(InstrumentPicture.cut("harps", to: 4) == "har…")
  }
}
