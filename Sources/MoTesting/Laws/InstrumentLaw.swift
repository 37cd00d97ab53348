import MoDSP
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
  ///
  /// - Throws: `InstrumentError`, and the errors of the instrument.
  public func hold<Sound: Instrument>(_ kind: Sound.Type) throws { try check(InstrumentFactory(kind)) }

  /// Tests an entry of the catalogue `Instruments`; a violation of the law becomes an issue of the running test.
  ///
  /// - Throws: `InstrumentError`, and the errors of the instrument.
  public func hold(_ entry: InstrumentFactory) throws { try check(entry) }
}

extension InstrumentLaw {
  /// The laws about an instrument's sheet, parameters and mapping.
  static let aboutItself = [sheet, parameters, ends, mapping]

  static let sheet = InstrumentLaw("has a name that can be an address, and a line that says what it is") {
    entry in
    #expect(entry.sheet.name.wholeMatch(of: /[a-z][a-z0-9-]*/) != nil)
    #expect(!entry.sheet.summary.isEmpty && entry.sheet.summary.count <= 90)
    #expect(!entry.sheet.summary.hasSuffix("."))
    #expect(entry.sheet.tail > 0 && entry.sheet.voices > 0)
  }

  static let parameters = InstrumentLaw(
    "gives each parameter a name of its own, a range and a default within it"
  ) { entry in
    let parameters = entry.parameters
    #expect(Set(parameters.map(\.name)).count == parameters.count)
    for parameter in parameters {
      #expect(parameter.name.wholeMatch(of: /[a-z][a-z0-9-]*/) != nil)
      #expect(parameter.name != "loudness" && parameter.name != "note" && parameter.name != "strike")
      #expect(parameter.range.lowerBound < parameter.range.upperBound)
      #expect(parameter.range.contains(parameter.initial))
      #expect(parameter.smoothing >= 0 && parameter.smoothing <= 5)
    }
  }

  static let ends = InstrumentLaw(
    "holds at both ends of every parameter: the sound is finite and not too loud"
  ) { entry in
    for part in [Float(0), 1] {
      var render = InstrumentRender(entry)
      for parameter in render.entry.parameters {
        render.set(parameter.name, to: parameter.value(at: part), at: 0)
      }
      render.note(render.middle, velocity: 1, from: 100)
      render.send(.strike(1), at: 4800)
      let take = try render.take(seconds: 0.5)
      #expect(take.isFinite)
      #expect(take.peak <= 0.8913)
    }
  }

  static let mapping = InstrumentLaw("has a mapping that can be read, of parameters that it has") { entry in
    _ = try Mapping(entry.sheet.mapping, parameters: entry.allParameters.map(\.name))
  }
}
