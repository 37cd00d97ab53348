import ArgumentParser
import MoInstruments

/// `momu instruments`: lists the instruments and their parameters.
struct InstrumentsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "instruments", abstract: "List the instruments, or show one with its parameters.")

  @Argument(help: ArgumentHelp("The instrument to show.", valueName: "INSTRUMENT"))
  var instrument: String?

  func run() throws {
    guard let instrument else {
      _ = show(Self.list(Instruments.all))
      return
    }
    show(try Instruments.named(instrument).page)
  }

  /// Returns a line for each instrument, with its name and summary.
  static func list(_ entries: [InstrumentFactory]) -> String {
    let width = entries.map(\.sheet.name.count).max() ?? 0
    return entries.map { "\($0.sheet.name.padded(to: width))  \($0.sheet.summary)\n" }.joined()
  }
}
