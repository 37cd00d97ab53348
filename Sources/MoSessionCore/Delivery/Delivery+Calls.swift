import MoCore

/// The multicasts of messages for all members, which are used if enough members receive multicasts.
extension Delivery {
  /// Returns whether a member receives our multicasts, and can acknowledge them by multicasts that reach us.
  func hearsCalls(_ id: MemberID, _ room: RoomView) -> Bool {
    guard let member = room.members[id], !member.isHidden, !deaf.contains(id) else { return false }
    return isCalling(member, room)
  }

  /// Returns whether a member's multicasts reach this member.
  func isCalling(_ member: Member, _ room: RoomView) -> Bool {
    member.lastCalled.map {
      room.now.seconds(since: $0) < SilenceLimits.calls * room.roster.callInterval
    } ?? false
  }

  /// Decides whether messages for all are multicast.
  ///
  /// When this decision changes, messages keep their order: messages under way arrive first. But a message that was not
  /// acknowledged for a second is given up; a late copy of it may arrive after the first multicast.
  mutating func chooseCalls(among receivers: [MemberID], _ room: RoomView) {
    let count = receivers.count { $0 != room.me && hearsCalls($0, room) }
    if isCalling {
      let isQuiet = windows[PlayLine(to: .nobody, isShared: false)]?.waiting.isEmpty ?? true
      if count <= Self.fewestCalled, isQuiet { isCalling = false }
      return
    }
    let old = room.now.advanced(bySeconds: -Self.stuck)
    guard count >= Self.manyCalled,
      !windows.contains(where: { line, window in
        !line.isForAll && !line.isShared && window.waiting.contains { $0.posted > old }
      })
    else { return }
    isCalling = true
    for line in windows.keys where !line.isForAll && !line.isShared {
      windows[line]?.giveUp(before: room.now)
    }
    nextSend = min(nextSend, room.now)
  }

  /// Returns the seconds after which a multicast is retransmitted to the single members that have not acknowledged it.
  ///
  /// Within this time a member multicasts at least two acknowledgements, so that a single loss has no effect.
  func callTimeout(_ room: RoomView) -> Double {
    2.3 * room.roster.callInterval * Double((room.members.count + Acks.most - 1) / Acks.most)
  }

  /// Returns the seconds by which a message must be sent ahead of its beat.
  ///
  /// The result is the sum of the sound card's buffer and the network's delay. The network's delay is twice the time of
  /// a packet to the slowest receiver, or the measured delay of multicasts. If this member is a receiver, its own
  /// output delay that the sound device does not report is added.
  func lead(to receivers: [MemberID], _ room: RoomView) -> Double {
    var slowest = 0.0
    for id in receivers {
      slowest = max(slowest, Double(room.members[id]?.report.roundTripMilliseconds ?? 0))
    }
    let settings = room.roster.settings
    let own = receivers.contains(room.me) ? max(0, Double(settings.lag) * 1e-9) : 0
    // The other members' sound cards are assumed to be like this one's.
    let card = max(0.02, settings.soundLead + 0.003)
    let alone = min(0.18, 1e-3 * (slowest + room.clock.sync.roundTrip * 1e-6))
    let isCalled = isCalling && receivers.count > Self.fewestCalled
    return card + (isCalled ? min(0.4, callDelays.bound) : alone) + own
  }
}
