/// The output of `--help`.
package enum HelpText {
  package static func text(about: String, program: String) -> String {
    let rows = RunOption.table.map { option in
      (option.flag + (option.value.placeholder.map { " \($0)" } ?? ""), option.help)
    }
    let width = rows.map(\.0.count).max() ?? 0
    let options = rows.map { "  \($0.padded(to: width))  \($1)" }
    return """
      \(about)

      Usage: \(program) [options]

      \(options.joined(separator: "\n"))

      You can also set each option by an environment variable, such as MOMU_AUDIO for --audio, or by a key of the JSON
      object in ~/.config/momu/config.json. Ctrl-C ends the program.

      """
  }
}
