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

  /// A sign of who leads, as long as it is news: until two seconds after its moment.
  static func cue(_ heard: SessionHeard?, _ beat: BeatClock, at now: HostTime) -> String {
    guard let heard, case .cue(let cue) = heard.play, now.seconds(since: heard.time) < 2 else { return "" }
    guard let target = heard.beat, now < heard.time, let here = beat.beat(at: now), beat.isPlaying(at: now)
    else {
      return "▶ \(cue)\n"
    }
    let left = max(0, Int((target - here).rounded(.up)))
    return "▶ \(cue), in \(counted(left, "beat"))\n"
  }
}
