import ArgumentParser
import MoCore
import MoOrchestra

/// `momu session gestures`: sends movement to a machine that makes the sound.
struct GesturesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gestures", abstract: "Send this machine's movement to the sounding machine.",
    discussion: """
      It makes no sound. --accel names the source of the movement: the laptop's accelerometer, a phone (net), or the \
      terminal's keys. Without --to, the movement goes to the member to which all gates lead, as momu session big-mama \
      sets them, else to the conductor.
      """)

  @OptionGroup var place: SessionPlace

  @Option(help: ArgumentHelp("The member that makes the sound.", valueName: "NAME"))
  var to: String?

  @Option(help: ArgumentHelp("The source of the movement, as in momu play.", valueName: "SOURCE"))
  var accel: String?

  @Option(help: ArgumentHelp("Leave after this time.", valueName: "SECONDS"), transform: readSeconds)
  var seconds: Double?

  @Flag(help: "Print a line per event, for screen readers.")
  var plain = false

  func run() throws {
    var words = ["momu session gestures", "--audio=none"]
    if let accel { words.append("--accel=\(accel)") }
    if let seconds { words.append("--seconds=\(seconds)") }
    if plain { words.append("--plain") }
    MoApp.run("Sends this machine's movement.", arguments: words) {
      try SessionServer.shared.join(place.wish(as: "momu session gestures"))
      let sender = GestureSender(to: to)
      GestureConsole.open(sender, isPlayedOnKeys: accel == "keys")
      try MoAccel.addCallback { sender.send($0) }
    }
  }
}
