import ArgumentParser
import MoCore
import MoOrchestra

/// `momu session gestures`: sends movement to a machine that makes the sound.
struct GesturesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gestures", abstract: "Send how this machine is moved to the one that makes the sound.",
    discussion: """
      It makes no sound itself. What is moved is what --accel names: the laptop's own accelerometer, a phone (net), the \
      terminal's keys. Without --to it goes to whom the gates let all play, as momu session big-mama sets them, else to \
      who conducts.
      """)

  @OptionGroup var place: SessionPlace

  @Option(help: ArgumentHelp("Who makes the sound.", valueName: "NAME"))
  var to: String?

  @Option(help: ArgumentHelp("What moves it, as with momu play.", valueName: "SOURCE"))
  var accel: String?

  @Option(help: ArgumentHelp("Leave after this time.", valueName: "SECONDS"), transform: readSeconds)
  var seconds: Double?

  func run() throws {
    var words = ["momu session gestures", "--audio=none"]
    if let accel { words.append("--accel=\(accel)") }
    if let seconds { words.append("--seconds=\(seconds)") }
    MoApp.run("Sends how this machine is moved.", arguments: words) {
      try SessionServer.shared.join(place.wish(as: "momu session gestures"))
      let sender = GestureSender(to: to)
      GestureConsole.open(sender, isPlayedOnKeys: accel == "keys")
      try MoAccel.addCallback { sender.send($0) }
    }
  }
}
