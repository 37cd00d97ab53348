import MoInstruments
import Testing

/// A law that every instrument keeps: those that come with MoMu, and yours.
///
/// ```swift
/// @Test("keeps the laws that every instrument keeps", arguments: InstrumentLaw.all)
/// func law(law: InstrumentLaw) throws { try law.hold(Bell.self) }
/// ```
public struct InstrumentLaw: Sendable, CustomTestStringConvertible {
  /// What an instrument does that keeps it.
  public let testDescription: String
  private let check: @Sendable (InstrumentFactory) throws -> Void

  init(_ description: String, _ check: @escaping @Sendable (InstrumentFactory) throws -> Void) {
    testDescription = description
    self.check = check
  }

  /// All of them.
  public static let all = aboutItself + aboutSound + aboutTime + aboutClicks

  /// Holds a kind of instrument to it; what breaks it is recorded as an issue of the test that runs.
  public func hold<Sound: Instrument>(_ kind: Sound.Type) throws { try check(InstrumentFactory(kind)) }

  /// Holds an instrument of the catalogue to it.
  public func hold(_ entry: InstrumentFactory) throws { try check(entry) }
}
