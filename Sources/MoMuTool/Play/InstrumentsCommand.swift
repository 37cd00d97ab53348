import ArgumentParser
import MoInstruments

/// `momu instruments`: which there are, and what each can be told.
struct InstrumentsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "instruments", abstract: "Show the instruments, or one and its parameters.")

  @Argument(help: ArgumentHelp("One of them, to show its parameters.", valueName: "INSTRUMENT"))
  var instrument: String?

  func run() throws {
    guard let instrument else {
      _ = show(Self.list(Instruments.all))
      return
    }
    show(Self.page(try Instruments.named(instrument)))
  }

  /// One line each.
  static func list(_ entries: [InstrumentEntry]) -> String {
    let width = entries.map(\.sheet.name.count).max() ?? 0
    return entries.map { padded($0.sheet.name, width) + "  " + $0.sheet.summary + "\n" }.joined()
  }

  /// Everything about one.
  static func page(_ entry: InstrumentEntry) -> String {
    let sheet = entry.sheet
    var lines = ["\(sheet.name): \(sheet.summary)"]
    if let plays = sheet.plays {
      lines.append("plays \(NoteText.name(plays.lowerBound)) to \(NoteText.name(plays.upperBound))")
    }
    let parameters = entry.allParameters
    let width = parameters.map(\.name.count).max() ?? 0
    for parameter in parameters {
      let range =
        ParameterText.number(parameter.range.lowerBound, step: parameter.step) + " to "
        + ParameterText.value(parameter.range.upperBound, of: parameter)
      let initial = ParameterText.value(parameter.initial, of: parameter)
      lines.append(
        "  \(padded(parameter.name, width))  \(padded(range, 16)) at first \(padded(initial, 9)) \(parameter.about)"
      )
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
