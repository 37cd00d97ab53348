import ArgumentParser

/// `momu osc`: OSC from the terminal.
struct OSCCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "osc", abstract: "Hear, send, record, replay and measure OSC.",
    subcommands: [
      ListenCommand.self, SendCommand.self, RecordCommand.self, ReplayCommand.self, PingCommand.self,
    ])
}

/// How programs are told where to listen.
struct ListenOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The UDP port to listen on.", valueName: "N"), transform: Port.init(typed:))
  var port: Port = .usual

  @Flag(help: "Also take TCP connections at that port, with lengths or SLIP between messages.")
  var tcp = false

  @Option(
    help: ArgumentHelp(
      "Also hear a multicast group, such as 224.0.1.9 or 224.0.1.9%wlan0.", valueName: "GROUP"))
  var join: [String] = []

  @Option(
    help: ArgumentHelp("Stop after so many messages.", valueName: "N"), transform: readCount)
  var count: Int?
}

/// A whole number from 1.
///
/// - Throws: `ValidationError`.
@Sendable
func readCount(_ text: String) throws -> Int {
  guard let number = Int(text), number > 0 else { throw ValidationError("it is a whole number from 1") }
  return number
}
