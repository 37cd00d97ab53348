import MoMu
import MoOrchestra
import MoTime

/// The room as it is drawn in a terminal.
enum SessionPicture {
  /// The room now, drawn over what was drawn before.
  static func now() -> String {
    guard let (members, beat, position, tempo, isPlaying, room) = look() else { return "" }
    return "\u{1B}[H\u{1B}[J"
      + text(
        members, room: room, beat: beat, position: position, tempo: tempo, isPlaying: isPlaying)
  }

  private static func look() -> ([SessionMember], Double?, BarPosition?, Double?, Bool, String)? {
    SessionServer.shared.look { core, now in
      let clock = core.beatClock
      return (
        core.roster(at: now), clock.beat(at: now), clock.position(at: now), clock.tempo(at: now),
        clock.isPlaying(at: now), core.settings.room
      )
    }
  }

  /// A line of the beat, and one for every member.
  static func text(
    _ members: [SessionMember], room: String, beat: Double?, position: BarPosition?, tempo: Double?,
    isPlaying: Bool
  ) -> String {
    var lines = ["room \(room), \(members.count) \(members.count == 1 ? "member" : "members")"]
    if let position, let tempo, isPlaying {
      let lights = (0..<position.meter.beatsPerBar).map { Int(position.beat) == $0 ? "●" : "○" }.joined()
      lines.append(
        "\(lights)  bar \(position.bar)  beat \(Int(position.beat) + 1)  \(rounded(tempo)) bpm  \(position.meter)"
      )
    } else {
      lines.append("no rhythm: type start to begin one")
    }
    let width = max(4, members.map(\.displayName.count).max() ?? 4)
    let programs = Set(members.map { "\($0.identity.program) \($0.identity.release)" })
    lines.append("")
    for member in members {
      let name = member.displayName + String(repeating: " ", count: width - member.displayName.count)
      var words = ["  \(member.isConductor ? "♪" : " ")", name, sync(member)]
      if member.report.loss > 0.005 { words.append("loss \(rounded(Double(member.report.loss) * 100)) %") }
      if member.isMe { words.append("(here)") }
      if member.isIgnored { words.append("(ignored)") }
      if programs.count > 1 { words.append("\(member.identity.program) \(member.identity.release)") }
      lines.append(words.joined(separator: " "))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func sync(_ member: SessionMember) -> String {
    if member.isKeeper { return "keeps the clock" }
    guard member.report.boundMilliseconds.isFinite else { return "not yet in time" }
    return "±\(rounded(Double(member.report.symmetricMilliseconds))) ms (surely within "
      + "\(rounded(Double(member.report.boundMilliseconds))) ms)"
  }
}
