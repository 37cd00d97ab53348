import MoInstruments
import MoTesting
import Testing

@Suite("Every instrument")
struct CatalogueLaws {
  @Test("keeps every law", arguments: Catalogue.names, InstrumentLaw.all)
  func law(name: String, law: InstrumentLaw) throws { try law.hold(try Catalogue.entry(name)) }

  @Test("sustained instruments match within 6 dB")
  func balance() throws {
    let levels = try ["reed", "drone", "tone"].map { name in
      var render = InstrumentRender(try Catalogue.entry(name))
      render.note(render.middle, from: 0)
      return try render.take(seconds: 1).level(24_000..<48_000)
    }
    #expect(try #require(levels.max()) - #require(levels.min()) < 6)
  }

  @Test("has a unique name")
  func names() {
    let names = Instruments.all.map(\.sheet.name)
    #expect(Set(names).count == names.count)
  }
}
