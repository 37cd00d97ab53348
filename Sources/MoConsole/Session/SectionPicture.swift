import MoCore
import MoMu
import MoSessionCore

/// A drawing of sections for the terminal: each row has a section's number, name, level and members' states.
package enum SectionPicture {
  /// Returns the row of each section of the room; empty if the room has no sections.
  package static func lines(_ core: SessionCore, at now: HostTime, columns: Int) -> [ScreenLine] {
    let (names, levels) = (core.sections, core.state.policy.sections)
    let width = min(names.map { TerminalSize.width($0) }.max() ?? 0, max(4, columns / 3))
    return names.enumerated().map { index, name in
      let places = (try? core.sectionRoster(name, at: now)) ?? []
      // The key of this digit mutes it: see `ConductorConsole`.
      let head =
        ScreenLine(index < 9 ? "  \(index + 1) " : "    ") + ScreenLine(name).cut(to: width).padded(to: width)
      return head + ScreenLine("  ")
        + line(
          level: levels.level(name), isMuted: levels.isMuted(name), places, columns: columns - head.width - 2)
    }
  }

  /// Returns the text after a section's name, such as ` 50 %  Cyd LOST, Ada, Bo silent for 12 s and 2 more`.
  ///
  /// The text has the section's level, then its members. Lost and late members come first, since the last names may not
  /// fit.
  static func line(level: Float, isMuted: Bool, _ places: [SectionPlace], columns: Int) -> ScreenLine {
    let percent = "\(Int((level * 100).rounded()))"
    let loud = String(repeating: " ", count: max(0, 3 - percent.count)) + percent + " %"
    var line = isMuted ? ScreenLine("muted", .bold) : ScreenLine(loud)
    let faults: [SectionStatus] = [.lost, .late]
    let ordered =
      faults.flatMap { fault in places.filter { $0.status == fault } }
      + places.filter { !faults.contains($0.status) }
    for (index, place) in ordered.enumerated() {
      let left = places.count - index
      let word = ScreenLine(index == 0 ? "  " : ", ") + words(place)
      let more = " and \(left - 1) more"
      guard line.width + word.width + (left > 1 ? more.count : 0) <= columns else {
        line += ScreenLine(index == 0 ? "  \(counted(left, "member"))" : " and \(left) more", .faint)
        break
      }
      line += word
    }
    return line
  }

  private static func words(_ place: SectionPlace) -> ScreenLine {
    // A member that has not been here since this program started has no name.
    let name = ScreenLine(place.name ?? "unknown (\(String(place.installation.description.prefix(4))))")
    switch place.status {
    case .playing: return name
    case .silent(let seconds):
      return name + ScreenLine(" silent for \(Int(min(seconds, 1e6))) s", .faint)
    case .late: return name + ScreenLine(" LATE", [.bold, .yellow])
    case .lost: return name + ScreenLine(" LOST", [.bold, .red])
    }
  }
}
