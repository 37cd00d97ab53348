import Glibc
import MoInstruments
import MoTesting

/// The instruments that the laws are held against: all, or the one that MOMU_INSTRUMENT names.
enum Catalogue {
  static let names: [String] = {
    let wanted = getenv("MOMU_INSTRUMENT").map { String(cString: $0) }
    return Instruments.all.map(\.sheet.name).filter { wanted == nil || $0 == wanted }
  }()

  /// The instrument of that name; the flawed one, too, which is not in the catalogue.
  static func entry(_ name: String) throws -> InstrumentFactory {
    if name == Flawed.sheet.name { return InstrumentFactory(Flawed.self) }
    return try Instruments.named(name)
  }
}

extension Rig {
  /// A rig for the instrument of that name.
  init(_ name: String) throws { self.init(try Catalogue.entry(name)) }
}
