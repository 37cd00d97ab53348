import ArgumentParser

/// `momu osc`: OSC tools for the terminal.
struct OSCCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "osc", abstract: "Receive, send, record, replay and measure OSC.",
    subcommands: [
      ListenCommand.self, SendCommand.self, RecordCommand.self, ReplayCommand.self, PingCommand.self,
    ])
}

/// The options of the commands that listen.
struct ListenOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("UDP port to listen on.", valueName: "PORT"), transform: Port.init(typed:))
  var port: Port = .usual

  @Flag(help: "Also accept TCP on that port, size-prefixed or SLIP.")
  var tcp = false

  @Option(
    help: ArgumentHelp(
      "Join a multicast group: 224.0.1.9 or 224.0.1.9%wlan0.", valueName: "GROUP"))
  var join: [String] = []

  @Option(
    help: ArgumentHelp("Stop after this many messages.", valueName: "N"), transform: readCount)
  var count: Int?
}

/// Parses a whole number that is 1 or greater.
///
/// - Throws: `ValidationError`.
@Sendable
func readCount(_ text: String) throws -> Int {
  guard let number = Int(text), number > 0 else { throw ValidationError("must be a whole number from 1") }
  return number
}
