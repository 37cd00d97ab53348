import ArgumentParser
import MoConsole
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

  @OptionGroup var place: RoomOptions
  @OptionGroup var right: ConductorRight

  @Option(help: ArgumentHelp("The member that makes the sound.", valueName: "NAME"))
  var to: String?

  @Option(help: .shared("accel")) var accel: String?
  @Option(help: .shared("seconds")) var seconds: String?
  @Flag(help: .shared("plain")) var plain = false

  func validate() throws { try checkSharedArguments() }

  func run() throws {
    let words = ["momu session gestures", "--audio=none"]
    let options = place.sharedArguments + right.sharedArguments + sharedArguments
    MoApp.run("Sends this machine's movement.", arguments: words + options) {
      try SessionServer.shared.join(place.joinOptions(as: "momu session gestures"))
      let sender = GestureSender(to: to)
      GestureConsole.open(sender, isPlayedOnKeys: accel == "keys")
      try MoAccel.addCallback { sender.send($0) }
    }
  }
}

/// The terminal interface of `momu session gestures`, for a player who only moves.
///
/// It shows the player's instrument, the movement, and the machine that makes the sound.
final class GestureConsole: Console {
  private let sender: GestureSender
  /// Whether the space bar and the arrow keys move the instrument.
  private let isPlayedOnKeys: Bool
  private let session = ConductorConsole()
  private let prompt = CommandPrompt(": ")
  /// The instrument that Big Mama assigned, and its volume, 0…1; nil before Big Mama assigns an instrument.
  private let assignment = Locked<(instrument: String, volume: Float)?>(nil)

  private init(_ sender: GestureSender, _ isPlayedOnKeys: Bool) {
    self.sender = sender
    self.isPlayedOnKeys = isPlayedOnKeys
  }

  /// The help for the keys that the room accepts now.
  private var help: KeyHelp {
    // Keys that move the instrument do not arrive here.
    let movement = [KeyHelp.Item("space", "shakes"), KeyHelp.Item("arrows", "tilt")]
    let facts = RoomFacts.now()
    let room = ConductorConsole.help(facts, hasSpace: !isPlayedOnKeys).items
    let typing = ConsoleKey.help(
      [
        ConsoleKey(CommandPrompt.talkHelp, .talk), ConsoleKey(CommandPrompt.commandHelp),
        ConsoleKey("Ctrl-C", "leaves"),
      ], facts
    ).items
    return KeyHelp((isPlayedOnKeys ? movement : []) + room + typing)
  }

  static func open(_ sender: GestureSender, isPlayedOnKeys: Bool) {
    let console = GestureConsole(sender, isPlayedOnKeys)
    MoSession.onParameter { change in
      guard change.played.name == BigMama.assignmentParameter else { return }
      MoSession.setPlays(change.played.instrument)
      console.assignment.withLock { $0 = (change.played.instrument, change.played.value) }
    }
    Run.current.open(console)
    console.prompt.listen(Run.current)
    StatusPrinter.open(Run.current)
  }

  func picture(at now: HostTime, columns: Int) -> [ScreenBlock] {
    let (shown, assignment) = (sender.shown, assignment.withLock { $0 })
    let own = GesturePicture(
      target: shown.target, bigMama: shown.bigMama, room: MoSession.room ?? "", isLocked: MoSession.isLocked,
      assignment: assignment, activity: shown.activity, roll: shown.roll, columns: columns)
    let room = SessionPicture.now(columns: columns)
    return Array(room.prefix(1)) + [own.block] + Array(room.dropFirst())
      + [prompt.block(columns: columns) ?? help.block(columns: columns, hasPage: false)]
  }

  func handleKey(_ key: TerminalKey, at now: HostTime) { session.handleKey(key, at: now) }
}
