import Glibc
import MoInstruments
import MoTesting

/// The instruments to test: all, or the one in MOMU_INSTRUMENT.
enum Catalogue {
  static let names: [String] = {
    let wanted = getenv("MOMU_INSTRUMENT").map { String(cString: $0) }
    return Instruments.all.map(\.sheet.name).filter { wanted == nil || $0 == wanted }
  }()

  /// Returns the instrument with a name, including the flawed one, which is not in the catalogue.
  static func entry(_ name: String) throws -> InstrumentFactory {
    if name == Flawed.sheet.name { return InstrumentFactory(Flawed.self) }
    return try Instruments.named(name)
  }
}

extension InstrumentRender {
  /// Returns a render for the instrument with a name.
  init(_ name: String) throws { self.init(try Catalogue.entry(name)) }
}
