import MoTime

extension SessionCore {
  /// Seconds of silence after which somebody whose calls to all do not come through is asked.
  ///
  /// More where members are many, so that a network that carries no multicast still has no more than some ten
  /// packets a second of each.
  private var askingPause: Double { max(Self.doubt, Double(members.count) / 10) }

  /// Seconds without a call to all after which those of a member are held not to come through.
  private static let callsPatience = 3.5

  /// Seconds of silence after which a member is held to be gone.
  func patience(with member: Member, at now: HostTime) -> Double {
    let usual = 4 * roomInterval
    // Of one that was heard by its calls until it fell silent no other sign of life was due.
    return isOutOfCall(member, at: member.lastHeard) ? max(usual, 2.5 * askingPause) : usual
  }

  private func isOutOfCall(_ member: Member, at now: HostTime) -> Bool {
    guard let called = member.lastCalled else { return true }
    return now.seconds(since: called) > Self.callsPatience * roomInterval
  }

  /// Asks those for a sign of life who are silent, and whose calls to all are not heard: where an access point drops
  /// multicast, they may be there all the same.
  mutating func askSilent(at now: HostTime) {
    var silent: [MemberID] = []
    for (id, member) in members
    where now.seconds(since: member.lastHeard) > askingPause && isOutOfCall(member, at: now) {
      silent.append(id)
    }
    for id in silent.sorted() {
      if let member = members[id] {
        send(hello(.answer, wantsAnswer: true, now: now), to: member.endpoint)
      }
    }
  }
}
