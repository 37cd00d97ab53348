import MoCore

/// What is for all goes by calls to all, if enough members hear them.
extension Delivery {
  /// Whether a member hears our calls to all, and acknowledges them by its own.
  func hearsCalls(_ id: MemberID, _ room: RoomView) -> Bool {
    guard let member = room.members[id], !member.isHidden, !deaf.contains(id) else { return false }
    return isCalling(member, room)
  }

  /// Whether a member's calls to all come through.
  func isCalling(_ member: Member, _ room: RoomView) -> Bool {
    member.lastCalled.map {
      room.now.seconds(since: $0) < SilenceLimits.calls * room.roster.callInterval
    } ?? false
  }

  /// Decides whether what is for all goes by calls.
  ///
  /// Messages keep their order if that changes: what is on its way comes first, and what was not acknowledged for a
  /// second is given up.
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

  /// Seconds after which members that have not acknowledged a call get it alone: two of their acknowledgements may be lost.
  func callTimeout(_ room: RoomView) -> Double {
    2.3 * room.roster.callInterval * Double((room.members.count + Acks.most - 1) / Acks.most)
  }

  /// Seconds by which something is sent ahead: twice what a packet takes to the slowest, or what calls were measured to
  /// take, and what a sound card has ready.
  func lead(to receivers: [MemberID], _ room: RoomView) -> Double {
    var slowest = 0.0
    for id in receivers {
      slowest = max(slowest, Double(room.members[id]?.report.roundTripMilliseconds ?? 0))
    }
    let settings = room.roster.settings
    let own = receivers.contains(room.me) ? max(0, Double(settings.lag) * 1e-9) : 0
    // Others' cards are taken to be like one's own.
    let card = max(0.02, settings.soundLead + 0.003)
    let alone = min(0.18, 1e-3 * (slowest + room.clock.sync.roundTrip * 1e-6))
    let isCalled = isCalling && receivers.count > Self.fewestCalled
    return card + (isCalled ? min(0.4, callDelays.bound) : alone) + own
  }
}
