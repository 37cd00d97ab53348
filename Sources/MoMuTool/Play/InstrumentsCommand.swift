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
    show(try Instruments.named(instrument).page)
  }

  /// One line each.
  static func list(_ entries: [InstrumentFactory]) -> String {
    let width = entries.map(\.sheet.name.count).max() ?? 0
    return entries.map { "\($0.sheet.name.padded(to: width))  \($0.sheet.summary)\n" }.joined()
  }
}
