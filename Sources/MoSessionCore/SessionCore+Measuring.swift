import MoCore

extension SessionCore {
  /// Sends the pings that are due.
  mutating func measure(at now: HostTime) {
    guard measured.indices.contains(where: { now >= measured.values[$0].nextPing }) else { return }
    for id in measured.keys.sorted() {
      guard let place = measured.index(forKey: id), now >= measured.values[place].nextPing,
        let member = members.index(forKey: id)
      else { continue }
      let endpoint = members.values[member].endpoint
      measured.values[place].expire(at: now)
      let number = measured.values[place].ping(at: now)
      measured.values[place].nextPing = now.advanced(
        bySeconds: pingInterval(of: id, measured.values[place].comparison.interval, at: now))
      var brief = brief
      // Who lacks a state is told it: that of a part to be joined is another's.
      if id == merge?.teller { brief.version = foreign?.version ?? .none }
      send(
        .ping(SessionMessage.Ping(from: me, to: id, number: number, sent: now, brief: brief)), to: endpoint)
    }
  }

  /// Seconds to the next ping of a member.
  ///
  /// Who tells the time answers some 25 a second in all, and those next in line fewer.
  private func pingInterval(of id: MemberID, _ interval: Double, at now: HostTime) -> Double {
    let others = Double(max(1, members.count))
    let silent = members[id].map { now.seconds(since: $0.lastHeard) } ?? 0
    if id == base?.keeper, silent > Self.doubt, silent < 2 * Self.absence { return 0.15 }
    let isRead = id == base?.keeper || id == sync.source || id == merge?.teller
    guard isRead else { return max(1, others / 4) }
    return interval < 0.1 ? max(0.05, others / 800) : max(0.25, others / 25)
  }
}
