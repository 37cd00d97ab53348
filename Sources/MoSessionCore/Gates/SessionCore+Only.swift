import MoCore

/// How long the installation that alone may conduct has been away.
struct Absence: Sendable {
  var installation: MemberID
  /// When it was here last, or when it was first heard that it alone may conduct.
  var since: HostTime
  /// Whether it has ever been here.
  var wasHere = false
}

extension SessionCore {
  /// Seconds after which a person can lift that only an absent installation may conduct.
  static let lapse = 60.0

  /// Lets all conduct again although only one installation may, which has been away for a minute.
  ///
  /// - Throws: `SessionRefusal.notReserved`, `reserved`, `arriving`.
  package mutating func liftConductorOnly(now: HostTime) throws(SessionRefusal) {
    let (reserved, mine) = (only, settings.identity.installation)
    guard reserved != .nobody else { throw .notReserved }
    let away = absence(of: reserved, at: now)
    guard reserved == mine || away ?? 0 >= Int(Self.lapse) else { throw .reserved(reserved, away: away) }
    guard isSynced else { throw .arriving }
    if reserved == mine { settings.only = .nobody }
    write(at: now) { ($0.policy.only, $0.policy.lifted) = (.nobody, reserved) }
  }

  /// Notes whether the one that alone may conduct is here.
  mutating func noteAbsence(at now: HostTime) {
    guard only != .nobody else {
      onlyAway = nil
      return
    }
    if onlyAway?.installation != only { onlyAway = Absence(installation: only, since: now) }
    let isThere =
      only == settings.identity.installation
      || members.values.contains { $0.identity.installation == only && isHere($0, at: now) }
    if isThere { onlyAway = Absence(installation: only, since: now, wasHere: true) }
  }

  /// Whole seconds for which an installation that alone may conduct has been away; nil while it is here.
  func absence(of installation: MemberID, at now: HostTime) -> Int? {
    guard let onlyAway, onlyAway.installation == installation else { return nil }
    let seconds = now.seconds(since: onlyAway.since)
    return seconds < Self.absence ? nil : Int(seconds)
  }

  /// Whether another member's word that it was lifted counts: the installation is away here, too, or was never here.
  func isLapsed(at now: HostTime) -> Bool {
    guard let onlyAway, onlyAway.wasHere else { return true }
    return now.seconds(since: onlyAway.since) >= Self.lapse
  }
}
