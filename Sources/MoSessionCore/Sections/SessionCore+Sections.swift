import MoCore

/// Sections are shared as drum machines are: a thing each, a cell for each installation and each who assigned it.
///
/// Everybody has what anybody said, so that all come to the same; what counts of it is what those said whose rhythm gate
/// is not closed. So nobody whom the gates stop can take back what somebody else has set, nor write over it.
extension SessionCore {
  /// The names of the sections that somebody was assigned to.
  package var sections: [String] {
    let names = sharing.store.things.keys.filter { $0.hasPrefix(Self.sectionPrefix) }
      .map { String($0.dropFirst(Self.sectionPrefix.count)) }
    return names.filter { !places(inSection: $0).isEmpty }.sorted()
  }

  /// The installations in a section.
  package func section(_ name: String) -> [MemberID] {
    let places = places(inSection: name)
    guard !places.isEmpty else { return [] }
    var known: [UInt64: MemberID] = [:]
    let here = members.values.map(\.identity.installation) + [settings.identity.installation]
    for id in watchOfSections.installations + here { known[SectionKey.place(of: id)] = id }
    return places.map { known[$0] ?? MemberID($0) }
  }

  /// Assigns a member to a section, or takes it out; it stays there when it starts anew.
  ///
  /// Who may conduct may: see `setGates`.
  ///
  /// - Throws: `SessionRefusal.unknownMember`, `badSection`, `tooManyCells`, `conducted`, `reserved`, `closed`.
  package mutating func setSection(
    _ name: String, of id: MemberID, _ isIn: Bool = true, now: HostTime
  ) throws(SessionRefusal) {
    guard name.isPlain(most: 40) else { throw .badSection(name) }
    let place = SectionKey.place(of: try installation(id))
    try mayConduct(at: now)
    let thing = Self.sectionPrefix + name
    let author = settings.identity.installation.mark
    // Where nobody is here who may, all may conduct; but this would not count.
    guard mayLeadSections(author) else { throw .closed(openers: openers(at: now)) }
    let standing = standing(inSection: name)[place]
    guard (standing.map { $0.value != 0 } ?? false) != isIn else { return }
    let key = SectionKey.key(place, by: author)
    // Above what holds, and above what one has said oneself while one's gate was closed.
    let own = sharing.store[thing, key]
    var cell = standing ?? own
    if own.wins(over: cell) { cell = own }
    try share(
      SharedEdits(thing, [SharedEdit(key: key, cell: cell.changed(to: isIn ? 1 : 0, by: author))]), now: now)
  }

  /// Who of a section is here, in line.
  func members(ofSection name: String) throws(SessionRefusal) -> [MemberID] {
    let installations = section(name)
    guard !installations.isEmpty else { throw .unknownSection(name, there: sections) }
    var list = members.filter { !$0.value.isHidden && installations.contains($0.value.identity.installation) }
      .keys.sorted()
    if installations.contains(settings.identity.installation) { list.append(me) }
    guard !list.isEmpty else { throw .emptySection(name) }
    return list
  }

  /// What can be believed of changes: who says something of a section says it under his own mark, and nobody else's.
  func believable(_ edits: SharedEdits) -> SharedEdits {
    guard edits.name.hasPrefix(Self.sectionPrefix) else { return edits }
    return SharedEdits(
      edits.name, edits.edits.filter { SectionKey.parts(of: $0.key).author == $0.cell.author })
  }

  private func places(inSection name: String) -> [UInt64] {
    standing(inSection: name).filter { $0.value.value != 0 }.keys.sorted()
  }

  /// What holds of each installation that was ever in a section: the last that somebody said who may.
  private func standing(inSection name: String) -> [UInt64: SharedCell] {
    var standing: [UInt64: SharedCell] = [:]
    // By their keys, so that all come to the same.
    for edit in shared(Self.sectionPrefix + name) {
      let (place, author) = SectionKey.parts(of: edit.key)
      guard mayLeadSections(author) else { continue }
      if let other = standing[place], !edit.cell.wins(over: other) { continue }
      standing[place] = edit.cell
    }
    return standing
  }

  private func mayLeadSections(_ author: UInt16) -> Bool {
    guard only == .nobody else { return only.mark == author }
    return state.policy.gates.mayConduct(mark: author)
  }

  private static let sectionPrefix = "section/"
}

/// A section's key: who is assigned, the lowest 48 bits of an installation, and above them who says it.
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
  /// What tells an installation's changes from those of others.
  var mark: UInt16 { UInt16(truncatingIfNeeded: bits) }
}

extension GateTable {
  /// Whether the rhythm gate of an installation with such a mark is not closed.
  func mayConduct(mark: UInt16) -> Bool {
    let stated = entries.filter {
      $0.from != .nobody && $0.from.mark == mark && $0.weights[GateKind.rhythm.rawValue] != Self.unstated
    }
    guard stated.isEmpty else { return stated.contains { $0.weights[GateKind.rhythm.rawValue] > 0 } }
    return weight(.rhythm, from: .nobody) > 0
  }
}
