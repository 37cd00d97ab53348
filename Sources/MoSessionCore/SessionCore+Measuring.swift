import MoTime

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
      send(
        .ping(SessionMessage.Ping(from: me, to: id, number: number, sent: now, brief: brief)), to: endpoint)
    }
  }

  /// Seconds to the next ping of a member.
  ///
  /// A keeper answers some twenty a second in all, and those next in line fewer; so that nobody who merely keeps time
  /// sends more than 25 packets a second. A conductor may send more, but no more than 80 kB in all: where many are
  /// here it is asked in the keeper's place, and asks the keeper more often than others do.
  private func pingInterval(of id: MemberID, _ interval: Double, at now: HostTime) -> Double {
    let others = Double(max(1, members.count))
    let isImportant = id == base?.keeper || id == state.conductor
    let silent = members[id].map { now.seconds(since: $0.lastHeard) } ?? 0
    if isImportant, silent > Self.doubt, silent < 2 * Self.absence { return 0.15 }
    if id == merge?.base.keeper || id == base?.keeper, interval < 0.1 {
      return max(0.05, others / 800)
    }
    if id == merge?.base.keeper { return max(0.25, others / 20) }
    let isRelayed = isCrowd && relayOffered(at: now)
    if id == base?.keeper {
      if id == state.conductor { return max(0.25, others / 150) }
      if isRelayed { return state.conductor == me ? 0.25 : max(0.25, others / 16) }
      return max(0.25, others / 20)
    }
    guard id == state.conductor else { return max(1, others / 4) }
    return isRelayed && !isKeeper ? max(0.25, others / 150) : max(0.5, others / 80)
  }
}
