/// The property of `RunOptions` that an option sets, and the way in which MoMu reads the option's text.
enum OptionReader: Sendable {
  /// A text that must not be empty.
  case text(any WritableKeyPath<RunOptions, String?> & Sendable)
  /// A whole number in a range; errors name its unit, such as `of frames`, and an example.
  case number(any WritableKeyPath<RunOptions, Int?> & Sendable, ClosedRange<Int>, String, example: String)
  /// A number of milliseconds, -1000…1000.
  case milliseconds(any WritableKeyPath<RunOptions, Double> & Sendable)
  /// Nothing on the command line; 1 or 0 in a variable or in the configuration file.
  case flag(any WritableKeyPath<RunOptions, Bool> & Sendable)
  /// The source of the sensor that has the option's name.
  case sensor
  /// The text of an option that only one program has.
  case own
  /// A text that a function reads; its arguments are the options to change, the text, and the text's origin.
  case other(@Sendable (inout RunOptions, String, String) throws(OptionError) -> Void)

  /// Reads the text of `option` into `options`.
  ///
  /// - Parameter source: the origin of the text, for errors, such as `--rate` or `MOMU_RATE`.
  func read(
    _ text: String, of option: RunOption, from source: String, into options: inout RunOptions
  ) throws(OptionError) {
    switch self {
    case .text(let property): options[keyPath: property] = try Self.readText(text, option)
    case .number(let property, let range, let unit, let example):
      options[keyPath: property] = try Self.readNumber(text, source, range, unit, example)
    case .milliseconds(let property): options[keyPath: property] = try Self.readMilliseconds(text, source)
    case .flag(let property): options[keyPath: property] = try Self.readFlag(text, source)
    case .sensor: options.sensors[option.name] = try Self.readText(text, option)
    case .own where option.value == .none:
      options.own[option.name] = try Self.readFlag(text, source) ? .init(text: "1", source: source) : nil
    case .own: options.own[option.name] = .init(text: try Self.readText(text, option), source: source)
    case .other(let set): try set(&options, text, source)
    }
  }

  private static func readText(_ text: String, _ option: RunOption) throws(OptionError) -> String {
    if text.isEmpty { throw .missing(option) }
    return text
  }

  private static func readMilliseconds(_ text: String, _ source: String) throws(OptionError) -> Double {
    guard let number = Double(text), abs(number) <= 1000 else {
      throw .wrongValue(source, text, wants: "a number of milliseconds from -1000 to 1000, such as 12.5")
    }
    return number
  }

  /// Returns the whole number in a text.
  ///
  /// - Throws: `OptionError.wrongValue` if the text has no whole number in the range.
  static func readNumber(
    _ text: String, _ source: String, _ range: ClosedRange<Int>, _ unit: String, _ example: String
  ) throws(OptionError) -> Int {
    guard let number = wholeNumber(text[...]), range.contains(number) else {
      throw .wrongValue(
        source, text,
        wants: "a whole number \(unit) from \(range.lowerBound) to \(range.upperBound), such as \(example)")
    }
    return number
  }

  private static func readFlag(_ text: String, _ source: String) throws(OptionError) -> Bool {
    switch text.lowercased() {
    case "1", "yes", "true", "on": true
    case "0", "no", "false", "off": false
    default: throw .wrongValue(source, text, wants: "1 or 0")
    }
  }
}

/// Returns the whole number in a text; nil if the text is not a whole number.
///
/// The compiler needs 0.3 s to optimise the standard library's number parser in every file that uses it. Therefore only
/// this function uses the parser.
package func wholeNumber(_ text: some StringProtocol, radix: Int = 10) -> Int? { Int(text, radix: radix) }
