extension RunOptions {
  /// Reads the options from their three sources.
  ///
  /// - Parameters:
  ///   - arguments: the command line without the program's name.
  ///   - environment: the environment variables.
  ///   - configuration: the configuration file's values by option name.
  ///   - own: the options that only this program has; the configuration file does not set them.
  /// - Throws: `OptionError`, whose text names the option and its valid values.
  package init(
    arguments: [String], environment: [String: String] = [:], configuration: [String: String] = [:],
    own: [RunOption] = []
  ) throws(OptionError) {
    let all = RunOption.table + own
    for (index, option) in own.enumerated()
    where all.prefix(RunOption.table.count + index).contains(where: { $0.name == option.name }) {
      throw .declaredTwice(option.flag)
    }
    // The lowest precedence comes first; later values overwrite it.
    try self.init(configuration: configuration)
    ownNames = Set(own.map(\.name))
    if let error = read(environment: environment, all).first { throw error }
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-") else { throw .unexpected(argument) }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let typed = String(parts[0])
      guard
        let option = all.first(where: { $0.flag == typed || (typed == "-h" && $0.name == "help") })
      else { throw .unknown(typed, nearest: OptionError.nearest(to: typed, among: all)) }
      given.insert(option.name)
      if option.value == .none {
        guard parts.count == 1 else { throw .takesNothing(option.flag) }
        try set(option, "1", as: option.flag)
      } else if parts.count == 2 {
        try set(option, String(parts[1]), as: option.flag)
      } else if case .optionalText(_, let usual) = option.value, rest.first?.hasPrefix("-") ?? true {
        try set(option, usual, as: option.flag)
      } else {
        // The next option is never the value: in `--audio --quiet`, the device is missing.
        guard let value = rest.popFirst(), !value.hasPrefix("--") else { throw .missing(option) }
        try set(option, value, as: option.flag)
      }
    }
  }

  /// Reads the options from the configuration file's values by option name.
  ///
  /// - Throws: `OptionError`.
  package init(configuration: [String: String]) throws(OptionError) {
    self.init()
    for option in RunOption.table {
      if let value = configuration[option.key] {
        try set(option, value, as: "\(option.key) in the configuration file")
      }
    }
  }

  /// Sets the options for which there are environment variables; skips each variable whose value is wrong.
  ///
  /// - Parameter all: the program's options.
  /// - Returns: the errors of the skipped variables.
  package mutating func read(
    environment: [String: String], _ all: [RunOption] = RunOption.table
  ) -> [OptionError] {
    var errors: [OptionError] = []
    for option in all {
      guard let value = environment[option.variable], !value.isEmpty else { continue }
      do throws(OptionError) {
        try set(option, value, as: option.variable)
        given.insert(option.name)
      } catch {
        errors.append(error)
      }
    }
    return errors
  }

  /// Sets an option from its text.
  ///
  /// - Parameter source: the origin of the text, for errors, such as `--rate` or `MOMU_RATE`.
  private mutating func set(_ option: RunOption, _ text: String, as source: String) throws(OptionError) {
    try option.sets.read(text, of: option, from: source, into: &self)
  }
}
