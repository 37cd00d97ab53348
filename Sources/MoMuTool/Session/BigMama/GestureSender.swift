import MoCore
import MoOrchestra

/// A sender of movement to the member that makes the sound.
///
/// - Thread: `send` on the sensor's thread; `shown` on any.
final class GestureSender: Sendable {
  /// The member that receives the movement.
  struct Target: Equatable, Sendable {
    var name: String
    /// Whether the member runs `momu session big-mama`.
    var isBigMama: Bool
    /// Whether the option `--to` names the member.
    var isGiven: Bool
    /// Whether the member is in the room; false only for a member that `--to` names.
    var isHere = true
  }

  private struct State: Sendable {
    var aim: SessionAim?
    var nextCheck = HostTime.distantPast
    var lastText = ""
    var activity: Float = 0
    var roll: Float = 0
  }

  private let to: String?
  private let state = Locked(State())

  /// The time between two determinations of the member that makes the sound, in seconds.
  private static let checkInterval = 0.5

  init(to name: String?) { to = name }

  /// Sends a motion as a gesture and, if the motion contains a strike, also the strike.
  func send(_ motion: Motion) {
    MoSession.setActivity(motion.activity)
    state.withLock { ($0.activity, $0.roll) = (motion.activity, Float(motion.tilt.roll)) }
    guard let aim = aim(at: motion.time) else { return }
    do {
      try MoSession.sendGesture(SessionGesture(motion), to: aim)
      if let force = motion.strike { try MoSession.strike(force, to: aim) }
      logIfNew("")
    } catch {
      logIfNew("\(error)")
    }
  }

  /// The values to show: the member that receives the movement, the name of a Big Mama in the room, the activity (0…1),
  /// and the tilt.
  ///
  /// The target is nil if no member receives the movement. The tilt is in degrees, positive to the right.
  var shown: (target: Target?, bigMama: String?, activity: Float, roll: Float) {
    let state = state.withLock { $0 }
    let members = MoSession.members
    let bigMama = members.first { !$0.isMe && $0.identity.program == BigMamaCommand.program }
    let member = members.first { member in
      if let to { return member.displayName == to }
      guard case .one(.id(let id))? = state.aim else { return false }
      return member.identity.member == id
    }
    let target = (to ?? member?.displayName).map { name in
      Target(
        name: name, isBigMama: member?.identity.program == BigMamaCommand.program, isGiven: to != nil,
        isHere: member != nil)
    }
    return (target, bigMama?.displayName, state.activity, state.roll)
  }

  private func aim(at now: HostTime) -> SessionAim? {
    if let to { return .member(to) }
    let known = state.withLock { state -> SessionAim?? in now < state.nextCheck ? .some(state.aim) : nil }
    if let known { return known }
    let aim = Self.aim(among: MoSession.members, MoSession.gates).map { SessionAim.member($0) }
    state.withLock { state in
      (state.aim, state.nextCheck) = (aim, now.advanced(bySeconds: Self.checkInterval))
    }
    return aim
  }

  /// Returns the member that makes the sound; nil if there is none.
  ///
  /// An installation is allowed if the gates pass this member's notes to it. The result is the first of the following
  /// members that exists:
  /// - If only certain installations are allowed: a member of an allowed installation other than this member's own.
  /// - A Big Mama of this member's own installation.
  /// - The conductor.
  static func aim(among members: [SessionMember], _ gates: GateTable) -> MemberID? {
    guard let mine = members.first(where: \.isMe)?.identity.installation else { return nil }
    let others = members.filter { !$0.isMe }
    let open = others.filter { gates.weight(.notes, from: mine, to: $0.identity.installation) > 0 }
    if gates.weight(.notes, from: mine) == 0,
      let centre = open.first(where: { $0.identity.installation != mine })
    {
      return centre.identity.member
    }
    // Programs of this machine are never shut out: of those only the one that makes sound is meant.
    if let own = open.first(where: {
      $0.identity.installation == mine && $0.identity.program == BigMamaCommand.program
    }) {
      return own.identity.member
    }
    return others.first(where: \.isConductor)?.identity.member
  }

  /// Writes a problem to the log, unless the last problem was equal; an empty text means that the last problem is over.
  private func logIfNew(_ text: String) {
    let isNew = state.withLock { state in
      defer { state.lastText = text }
      return state.lastText != text
    }
    if isNew, !text.isEmpty { MoLog.log(.notice, text) }
  }
}
