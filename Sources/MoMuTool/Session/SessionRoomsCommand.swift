import ArgumentParser
import MoCore
import MoMu
import MoOrchestra

/// `momu session rooms`: lists the rooms on the network.
struct SessionRoomsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rooms", abstract: "List the rooms nearby, without being seen in any.",
    discussion: "Ends with status 1 if there is none.")

  @Argument(help: ArgumentHelp("Only rooms with this in their name.", valueName: "TEXT"))
  var text: String?

  func run() throws {
    let stop = StopWait()
    // A hidden member in a room of its own sees all other rooms.
    try SessionServer.shared.join(
      JoinOptions(
        room: "momu session rooms", program: "momu session", release: Momu.release, isHidden: true,
        isKept: false))
    defer { SessionServer.shared.leave() }
    _ = SessionServer.shared.perform { core, _ in core.ask(anyRoom: true) }
    if stop.wait(until: SystemClock().now + .milliseconds(1_200)) { return }
    // If only Avahi finds members, it takes a second or two.
    let end = SystemClock().now + .milliseconds(1_800)
    while rooms.isEmpty, SystemClock().now < end {
      if stop.wait(until: SystemClock().now + .milliseconds(50)) { return }
    }
    for room in rooms { show("\(room.name): \(counted(room.members, "member"))\n") }
    let locked = text == nil ? SessionServer.shared.locking.otherRooms : 0
    if locked > 0 { show("\(counted(locked, "locked room")), whose names are hidden\n") }
    if rooms.isEmpty, locked == 0 { throw ToolError.noRoom(named: text, SessionServer.shared.trouble) }
  }

  private var rooms: [(name: String, members: Int)] {
    MoSession.otherRooms.filter { room in
      text.map { room.name.lowercased().contains($0.lowercased()) } ?? true
    }
  }
}
