import ArgumentParser
import MoInstruments

/// A parameter and what to set it to, as typed: `brightness=0.8`.
struct Setting: Equatable {
  let name: String
  let value: Float

  /// Reads `name=value`.
  init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let value = Float(parts[1]), value.isFinite else {
      throw ValidationError("it is a parameter and a number, such as brightness=0.8")
    }
    (name, self.value) = (String(parts[0]), value)
  }

  /// Holds it against an instrument: what to say of a value out of range, nil where there is nothing to say.
  ///
  /// - Throws: `InstrumentError.unknownParameter`.
  func remark(for entry: InstrumentEntry) throws -> String? {
    let instrument = entry.sheet.name
    let parameters = entry.allParameters
    guard let parameter = parameters.first(where: { $0.name == name }) else {
      throw InstrumentError.unknownParameter(instrument: instrument, name: name, has: parameters.map(\.name))
    }
    guard !parameter.range.contains(value) else { return nil }
    let nearest = ParameterText.value(parameter.taken(value) ?? parameter.initial, of: parameter)
    return
      "\(instrument)'s \(name) goes from \(ParameterText.value(parameter.range.lowerBound, of: parameter)) to "
      + "\(ParameterText.value(parameter.range.upperBound, of: parameter)): \(ParameterText.number(value)) counts as \(nearest)"
  }
}
