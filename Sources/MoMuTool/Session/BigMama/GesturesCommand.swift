import ArgumentParser
import MoOrchestra
import MoTime

/// `momu session gestures`: moves, for a machine that makes the sound elsewhere.
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

  @Option(help: ArgumentHelp("Leave after so many seconds.", valueName: "N"), transform: readSeconds)
  var seconds: Double?

  func run() throws {
    var words = ["momu session gestures", "--audio=none"]
    if let accel { words.append("--accel=\(accel)") }
    if let seconds { words.append("--seconds=\(seconds)") }
    MoApp.run("Sends how this machine is moved.", arguments: words) {
      try SessionServer.shared.join(
        SessionWish(
          room: place.room, passkey: place.passkey, name: place.name, program: "momu session gestures",
          release: Momu.release, peers: place.peer))
      SessionDesk.open()
      let sender = GestureSender(to: to)
      try MoAccel.addCallback { sender.send($0) }
    }
  }
}

/// Sends movement to whoever makes the sound.
///
/// - Thread: the sensor's.
final class GestureSender: Sendable {
  private struct State: Sendable {
    var aim: SessionAim?
    var nextLook = HostTime.distantPast
    var said = ""
  }

  private let to: String?
  private let state = Guarded(State())

  /// Seconds from one look at who makes the sound to the next.
  private static let look = 0.5

  init(to name: String?) { to = name }

  /// Sends a reading, and a stroke where it is one.
  func send(_ motion: Motion) {
    MoSession.setActivity(motion.activity)
    guard let aim = aim(at: motion.time) else { return }
    do {
      try MoSession.gesture(SessionGesture(motion), to: aim)
      if let force = motion.jerk { try MoSession.hit(force, to: aim) }
      say("")
    } catch {
      say("\(error)")
    }
  }

  private func aim(at now: HostTime) -> SessionAim? {
    if let to { return .named(to) }
    let known = state.withLock { state -> SessionAim?? in now < state.nextLook ? .some(state.aim) : nil }
    if let known { return known }
    let aim = Self.aim(among: MoSession.members, MoSession.gates).map { SessionAim.member($0) }
    if aim == nil { say("nobody makes the sound yet: on that machine momu session big-mama") }
    state.withLock { state in
      (state.aim, state.nextLook) = (aim, now.advanced(bySeconds: Self.look))
    }
    return aim
  }

  /// Who makes the sound: to whom one may play, where one may not play to all; else who conducts.
  static func aim(among members: [SessionMember], _ gates: GateTable) -> MemberID? {
    guard let mine = members.first(where: \.isMe)?.identity.installation else { return nil }
    let others = members.filter { !$0.isMe }
    let open = others.filter { gates.weight(.notes, from: mine, to: $0.identity.installation) > 0 }
    if gates.weight(.notes, from: mine) == 0,
      let centre = open.first(where: { $0.identity.installation != mine })
    {
      return centre.identity.member
    }
    // Programs of one's own machine are never shut out: of those only the one that makes sound is meant.
    if let own = open.first(where: {
      $0.identity.installation == mine && $0.identity.program == BigMamaCommand.program
    }) {
      return own.identity.member
    }
    return others.first(where: \.isConductor)?.identity.member
  }

  /// Says what is in the way, once.
  private func say(_ text: String) {
    let isNew = state.withLock { state in
      defer { state.said = text }
      return state.said != text
    }
    if isNew, !text.isEmpty { MoLog.log(.notice, text) }
  }
}
