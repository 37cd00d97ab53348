import ArgumentParser
import MoOrchestra

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

  /// How it takes part.
  ///
  /// - Parameter program: as it stands in the roster.
  func wish(as program: String) -> JoinOptions {
    JoinOptions(
      room: room, passkey: passkey, name: name, program: program, release: Momu.release, peers: peer)
  }
}
