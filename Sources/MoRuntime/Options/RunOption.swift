/// An option of a program: its name, its value and its help text.
package struct RunOption: Sendable {
  /// The kind of value that follows the option, with the name of the value in the help text, such as `FILE`.
  package enum Value: Sendable, Equatable {
    case none
    case text(String)
    /// A text that the user may leave out; the value is then `ifLeftOut`.
    case optionalText(String, ifLeftOut: String)
    case number(String)
    case wholeNumber(String)

    /// The value's name in the help text, such as `FILE`, or `[SOURCE]` if the user may leave it out; nil without a
    /// value.
    package var placeholder: String? {
      switch self {
      case .none: nil
      case .optionalText(let word, _): "[\(word)]"
      case .text(let word), .number(let word), .wholeNumber(let word): word
      }
    }
  }

  package let name: String
  package let value: Value
  package let help: String
  /// The property of `RunOptions` that the option sets, with the way in which MoMu reads the text.
  let sets: OptionReader
  /// The text of the warning if the program does not use this option: why it has no effect, and what to type instead.
  ///
  /// Nil means that there is no warning.
  var remark: String?

  /// Returns an option that only one program has; `RunOptions.own` gets its text.
  ///
  /// - Parameter placeholder: the value's name in the help text, such as `FILE`; nil for an option without a value.
  package static func own(_ name: String, _ placeholder: String?, help: String) -> RunOption {
    RunOption(name: name, value: placeholder.map(Value.text) ?? .none, help: help, sets: .own)
  }

  /// Returns the option with the name `name`, which must be in `table`.
  package static func named(_ name: String) -> RunOption {
    guard let option = table.first(where: { $0.name == name }) else {
      preconditionFailure("no option --\(name)")
    }
    return option
  }

  /// The option as the user types it, such as `--record-tape`.
  package var flag: String { "--\(name)" }

  /// The environment variable with the same effect as the option, such as `MOMU_RECORD_TAPE`.
  package var variable: String { "MOMU_" + name.uppercased().replacing("-", with: "_") }

  /// The key in the configuration file, equal to the option's name.
  package var key: String { name }
}
