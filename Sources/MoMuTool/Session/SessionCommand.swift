import ArgumentParser

/// `momu session`: being in a room from the terminal.
struct SessionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session", abstract: "Be in a room: see who is there, conduct, measure.",
    subcommands: [
      SessionJoinCommand.self, SessionReplayCommand.self, BigMamaCommand.self, GesturesCommand.self,
      SessionPanicCommand.self, SessionRoomsCommand.self, SessionKeyCommand.self,
    ],
    defaultSubcommand: SessionJoinCommand.self)
}

/// Where and as whom one takes part.
struct SessionPlace: ParsableArguments {
  @Option(help: ArgumentHelp("The room.", valueName: "NAME"))
  var room: String?

  @Option(
    help: ArgumentHelp(
      "What the room is locked with; momu session key makes one. Better as the variable MOMU_PASSKEY, which others on this machine cannot see.",
      valueName: "KEY"))
  var passkey: String?

  @Option(help: ArgumentHelp("What others see.", valueName: "NAME"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Also look for members at an address, where nobody is found by himself.", valueName: "ADDRESS"))
  var peer: [String] = []
}
