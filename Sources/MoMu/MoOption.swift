import MoRuntime

/// An option that only your program has.
///
/// Give the option to `MoApp.run`, `MoApp.play` or `MoApp.playTogether`, and read it in the body or later.
///
/// ```swift
/// let pitch = MoOption("pitch", "HZ", "the pitch of the tone (default: 440)")
///
/// MoApp.run("Plays a tone.", options: [pitch]) {
///   let hertz = try pitch.number(in: 20...20_000) ?? 440
///   try MoAudio.start(Sine(frequency: hertz)) { sine, block in
///     for frame in block.frames { block[frame] = sine.tick() }
///   }
/// }
/// ```
///
/// `--help` shows the option. The environment variable `MOMU_PITCH` has the same effect as `--pitch`. The configuration
/// file does not set the option.
///
/// - Thread: any but the audio thread's callback.
public struct MoOption: Sendable {
  package let row: RunOption

  /// Creates an option with a value, such as `--kit FOLDER`.
  ///
  /// - Parameters:
  ///   - name: the option without its two dashes, in small letters, digits and single dashes, such as `low-cut`; no
  ///     option that every program has may have this name.
  ///   - value: the name of the value in the help text, in capital letters.
  ///   - help: the help text, of at most 60 characters.
  public init(_ name: String, _ value: String, _ help: String) {
    self.init(name: name, value, help)
  }

  /// Creates an option without a value, such as `--conduct`.
  ///
  /// - Parameters:
  ///   - name: the option's name, as for an option with a value.
  ///   - help: the help text, of at most 60 characters.
  public init(flag name: String, _ help: String) {
    self.init(name: name, nil, help)
  }

  private init(name: String, _ value: String?, _ help: String) {
    let words = name.split(separator: "-", omittingEmptySubsequences: false)
    let letters = words.allSatisfy { word in
      !word.isEmpty && word.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) }
    }
    precondition(
      letters, "\"\(name)\" is not a valid name of an option: use small letters, digits and single dashes")
    row = .own(name, value, help: help)
  }

  /// The text that the user gave to the option; nil if the user did not give the option.
  public var text: String? { value?.text }

  private var value: RunOptions.OwnValue? {
    let options = Run.begun?.options
    // Otherwise the program would silently ignore the option.
    precondition(
      options?.ownNames.contains(row.name) == true,
      "\(row.flag) is not known yet: give the option to MoApp.run(…, options:), and read it in the body")
    return options?.own[row.name]
  }

  /// Whether the user gave the option.
  public var isGiven: Bool { text != nil }

  /// Returns the number that the user gave to the option; nil if the user did not give the option.
  ///
  /// - Throws: an error that names the option or its variable, and the range, if the text is not a number or is out of range.
  public func number(in range: ClosedRange<Double>) throws -> Double? {
    guard let value else { return nil }
    guard let number = Double(value.text), range.contains(number) else {
      let (low, high) = (Self.text(of: range.lowerBound), Self.text(of: range.upperBound))
      throw OptionError.wrongValue(value.source, value.text, wants: "a number from \(low) to \(high)")
    }
    return number
  }

  /// Returns the text of a number, without `.0` at the end.
  private static func text(of number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}
