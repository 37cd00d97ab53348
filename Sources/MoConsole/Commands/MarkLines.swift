import MoCore
import MoOrchestra

/// The typed commands for songs and rehearsal marks: `song Take Five`, `mark`, `mark 12 Take Five`,
/// `unmark 12 Take Five`, `marks`.
enum MarkLines {
  /// The first words of the commands for songs and rehearsal marks.
  static let words = ["mark", "unmark", "marks", "song"]

  /// Executes a command for songs or rehearsal marks.
  ///
  /// - Parameters:
  ///   - word: the first word of the command, one of `words`.
  ///   - rest: the other words.
  static func execute(_ word: String, _ rest: [String], at now: HostTime) throws {
    let bar = rest.first.flatMap { Int($0) }
    let song = rest.dropFirst().joined(separator: " ")
    switch word {
    case "song":
      let name = rest.joined(separator: " ")
      if !name.isEmpty { try MoSession.setSong(name) }
      MoLog.log(
        .notice,
        MoSession.song.map { "the song is \($0)".printable }
          ?? "no song is selected: song Take Five selects it for all")
    case "marks":
      let lines = MarkPicture.lines(MoSession.marks, columns: 1000).map(\.text)
      MoLog.log(
        .notice,
        lines.isEmpty ? "there are no marks: mark sets one at this bar" : lines.joined(separator: "\n"))
    case "unmark":
      guard let bar, RehearsalMark.bars.contains(bar) else {
        throw SessionLines.LineError.value(word, "a bar and its song, such as unmark 12 Take Five")
      }
      try MoSession.setMark(RehearsalMark(bar: bar, of: song), false)
    default:
      guard rest.isEmpty || bar.map(RehearsalMark.bars.contains) == true else {
        throw SessionLines.LineError.value(
          word, "a bar and a song, or nothing for this bar, such as mark 12 Take Five")
      }
      // Without a song, this bar is a bar of the room's song.
      try mark(bar: bar, of: song.isEmpty && bar == nil ? MoSession.song ?? "" : song, at: now)
    }
  }

  /// Adds a rehearsal mark at a bar of a song, for all members.
  ///
  /// - Parameter bar: the bar's number; nil for the current bar of the room's rhythm.
  /// - Throws: `SessionRefusal.noRhythm` if `bar` is nil and there is no rhythm; the errors of `MoSession.setMark`.
  static func mark(bar: Int?, of song: String, at now: HostTime) throws {
    guard let bar = bar ?? MoSession.beat.position(at: now)?.bar else { throw SessionRefusal.noRhythm }
    // A bar of the count-in lies before bar 1.
    let mark = RehearsalMark(bar: bar, of: song)
    try MoSession.setMark(mark)
    MoLog.log(.notice, "\(mark) is marked for all".printable)
  }
}
