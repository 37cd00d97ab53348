import ArgumentParser
import MoOrchestra

/// The command-line options for the room and the member's name: `--room`, `--passkey`, `--name` and `--peer`.
struct SessionPlace: ParsableArguments {
  @Option(help: ArgumentHelp("The room.", valueName: "NAME"))
  var room: String?

  @Option(help: ArgumentHelp("Room key; hide it from other users in MOMU_PASSKEY.", valueName: "KEY"))
  var passkey: String?

  @Option(help: ArgumentHelp("Your name in the room.", valueName: "NAME"))
  var name: String?

  @Option(help: ArgumentHelp("Address of a member, if discovery fails.", valueName: "ADDRESS"))
  var peer: [String] = []

  /// Returns the options with which a program joins the room.
  ///
  /// - Parameter program: the program's name in the roster.
  func wish(as program: String) -> JoinOptions {
    JoinOptions(
      room: room, passkey: passkey, name: name, program: program, release: Momu.release, peers: peer)
  }
}
