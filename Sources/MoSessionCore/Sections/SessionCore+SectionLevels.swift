import MoCore

extension SessionCore {
  /// Sets how loud a section is, 0…1, for all who are in it, now or later.
  ///
  /// Who may conduct may: see `setGates`.
  ///
  /// - Throws: `SessionRefusal.unknownSection`, `conducted`, `reserved`, `closed`, `tooManySections`, `arriving`.
  package mutating func setLevel(
    _ level: Float, ofSection section: String, now: HostTime
  ) throws(SessionRefusal) {
    var sections = state.policy.sections
    let hasRoom = sections.set(level, of: section)
    try set(sections, of: section, hasRoom: hasRoom, now: now)
  }

  /// Silences a section, or lets it be heard.
  ///
  /// - Throws: as `setLevel`.
  package mutating func setMuted(
    _ isMuted: Bool, section: String, now: HostTime
  ) throws(SessionRefusal) {
    var sections = state.policy.sections
    let hasRoom = sections.setMuted(isMuted, section)
    try set(sections, of: section, hasRoom: hasRoom, now: now)
  }

  private mutating func set(
    _ levels: SectionLevels, of section: String, hasRoom: Bool, now: HostTime
  ) throws(SessionRefusal) {
    guard sections.contains(section) else { throw .unknownSection(section, there: sections) }
    guard hasRoom, state.policy.gates.fits(besideSections: levels.entries.count) else {
      throw .tooManySections
    }
    try mayConduct(at: now)
    guard levels != state.policy.sections else { return }
    try agree(at: now) { $0.policy.sections = levels }
  }

  /// How loud all is to be that is played here, 0…1, by the sections that one is in: as the quietest of them; 1 in none.
  package var sectionLevel: Float {
    guard !state.policy.sections.entries.isEmpty else { return 1 }
    let mine = settings.identity.installation
    return sections.reduce(1) { level, name in
      section(name).contains(mine) ? min(level, state.policy.sections.heard(name)) : level
    }
  }

  /// The muted sections that this member is in.
  package var mutedSections: [String] { mutedSections(of: settings.identity.installation) }

  /// Whether a section that an installation is in is muted: what its members play sounds on no machine.
  func isMuted(_ installation: MemberID) -> Bool { !mutedSections(of: installation).isEmpty }

  private func mutedSections(of installation: MemberID) -> [String] {
    let levels = state.policy.sections
    guard levels.entries.contains(where: \.isMuted) else { return [] }
    return sections.filter { levels.isMuted($0) && section($0).contains(installation) }
  }

  /// Notes that one's own sections are to be louder or softer.
  mutating func lookForLevel() {
    let level = sectionLevel
    guard level != lastLevel else { return }
    lastLevel = level
    events.append(.level(level))
  }
}
