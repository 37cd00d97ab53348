import ArgumentParser

/// `momu osc`: OSC tools for the terminal.
struct OSCCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "osc", abstract: "Receive, send, record, replay and measure OSC.",
    subcommands: [
      ListenCommand.self, SendCommand.self, RecordCommand.self, ReplayCommand.self, PingCommand.self,
    ])
}

/// Parses a whole number that is 1 or greater.
///
/// - Throws: `ValidationError`.
@Sendable
func readCount(_ text: String) throws -> Int {
  guard let number = Int(text), number > 0 else { throw ValidationError("must be a whole number from 1") }
  return number
}
