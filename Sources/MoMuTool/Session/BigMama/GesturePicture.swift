import MoConsole
import MoOrchestra

/// A drawing for a player who only moves: the strength of the movement, and the machine that makes the sound.
struct GesturePicture {
  /// The member that receives the movement; nil for none.
  let target: GestureSender.Target?
  /// The name of a member that runs Big Mama; nil for none.
  let bigMama: String?
  let room: String
  /// Whether the room has a passkey.
  let isLocked: Bool
  /// The instrument that Big Mama assigned, and its volume, 0…1; nil before Big Mama assigns an instrument.
  let assignment: (instrument: String, volume: Float)?
  /// The strength of the movement, 0…1.
  let activity: Float
  /// The tilt in degrees, positive to the right.
  let roll: Float
  let columns: Int

  /// The block of a picture; if rows must be left out, the row with the movement stays.
  var block: ScreenBlock {
    ScreenBlock(
      ([movement] + sound).flatMap { $0.wrapped(to: columns, indent: 2) },
      priority: ScreenBlock.Priority.own)
  }

  private var movement: ScreenLine {
    let width = max(4, min(columns - 30, 30))
    let filled = Int((max(0, min(activity, 1)) * Float(width)).rounded())
    let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: width - filled)
    return ScreenLine("you move [\(bar)]  tilt \(Int(roll.rounded()))°")
  }

  private var sound: [ScreenLine] {
    guard let target, target.isBigMama || target.isGiven else {
      if let bigMama {
        let receiver = self.target?.name ?? "no member"
        return [
          ScreenLine("\(bigMama) does not get your movement yet: it goes to \(receiver)", .yellow)
        ]
      }
      let command = ShellText.command("big-mama", room: room, isLocked: isLocked)
      let long = ScreenLine("no Big Mama is here: type \(command) on a machine", .yellow)
      let hint = long.width <= columns ? long : ScreenLine("no Big Mama: \(command)", .yellow)
      return [hint] + (self.target.map { [ScreenLine("your movement goes to \($0.name)")] } ?? [])
    }
    return [sound(at: target)]
  }

  /// Returns the row for a Big Mama, or for the member that `--to` names.
  private func sound(at target: GestureSender.Target) -> ScreenLine {
    guard target.isHere else {
      return ScreenLine("\(target.name) is not here: your movement goes to no member", .yellow)
    }
    // Any program can receive movement; only Big Mama is known to play it.
    guard target.isBigMama else { return ScreenLine("your movement goes to \(target.name)") }
    // A member can send any number as the volume.
    let share = assignment.map { max(0, min($0.volume, 1)) } ?? 1
    let volume = share < 1 ? " at \(Int((share * 100).rounded())) %" : ""
    return ScreenLine("you play ")
      + ScreenLine(assignment?.instrument ?? "what \(target.name) chooses", .bold)
      + ScreenLine("\(volume); \(target.name) makes the sound")
  }
}
