import MoTime

/// Sections are shared as drum machines are: a thing each, a cell for each installation.
extension SessionCore {
  /// The names of the sections that somebody was assigned to.
  public var sections: [String] {
    var list: [String] = []
    for (name, cells) in sharing.store.things where name.hasPrefix(Self.sectionPrefix) {
      if cells.values.contains(where: { $0.value != 0 }) {
        list.append(String(name.dropFirst(Self.sectionPrefix.count)))
      }
    }
    return list.sorted()
  }

  /// The installations in a section.
  public func section(_ name: String) -> [MemberID] {
    shared(Self.sectionPrefix + name).filter { $0.cell.value != 0 }
      .map { MemberID(UInt64(bitPattern: $0.key)) }
  }

  /// Assigns a member to a section, or takes it out; it stays there when it starts anew.
  ///
  /// - Throws: `SessionRefusal.unknownMember`, `badSection`, `tooManyCells`.
  public mutating func setSection(
    _ name: String, of id: MemberID, _ isIn: Bool = true, now: HostTime
  ) throws(SessionRefusal) {
    guard name.isPlain(most: 40) else { throw .badSection(name) }
    let key = Int64(bitPattern: try installation(id).bits)
    let thing = Self.sectionPrefix + name
    let author = UInt16(truncatingIfNeeded: settings.identity.installation.bits)
    let cell = sharing.store[thing, key]
    guard (cell.value != 0) != isIn else { return }
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

  private static let sectionPrefix = "section/"
}
