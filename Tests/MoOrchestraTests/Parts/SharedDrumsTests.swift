import MoInstruments
import MoOrchestra
import Testing

@Suite("A shared drum machine's name")
struct SharedDrumsTests {
  @Test("contains its size; no other name has one")
  func size() throws {
    #expect(SharedDrums.name(of: .standard) == "drums 3×16×4")
    for layout in [.standard, try DrumLayout(rows: 16, steps: 256, patterns: 1)] {
      #expect(SharedDrums.layout(SharedDrums.name(of: layout)) == layout)
    }
    for name in ["drums 3×16", "drums 99×16×4", "drums 3×16×4×1", "section/drums", "drums a×16×4", ""] {
      #expect(SharedDrums.layout(name) == nil)
    }
  }
}
