import MoTime

/// Where many are here the keeper, which sends no more than others, can answer each only every few seconds. The
/// conductor may send more: it asks the keeper often, and the others read the keeper's time from its answers.
///
/// Whose clock is gone by stays as it is, and the keeper is asked still, if seldom; so nothing is handed over that
/// could be lost on the way, and the conductor's end costs only what it has bettered.
extension SessionCore {
  /// Whether more are here than the keeper can answer often enough.
  var isCrowd: Bool { members.count > settings.crowd }

  /// Who tells the shared time here: the keeper, or another in its place.
  var timeTeller: MemberID? { sync.relay ?? base?.keeper }

  /// Whether somebody conducts who is here and is not the keeper: who could tell its time.
  func relayOffered(at now: HostTime) -> Bool { conductor(at: now).map { $0 != base?.keeper } ?? false }

  /// Exchanges after which it is known how well somebody can be measured.
  private static let fewestExchanges = 8
  /// How much worse than the keeper's own answers those of another may become before they are left again.
  private static let loyalty = 2.0

  /// Chooses who tells the time: the conductor, where it knows the keeper's clock better than is known here, and
  /// its own is known better here than the keeper's.
  mutating func chooseRelay(at now: HostTime) {
    guard let relay = relay(at: now), let measurement = measured[relay],
      measurement.exchanges >= Self.fewestExchanges, !measurement.comparison.isInDoubt,
      let estimate = measurement.comparison.estimate(at: now)
    else {
      sync.relay = nil
      return
    }
    let keeper = base.flatMap { measured[$0.keeper]?.comparison.estimate(at: now) }
    let direct = keeper?.symmetricBound ?? .infinity
    let most = direct * (sync.relay == relay ? Self.loyalty : 1)
    let theirs = Double(members[relay]?.report.symmetricMilliseconds ?? .infinity) * 1e6
    sync.relay = estimate.symmetricBound <= most && theirs <= most ? relay : nil
  }

  /// Who may tell the time in the keeper's place: who conducts by its own word, too.
  ///
  /// Who conducts reads no time but the keeper's. So no two read it from each other, whatever they believe of who
  /// conducts: a time that nobody keeps would run away with both.
  private func relay(at now: HostTime) -> MemberID? {
    guard isCrowd, !isKeeper, let base, let id = conductor(at: now), id != me, id != base.keeper,
      let member = members[id], member.map != nil, member.brief.version.holder == id,
      member.brief.base?.lineage == base.lineage
    else { return nil }
    return id
  }
}
