import ArgumentParser
import MoOrchestra

/// The options for the room and the name.
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

  /// Returns the options for joining.
  ///
  /// - Parameter program: the program's name in the roster.
  func wish(as program: String) -> JoinOptions {
    JoinOptions(
      room: room, passkey: passkey, name: name, program: program, release: Momu.release, peers: peer)
  }
}
