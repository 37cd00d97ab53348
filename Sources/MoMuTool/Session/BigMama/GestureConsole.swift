import MoConsole
import MoCore
import MoOrchestra

/// The terminal interface of `momu session gestures`, for a player who only moves.
///
/// It shows the player's instrument, the movement, and the machine that makes the sound.
final class GestureConsole: Console {
  private let sender: GestureSender
  private let help: KeyHelp
  private let session = ConductorConsole()
  private let prompt = CommandPrompt(": ")
  /// The instrument that Big Mama assigned, and its volume, 0…1; nil before Big Mama assigns an instrument.
  private let seat = Locked<(instrument: String, volume: Float)?>(nil)

  private init(_ sender: GestureSender, _ isPlayedOnKeys: Bool) {
    self.sender = sender
    // Keys that move the instrument do not arrive here.
    let own = ConductorConsole.help.items
    help = KeyHelp(
      (isPlayedOnKeys
        ? [KeyHelp.Item("space", "shakes"), KeyHelp.Item("arrows", "tilt")] + own.dropFirst() : own)
        + [CommandPrompt.talkHelp])
  }

  static func open(_ sender: GestureSender, isPlayedOnKeys: Bool) {
    let desk = GestureConsole(sender, isPlayedOnKeys)
    MoSession.onParameter { change in
      guard change.played.name == BigMama.seatChange else { return }
      MoSession.setPlays(change.played.instrument)
      desk.seat.withLock { $0 = (change.played.instrument, change.played.value) }
    }
    Run.current.open(desk)
    desk.prompt.listen(Run.current)
    StatusPrinter.open(Run.current)
  }

  func picture(at now: HostTime, columns: Int) -> [ScreenBlock] {
    let (shown, seat) = (sender.shown, seat.withLock { $0 })
    var lines: [ScreenLine] = []
    if let sound = shown.sound {
      let volume = seat.map { $0.volume < 1 ? " at \(Int(($0.volume * 100).rounded())) %" : "" } ?? ""
      lines.append(
        ScreenLine("you play ")
          + ScreenLine(seat?.instrument ?? "what \(sound) chooses", .bold)
          + ScreenLine("\(volume); \(sound) makes the sound"))
    } else {
      lines.append(
        ScreenLine("no machine makes the sound yet: type momu session big-mama on one machine", .yellow))
    }
    let width = max(4, min(columns - 30, 30))
    let filled = Int((max(0, min(shown.activity, 1)) * Float(width)).rounded())
    let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: width - filled)
    lines.append(ScreenLine("you move [\(bar)]  tilt \(Int(shown.roll.rounded()))°"))
    let room = SessionPicture.now(columns: columns)
    return Array(room.prefix(1))
      + [
        ScreenBlock(lines.flatMap { $0.wrapped(to: columns, indent: 2) }, priority: ScreenBlock.Priority.own)
      ]
      + Array(room.dropFirst())
      + [prompt.block(columns: columns) ?? help.block(columns: columns, hasPage: false)]
  }

  func take(_ key: TerminalKey, at now: HostTime) { session.take(key, at: now) }
}
