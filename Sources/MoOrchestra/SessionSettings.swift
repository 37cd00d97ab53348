import MoCore
import MoMu
import MoSessionCore

extension SessionCore.Settings {
  /// Creates the settings of a join.
  ///
  /// `record` has the values of this start, completed by those of the earlier run if the program was killed.
  /// `run.options` gives the values that `record` does not have.
  init(
    _ wish: JoinOptions, _ record: SavedRoom, program: String, _ memory: PeerCache, _ run: Run
  ) throws(SessionError) {
    let room = record.room
    guard (1...100).contains(room.utf8.count), room != "*",
      // Other users could not type it, and it could not be saved as a line.
      !room.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
    else { throw .badRoom(room) }
    let identity = SessionIdentity(
      member: .random(), installation: memory.installation,
      name: record.name ?? run.options.name ?? DefaultName.host, program: program, release: wish.release,
      machine: Machine.started)
    self.init(room: room, identity: identity)
    isHidden = record.isHidden
    remembered = memory.places(in: room)
    ignored = Set(record.ignored)
    secret = .random(in: .min ... .max)
    calendar = SystemClock().wallClock(of: SystemClock().now) / 1_000_000_000
    only = record.only != .nobody ? record.only : MemberID(run.options.conductorOnly ?? 0)
    for text in wish.peers { _ = try PeerPlace(text) }
    typed = record.peers.compactMap { SessionEndpoint(typed: $0) }
  }
}

/// The events that the server passes to the callbacks after it has released its lock.
struct SessionCallbackEvent {
  var events: [SessionEvent] = []
  var heard: [SessionHeard] = []
  /// Whether a program was detected that claims another installation's identity: true only for the first detection, of
  /// which the server then warns.
  var isForged = false
}
