import MoCore

/// The names by which members are shown and addressed: "Ada", and "Ada 2" for a later member of that name.
///
/// A name stays with its first holder. The name is reserved for the holder's installation for a while after the holder
/// has left, so that no other member receives messages that are meant for the holder.
package struct MemberNames: Sendable {
  private struct Place: Sendable {
    var name: String
    var number: Int
    var installation: MemberID
    /// The name's present holder; nil while the holder is away.
    var member: MemberID?
    var leftAt = HostTime.distantPast
    /// The last holder that left; `nobody` before any holder has left.
    var last = MemberID.nobody
    /// Whether the last holder that left vanished without a goodbye.
    var isLost = false
  }

  /// The holder of each displayed name, such as "Ada 2".
  private var places: [String: Place] = [:]
  private var shown: [MemberID: String] = [:]
  /// The time until which members with the same name are numbered in the order in which their programs started.
  ///
  /// A newcomer meets all members almost at once, in any order.
  private var orderingEnd: HostTime

  /// Seconds in which a newcomer meets the members that were here before it.
  private static let orderingTime = 3.0
  /// Seconds for which a name is reserved for an absent installation.
  static let memory = 900.0
  /// The largest number of names that are reserved for absent members.
  private static let most = 256

  package init(now: HostTime) { orderingEnd = now.advanced(bySeconds: Self.orderingTime) }

  /// The number of names in use, including the names that are reserved for absent members.
  package var count: Int { places.count }

  /// Returns a member's displayed name; nil if none is recorded for the member.
  func name(of id: MemberID) -> String? { shown[id] }

  /// Returns the number in a member's displayed name: 2 for "Ada 2", 1 for "Ada", and 0 for an unknown member.
  func number(of id: MemberID) -> Int { shown[id].flatMap { places[$0]?.number } ?? 0 }

  /// Gives a member a displayed name, from the name that the member gives itself.
  ///
  /// - Parameter others: all other present members.
  package mutating func assign(_ identity: SessionIdentity, among others: [SessionIdentity], at now: HostTime)
  {
    if let name = shown[identity.member], let place = places[name] {
      if place.name == identity.name, place.installation == identity.installation { return }
      drop(identity.member)
    }
    guard now < orderingEnd else { return add(identity) }
    let all = (others + [identity]).sorted {
      ($0.started, $0.installation, $0.member) < ($1.started, $1.installation, $1.member)
    }
    for one in all { drop(one.member) }
    for one in all { add(one) }
  }

  private mutating func add(_ identity: SessionIdentity) {
    let own = places.filter {
      $0.value.member == nil && $0.value.name == identity.name
        && $0.value.installation == identity.installation
    }.min { $0.value.number < $1.value.number }
    if let own {
      places[own.key]?.member = identity.member
      shown[identity.member] = own.key
      return
    }
    var (number, name) = (1, identity.name)
    while places[name] != nil {
      number += 1
      name = "\(identity.name) \(number)"
    }
    places[name] = Place(
      name: identity.name, number: number, installation: identity.installation, member: identity.member)
    shown[identity.member] = name
  }

  private mutating func drop(_ id: MemberID) {
    if let name = shown.removeValue(forKey: id) { places[name] = nil }
  }

  /// Reserves the name of a member that has left.
  ///
  /// - Parameter isLost: whether the member vanished without a goodbye.
  package mutating func reserve(_ id: MemberID, at now: HostTime, isLost: Bool = false) {
    guard let name = shown.removeValue(forKey: id) else { return }
    places[name]?.member = nil
    places[name]?.leftAt = now
    places[name]?.last = id
    places[name]?.isLost = isLost
    let away = places.filter { $0.value.member == nil }
    if away.count > Self.most, let first = away.min(by: { $0.value.leftAt < $1.value.leftAt }) {
      places[first.key] = nil
    }
  }

  /// Returns the members that vanished in the last quarter of an hour without a goodbye, and have not come back.
  func vanished(at now: HostTime) -> [UnconfirmedMember] {
    places.filter { $0.value.member == nil && $0.value.isLost }.map { name, place in
      UnconfirmedMember(
        member: place.last, name: name,
        silentFor: Int32(clamping: Int(max(0, now.seconds(since: place.leftAt)))))
    }
  }

  /// Returns the name of a member that has left, while the name is reserved.
  func lastName(of id: MemberID) -> String? {
    places.first { $0.value.member == nil && $0.value.last == id }?.key
  }

  /// Removes the reserved names of members that have been away for more than `memory` seconds.
  package mutating func forget(at now: HostTime) {
    guard places.count > shown.count else { return }
    for (name, place) in places
    where place.member == nil && now.seconds(since: place.leftAt) > Self.memory { places[name] = nil }
  }

  mutating func shift(by nanoseconds: Int64) {
    orderingEnd.shift(by: nanoseconds)
    for place in places.indices { places.values[place].leftAt.shift(by: nanoseconds) }
  }
}
