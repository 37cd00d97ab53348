import ArgumentParser
import MoMu
import MoOrchestra
import MoTime

/// `momu session panic`: silence, at once.
struct SessionPanicCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "panic", abstract: "Silence every member of a room at once, and say who did not answer.")

  @OptionGroup var place: SessionPlace

  func run() throws {
    let stop = StopWait()
    var wish = place.wish(as: "momu session")
    (wish.isHidden, wish.isKept) = (true, false)
    try SessionServer.shared.join(wish)
    defer { SessionServer.shared.leave() }
    let ended = PanicEnd()
    MoSession.addEventCallback { event in
      guard case .panicEnded(let silent) = event else { return }
      ended.set(silent)
    }
    // Who is there answers within a round trip, or two grids of a sleeping Wi-Fi.
    if stop.wait(until: SystemClock().now + .milliseconds(400)) { return }
    // Where only Avahi knows anybody it takes a second or two.
    let late = SystemClock().now + .milliseconds(2_600)
    while MoSession.members.count < 2, SystemClock().now < late {
      if stop.wait(until: SystemClock().now + .milliseconds(20)) { return }
    }
    let there = MoSession.members.filter { !$0.isMe }
    guard !there.isEmpty else {
      throw ToolError.emptyRoom(MoSession.room ?? "", SessionServer.shared.networkTrouble)
    }
    try MoSession.panic()
    let end = SystemClock().now + .seconds(3)
    while ended.silent == nil, SystemClock().now < end {
      if stop.wait(until: SystemClock().now + .milliseconds(10)) { return }
    }
    let silent = Set(ended.silent ?? there.map(\.identity.member))
    for member in there {
      show("\(member.displayName): \(silent.contains(member.identity.member) ? "no answer" : "silent")\n")
    }
    if !silent.isEmpty { throw ExitCode(1) }
  }
}

/// Who did not answer, once that is known.
private final class PanicEnd: Sendable {
  private let list = Guarded<[MemberID]?>(nil)

  var silent: [MemberID]? { list.withLock { $0 } }

  func set(_ silent: [MemberID]) { list.withLock { $0 = silent } }
}
