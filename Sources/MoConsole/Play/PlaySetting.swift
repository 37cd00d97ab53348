/// A parameter and its value, as typed: `brightness=0.8`.
package struct PlaySetting: Equatable, Sendable {
  package let name: String
  package let value: Float

  /// Parses a setting such as `brightness=0.8`; throws `badSetting` for any other format.
  package init(_ text: String) throws(PlayError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let value = Float(parts[1]), value.isFinite else {
      throw .badSetting
    }
    (name, self.value) = (String(parts[0]), value)
  }

  /// Returns a warning if the value is out of the range of an instrument's parameter; otherwise nil.
  ///
  /// - Throws: `InstrumentError.unknownParameter`.
  package func remark(for entry: InstrumentFactory) throws(InstrumentError) -> String? {
    let instrument = entry.sheet.name
    let parameters = entry.allParameters
    guard let parameter = parameters.first(where: { $0.name == name }) else {
      throw .unknownParameter(instrument: instrument, name: name, has: parameters.map(\.name))
    }
    guard !parameter.range.contains(value) else { return nil }
    let nearest = ParameterText.value(parameter.taken(value) ?? parameter.initial, of: parameter)
    return
      "\(instrument)'s \(name) goes from \(ParameterText.value(parameter.range.lowerBound, of: parameter)) to "
      + "\(ParameterText.value(parameter.range.upperBound, of: parameter)): \(ParameterText.number(value)) counts as \(nearest)"
  }
}
