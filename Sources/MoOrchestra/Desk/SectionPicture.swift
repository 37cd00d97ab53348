import MoMu
import MoSessionCore
import MoTime

/// Sections as they are drawn in a terminal, a line each: how loud, and how everybody in them does.
package enum SectionPicture {
  /// The sections of a room; empty where there are none.
  package static func text(_ core: SessionCore, at now: HostTime) -> String {
    let names = core.sections
    let width = names.map(\.count).max() ?? 0
    return names.map { name in
      let places = (try? core.sectionRoster(name, at: now)) ?? []
      return "  \(name.padded(to: width))  "
        + line(
          level: core.state.policy.sections.level(name), isMuted: core.state.policy.sections.isMuted(name),
          places)
        + "\n"
    }.joined()
  }

  /// What stands behind a section's name: ` 50 %  Ada, Bo silent for 12 s`.
  static func line(level: Float, isMuted: Bool, _ places: [SectionPlace]) -> String {
    let percent = "\(Int((level * 100).rounded()))"
    let loud = isMuted ? "muted" : String(repeating: " ", count: max(0, 3 - percent.count)) + percent + " %"
    return loud + "  " + places.map(words).joined(separator: ", ")
  }

  private static func words(_ place: SectionPlace) -> String {
    // Who was never here since this program runs has no name: a place that somebody left long ago.
    let name = place.name ?? "somebody (\(String(place.installation.description.prefix(4))))"
    switch place.status {
    case .playing: return name
    case .silent(let seconds): return "\(name) silent for \(Int(min(seconds, 1e6))) s"
    case .late: return "\(name) LATE"
    case .lost: return "\(name) LOST"
    }
  }

  /// A cue with the beats until it, while it is to be shown.
  package static func cue(_ cue: PendingCue?, _ beat: BeatClock, at now: HostTime) -> String {
    guard let cue, let left = cue.beatsLeft(on: beat, at: now) else { return "" }
    return left > 0 ? "▶ \(cue.cue), in \(counted(Int(left.rounded(.up)), "beat"))\n" : "▶ \(cue.cue)\n"
  }
}
