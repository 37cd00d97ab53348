import MoDSP
import MoMu

extension InstrumentFactory {
  /// The text of the instrument's help page: the summary, the range, and all parameters with their ranges and defaults.
  package var page: String {
    var lines = ["\(sheet.name): \(sheet.summary)"]
    if let plays = sheet.plays {
      lines.append("plays \(NoteText.name(plays.lowerBound)) to \(NoteText.name(plays.upperBound))")
    }
    let parameters = allParameters
    let width = parameters.map(\.name.count).max() ?? 0
    for parameter in parameters {
      let range =
        ParameterText.number(parameter.range.lowerBound, step: parameter.step) + " to "
        + ParameterText.value(parameter.range.upperBound, of: parameter)
      let initial = ParameterText.value(parameter.initial, of: parameter)
      lines.append(
        "  \(parameter.name.padded(to: width))  \(range.padded(to: 16)) at first \(initial.padded(to: 9)) "
          + parameter.about
      )
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
