import ArgumentParser
import MoMu
import MoOrchestra
import MoTime

/// `momu session rooms`: which rooms there are.
struct SessionRoomsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rooms", abstract: "List the rooms nearby, without being seen in any.")

  @Argument(help: ArgumentHelp("Only rooms with this in their name.", valueName: "TEXT"))
  var text: String?

  func run() throws {
    let stop = StopWait()
    // A room of one's own, which nobody is shown, so that all others are other rooms.
    try SessionServer.shared.join(
      SessionWish(
        room: "momu session rooms", program: "momu session", release: Momu.release, isHidden: true,
        isKept: false))
    defer { SessionServer.shared.leave() }
    _ = SessionServer.shared.perform { core, _ in core.ask(anyRoom: true) }
    if stop.wait(until: SystemClock().now + .milliseconds(1_200)) { return }
    let rooms = MoSession.otherRooms.filter { text.map($0.name.lowercased().contains) ?? true }
    for room in rooms { show("\(room.name): \(room.members) \(room.members == 1 ? "member" : "members")\n") }
    if rooms.isEmpty { complain("no room was found: momu doctor says what may be in the way") }
  }
}
