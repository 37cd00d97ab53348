import MoDSP
import MoMu

/// Parameter values as text.
package enum ParameterText {
  /// Returns a value with three significant digits and its unit, such as `0.350`, `1.20 s` or `880 Hz`; a switch is
  /// `on` or `off`.
  package static func value(_ value: Float, of parameter: Parameter) -> String {
    if parameter.step == 1, parameter.range == 0...1 { return value >= 0.5 ? "on" : "off" }
    let text = number(value, step: parameter.step)
    return parameter.unit.isEmpty ? text : text + " " + parameter.unit
  }

  /// Returns a number with three significant digits, such as `0.350`, or as a whole number.
  ///
  /// The number is whole if `step`, the parameter's step, is 1 or more.
  ///
  /// Numbers from 1000 to 10^9 have all digits before the decimal point. A number below 0.1 has three decimal places.
  package static func number(_ value: Float, step: Float = 0) -> String {
    // Above this no decimal place is significant, and soon the value exceeds an Int.
    guard abs(value) < 1e9 else { return "\(value)" }
    if step >= 1 { return "\(Int(value.rounded()))" }
    let size = abs(value)
    let places = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 || size == 0 ? 2 : 3
    var scale: Float = 1
    for _ in 0..<places { scale *= 10 }
    let whole = Int((size * scale).rounded())
    let sign = value < 0 && whole > 0 ? "-" : ""
    guard places > 0 else { return sign + "\(whole)" }
    let divisor = Int(scale)
    let part = "\(whole % divisor)"
    return sign + "\(whole / divisor)." + String(repeating: "0", count: places - part.count) + part
  }

  /// Returns a bar of `width` characters that shows the position of a value in its range, such as `███···`.
  static func bar(_ value: Float, of parameter: Parameter, width: Int) -> String {
    let filled = Int((parameter.part(of: value) * Float(width)).rounded())
    return String(repeating: "█", count: filled) + String(repeating: "·", count: width - filled)
  }
}

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
