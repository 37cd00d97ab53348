import MoInstruments
import Testing

/// A law that every instrument must keep, both the instruments of MoMu and your own.
///
/// ```swift
/// @Test("keeps the laws that every instrument keeps", arguments: InstrumentLaw.all)
/// func law(law: InstrumentLaw) throws { try law.hold(Bell.self) }
/// ```
public struct InstrumentLaw: Sendable, CustomTestStringConvertible {
  /// The law as a claim about an instrument, such as `has no constant part above −80 dB`.
  public let testDescription: String
  private let check: @Sendable (InstrumentFactory) throws -> Void

  init(_ description: String, _ check: @escaping @Sendable (InstrumentFactory) throws -> Void) {
    testDescription = description
    self.check = check
  }

  /// All laws.
  public static let all = aboutItself + aboutSound + aboutTime + aboutClicks

  /// Tests whether an instrument type keeps the law; a violation becomes an issue of the running test.
  public func hold<Sound: Instrument>(_ kind: Sound.Type) throws { try check(InstrumentFactory(kind)) }

  /// Tests an entry of the catalogue `Instruments`; a violation of the law becomes an issue of the running test.
  public func hold(_ entry: InstrumentFactory) throws { try check(entry) }
}
