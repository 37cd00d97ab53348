import ArgumentParser

/// `momu session`: joins a room from the terminal.
struct SessionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session", abstract: "Join a room: list its members, conduct, measure.",
    subcommands: [
      SessionJoinCommand.self, SessionReplayCommand.self, BigMamaCommand.self, GesturesCommand.self,
      SessionPanicCommand.self, SessionCheckCommand.self, SessionRoomsCommand.self, SessionKeyCommand.self,
      SessionRenewCommand.self,
    ],
    defaultSubcommand: SessionJoinCommand.self)
}
