import ArgumentParser
import MoConsole
import MoCore
import MoMu
import MoOrchestra

/// `momu session panic`: silences all members immediately.
struct SessionPanicCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "panic",
    abstract: "Silence a room until a rhythm is started, and name the members that did not answer.")

  @OptionGroup var place: RoomOptions

  func run() throws {
    let stop = StopWait()
    // A mistake in the file must not prevent a call for silence.
    try SessionCommand.begin(place.sharedArguments, needsFile: false)
    var joinOptions = place.joinOptions(as: "momu session")
    (joinOptions.isHidden, joinOptions.isKept) = (true, false)
    try SessionServer.shared.join(joinOptions)
    defer { SessionServer.shared.leave() }
    let ended = PanicResult()
    MoSession.onEvent { event in
      guard case .panicEnded(let unconfirmed) = event else { return }
      ended.set(unconfirmed)
    }
    // Present members answer within a round trip, or two intervals of a sleeping Wi-Fi.
    if stop.wait(until: SystemClock().now + .milliseconds(400)) { throw ExitCode(130) }
    // If only Avahi finds members, it takes a second or two.
    let late = SystemClock().now + .milliseconds(2_600)
    while MoSession.members.count < 2, SystemClock().now < late {
      if stop.wait(until: SystemClock().now + .milliseconds(20)) { throw ExitCode(130) }
    }
    let there = MoSession.members.filter { !$0.isMe }
    guard !there.isEmpty else {
      throw ToolError.emptyRoom
    }
    try MoSession.panic()
    let end = SystemClock().now + .seconds(3)
    while ended.unconfirmed == nil, SystemClock().now < end {
      if stop.wait(until: SystemClock().now + .milliseconds(10)) { throw ExitCode(130) }
    }
    let unconfirmed =
      ended.unconfirmed
      ?? there.map { UnconfirmedMember(member: $0.identity.member, name: $0.displayName, silentFor: 0) }
    let missing = Set(unconfirmed.map(\.member))
    // List members that have joined since, too.
    let now = MoSession.members.filter { !$0.isMe }
    let all = there + now.filter { one in !there.contains { $0.identity.member == one.identity.member } }
    for member in all.inNaturalOrder(of: \.displayName) where !missing.contains(member.identity.member) {
      show("\(member.displayName): silent\n")
    }
    for member in unconfirmed { show("\(member.text): no answer\n") }
    if !unconfirmed.isEmpty { throw ExitCode(1) }
  }
}

/// The result of a panic: the members that did not confirm that they are silent.
///
/// `unconfirmed` is nil until the result is known.
private final class PanicResult: Sendable {
  private let list = Locked<[UnconfirmedMember]?>(nil)

  var unconfirmed: [UnconfirmedMember]? { list.withLock { $0 } }

  func set(_ unconfirmed: [UnconfirmedMember]) { list.withLock { $0 = unconfirmed } }
}
