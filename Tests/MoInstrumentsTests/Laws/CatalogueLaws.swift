import MoInstruments
import MoTesting
import Testing

@Suite("Every instrument")
struct CatalogueLaws {
  @Test("keeps every law", arguments: Catalogue.names, InstrumentLaw.all)
  func law(name: String, law: InstrumentLaw) throws { try law.hold(try Catalogue.entry(name)) }

  @Test("has a name of its own")
  func names() {
    let names = Instruments.all.map(\.sheet.name)
    #expect(Set(names).count == names.count)
  }
}
