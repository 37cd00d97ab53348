import MoCore

/// The sections as shared data: a thing per section, with a cell for each pair of assigned and assigning installation.
///
/// All members have all assignments, so that all reach the same result. Only assignments by installations whose rhythm
/// gate is not closed count. So a member with a closed gate cannot undo or overwrite another's assignment.
///
/// This type is a read-only view of the shared data and the agreed state.
struct Sections {
  let store: SharedStore
  let agreement: Agreement
  let room: RoomView

  static let prefix = "section/"

  /// The names of all sections that have members assigned.
  var names: [String] { sections.filter { !places(in: $0).isEmpty }.sorted() }

  /// The names of all sections in the shared data, in no order, also of those without members.
  private var sections: [String] {
    store.things.keys.lazy.filter { $0.hasPrefix(Self.prefix) }.map {
      String($0.dropFirst(Self.prefix.count))
    }
  }

  /// Returns the installations in a section.
  func installations(in name: String) -> [MemberID] {
    let places = places(in: name)
    guard !places.isEmpty else { return [] }
    var known: [UInt64: MemberID] = [:]
    let here = room.members.values.map(\.identity.installation) + [room.installation]
    for id in room.roster.activityTimes.installations + here { known[SectionKey.place(of: id)] = id }
    return places.map { known[$0] ?? MemberID($0) }
  }

  /// Returns the members of a section that are here, sorted by ID, with this member at the end.
  func members(of name: String) throws(SessionRefusal) -> [MemberID] {
    let installations = try check(name)
    var list = room.members.filter {
      !$0.value.isHidden && installations.contains($0.value.identity.installation)
    }.keys.sorted()
    if installations.contains(room.installation) { list.append(room.me) }
    guard !list.isEmpty else { throw .emptySection(name) }
    return list
  }

  /// Returns the installations in a section; throws if there is no such section.
  private func check(_ name: String) throws(SessionRefusal) -> [MemberID] {
    let installations = installations(in: name)
    guard !installations.isEmpty else { throw .unknownSection(name, there: names) }
    return installations
  }

  /// Returns all installations assigned to a section, with the state of each as seen from here, sorted by name.
  ///
  /// Installations that are not here are included.
  func roster(of name: String) throws(SessionRefusal) -> [SectionPlace] {
    let (mine, activityTimes) = (room.installation, room.roster.activityTimes)
    let places = try check(name).map { installation in
      let programs = room.members.values.filter {
        $0.identity.installation == installation && !$0.isHidden && room.isHere($0)
      }
      // Of several programs of an installation, the name of one that plays; always the same one.
      let first = programs.min {
        ($0.plays.isEmpty ? 1 : 0, $0.identity.member) < ($1.plays.isEmpty ? 1 : 0, $1.identity.member)
      }
      return SectionPlace(
        installation: installation,
        name: installation == mine
          ? room.roster.settings.identity.name : first?.identity.name ?? activityTimes.name(of: installation),
        status: installation == mine
          ? .playing
          : first == nil
            ? activityTimes.absence(of: installation) : activityTimes.status(of: installation, at: room.now))
    }
    return places.sorted {
      ($0.name ?? "\u{FFFD}", $0.installation) < ($1.name ?? "\u{FFFD}", $1.installation)
    }
  }

  /// Returns the change that assigns a member to a section or removes the member from it; nil if nothing would change.
  func edit(_ name: String, of id: MemberID, _ isIn: Bool) throws(SessionRefusal) -> SharedEdits? {
    guard name.isPlain(most: 40) else { throw .badSection(name) }
    let place = SectionKey.place(of: try room.roster.installation(id))
    try agreement.mayConduct(room)
    let thing = Self.prefix + name
    let author = room.installation.authorBits
    // If no member that may conduct is here, all may; but an assignment of theirs would not count.
    guard mayLead(author) else { throw .closed(openers: agreement.openers(room)) }
    let valid = validAssignments(in: name)[place]
    guard (valid.map { $0.value != 0 } ?? false) != isIn else { return nil }
    let key = SectionKey.key(place, by: author)
    // Above the valid value, and above this installation's own assignments while its gate was closed.
    let own = store[thing, key]
    var cell = valid ?? own
    if own.wins(over: cell) { cell = own }
    return SharedEdits(thing, [SharedEdit(key: key, cell: cell.changed(to: isIn ? 1 : 0, by: author))])
  }

  // MARK: levels

  /// Returns the section levels after a change; nil if there is no room for another entry.
  ///
  /// - Parameter change: changes the levels, and returns whether there was room.
  func levels(
    of name: String, _ change: (inout SectionLevels) -> Bool
  ) throws(SessionRefusal) -> SectionLevels? {
    var levels = agreement.state.policy.sections
    let hasSpace = change(&levels)
    let names = names
    guard names.contains(name) else { throw .unknownSection(name, there: names) }
    return hasSpace ? levels : nil
  }

  /// Returns an installation's gain, 0…1: the lowest level of its sections; 1 without a section.
  func level(of installation: MemberID) -> Float {
    let levels = agreement.state.policy.sections
    guard !levels.entries.isEmpty else { return 1 }
    // This is asked after each datagram, so the levels come first: few sections have one.
    return sections.reduce(1) { level, name in
      let audible = levels.heard(name)
      return audible < level && contains(installation, in: name) ? audible : level
    }
  }

  /// Returns the muted sections of an installation; if there are any, its members' plays sound on no machine.
  func muted(of installation: MemberID) -> [String] {
    let levels = agreement.state.policy.sections
    guard levels.entries.contains(where: \.isMuted) else { return [] }
    return sections.filter { levels.isMuted($0) && contains(installation, in: $0) }.sorted()
  }

  // MARK: what counts

  /// Returns the changes without forged assignments.
  ///
  /// The key of an assignment must contain the `authorBits` of the installation that made the assignment.
  static func withoutForged(_ edits: SharedEdits) -> SharedEdits {
    guard edits.name.hasPrefix(prefix) else { return edits }
    return SharedEdits(
      edits.name, edits.edits.filter { SectionKey.parts(of: $0.key).author == $0.cell.author })
  }

  private func contains(_ installation: MemberID, in name: String) -> Bool {
    validAssignments(in: name)[SectionKey.place(of: installation)].map { $0.value != 0 } ?? false
  }

  private func places(in name: String) -> [UInt64] {
    validAssignments(in: name).filter { $0.value.value != 0 }.keys.sorted()
  }

  /// Returns the valid assignment of each installation: the last assignment by an installation that may conduct.
  private func validAssignments(in name: String) -> [UInt64: SharedCell] {
    var validAssignments: [UInt64: SharedCell] = [:]
    // Sorted by key, so that all members reach the same result.
    for edit in store.edits(of: Self.prefix + name) {
      let (place, author) = SectionKey.parts(of: edit.key)
      guard mayLead(author) else { continue }
      if let other = validAssignments[place], !edit.cell.wins(over: other) { continue }
      validAssignments[place] = edit.cell
    }
    return validAssignments
  }

  private func mayLead(_ author: UInt16) -> Bool {
    let only = agreement.only
    guard only == .nobody else { return only.authorBits == author }
    return agreement.state.policy.gates.mayConduct(authorBits: author)
  }
}

/// The key of a section's cell.
///
/// The lower 48 bits are the lowest bits of the assigned installation's ID. The upper 16 bits are the `authorBits` of
/// the assigning installation.
enum SectionKey {
  private static let low: UInt64 = 0xFFFF_FFFF_FFFF

  static func place(of installation: MemberID) -> UInt64 { installation.bits & low }

  static func key(_ place: UInt64, by author: UInt16) -> Int64 {
    Int64(bitPattern: UInt64(author) << 48 | place & low)
  }

  static func parts(of key: Int64) -> (place: UInt64, author: UInt16) {
    let bits = UInt64(bitPattern: key)
    return (bits & low, UInt16(truncatingIfNeeded: bits >> 48))
  }
}

extension MemberID {
  /// The lowest 16 bits, which distinguish an installation's assignments from those of others.
  var authorBits: UInt16 { UInt16(truncatingIfNeeded: bits) }
}

extension GateTable {
  /// Returns whether an installation's rhythm gate is above 0; `authorBits` is the lowest 16 bits of the installation's
  /// ID.
  func mayConduct(authorBits: UInt16) -> Bool {
    let stated = entries.filter {
      $0.from != .nobody && $0.from.authorBits == authorBits
        && $0.weights[GateKind.rhythm.rawValue] != Self.unstated
    }
    guard stated.isEmpty else { return stated.contains { $0.weights[GateKind.rhythm.rawValue] > 0 } }
    return weight(.rhythm, from: .nobody) > 0
  }
}
