import MoMu
import MoTime

/// The room as it is drawn in a terminal.
package enum SessionPicture {
  /// The room now, a line of the beat and one for every member; empty before one was joined.
  ///
  /// - Parameter most: how many members are shown at most; of others it is said how many they are.
  package static func now(most: Int = .max) -> String {
    let isLocked = MoSession.isLocked
    let cue = SessionServer.shared.cue.withLock { $0 }
    return SessionServer.shared.look { core, now in
      // What was found stands in the room's place for a while.
      if let since = core.sinceCheck(at: now), since < checkShown, let check = RoomCheck(core, at: now) {
        return check.text(isShort: true)
      }
      let clock = core.beatClock
      let sections = SectionPicture.text(core, at: now)
      return text(
        core.roster(at: now), room: core.settings.room, isLocked: isLocked, position: clock.position(at: now),
        tempo: clock.isPlaying(at: now) ? clock.tempo(at: now) : nil, most: most)
        + (core.partBeside.map(beside) ?? "")
        + core.sharedInstallations.prefix(2).map { $0.line(core, at: now) + "\n" }.joined()
        + (sections.isEmpty ? "" : "\n" + sections) + SectionPicture.cue(cue, MoSession.beat, at: now)
    } ?? ""
  }

  /// Seconds for which a check is shown.
  private static let checkShown = 30.0

  private static func beside(_ part: OtherPart) -> String {
    "another part of the room goes on beside this one (\(counted(Int(part.standing.members), "member"))): J follows it\n"
  }

  /// - Parameter tempo: nil where no rhythm runs.
  package static func text(
    _ members: [SessionMember], room: String, isLocked: Bool = false, position: BarPosition?, tempo: Double?,
    most: Int = .max
  ) -> String {
    var lines = [
      "\(isLocked ? "locked room" : "room") \(room), \(counted(members.count, "member"))"
    ]
    if let position, let tempo {
      let lights = (0..<position.meter.beatsPerBar).map { Int(position.beat) == $0 ? "●" : "○" }.joined()
      lines.append(
        "\(lights)  bar \(position.bar)  beat \(Int(position.beat) + 1)  \(rounded(tempo)) bpm  \(position.meter)"
      )
    } else {
      lines.append("no rhythm")
    }
    let width = max(4, members.map(\.displayName.count).max() ?? 4)
    let programs = Set(members.map { "\($0.identity.program) \($0.identity.release)" })
    let plays = members.map(\.plays.count).max() ?? 0
    lines.append("")
    for member in members.prefix(most) {
      var words = ["  \(member.isConductor ? "♪" : " ")", member.displayName.padded(to: width)]
      if plays > 0 {
        words.append(member.plays.padded(to: plays))
        words.append(activity(member.activity))
      }
      words.append(sync(member))
      if member.report.loss > 0.005 { words.append("loss \(rounded(Double(member.report.loss) * 100)) %") }
      if member.missed > 0 { words.append("missed \(member.missed)") }
      if member.isMe { words.append("(here)") }
      if member.isIgnored { words.append("(ignored)") }
      if programs.count > 1 { words.append("\(member.identity.program) \(member.identity.release)") }
      lines.append(words.joined(separator: " "))
    }
    if members.count > most { lines.append("    and \(members.count - most) more") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// How much somebody moves, five columns wide.
  private static func activity(_ level: Float) -> String {
    let filled = Int((5 * max(0, min(level, 1))).rounded(.up))
    return String(repeating: "▮", count: filled) + String(repeating: "▯", count: 5 - filled)
  }

  private static func sync(_ member: SessionMember) -> String {
    if member.isKeeper { return "keeps the clock" }
    guard member.report.boundMilliseconds.isFinite else { return "not yet in time" }
    return "±\(rounded(Double(member.report.symmetricMilliseconds))) ms (surely within "
      + "\(rounded(Double(member.report.boundMilliseconds))) ms)"
  }

  /// A number with two digits that count at least: 0.004, 0.12, 3.5, 120.
  private static func rounded(_ number: Double) -> String {
    guard number.isFinite, abs(number) < 1e9 else { return "?" }
    let digits = abs(number) >= 100 ? 0 : abs(number) >= 1 ? 1 : abs(number) >= 0.1 ? 2 : 3
    let scale = [1, 10, 100, 1000][digits]
    let whole = Int((abs(number) * Double(scale)).rounded())
    let rest = String(whole % scale)
    let sign = number < 0 && whole > 0 ? "-" : ""
    return digits == 0 || whole % scale == 0
      ? "\(sign)\(whole / scale)"
      : "\(sign)\(whole / scale).\(String(repeating: "0", count: digits - rest.count))\(rest)"
  }
}
