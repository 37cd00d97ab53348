/// The output of `--help`.
package enum HelpText {
  /// - Parameter own: the options that only this program has.
  package static func text(about: String, program: String, own: [RunOption] = []) -> String {
    func left(_ option: RunOption) -> String {
      option.flag + (option.value.placeholder.map { " \($0)" } ?? "")
    }
    let width = (own + RunOption.table).map { left($0).count }.max() ?? 0
    func rows(_ options: [RunOption]) -> String {
      options.map { "  \(left($0).padded(to: width))  \($0.help)\n" }.joined()
    }
    let ownRows = own.isEmpty ? "" : "Options of this program:\n\(rows(own))\nOptions of every program:\n"
    return """
      \(about)

      Usage: \(program) [options]

      \(ownRows)\(rows(RunOption.table))
      You can also set each option by an environment variable, such as MOMU_AUDIO for --audio. The options of every
      program are also keys of the JSON object in ~/.config/momu/config.json. Ctrl-C ends the program.

      """
  }
}
