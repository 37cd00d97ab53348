import MoMu
import MoSessionCore

/// A drawing of rehearsal marks for the terminal: a row for each song.
package enum MarkPicture {
  /// Returns lines such as `  marks   Take Five: bars 12, 40 and 3 more`; empty if there are no marks.
  package static func lines(_ marks: [RehearsalMark], columns: Int) -> [ScreenLine] {
    var songs: [(song: String, bars: [Int])] = []
    for mark in marks {
      if songs.last?.song == mark.song {
        songs[songs.count - 1].bars.append(mark.bar)
      } else {
        songs.append((mark.song, [mark.bar]))
      }
    }
    return songs.enumerated().map { index, entry in
      let word = entry.bars.count == 1 ? "bar" : "bars"
      let head = ScreenLine(index == 0 ? "  marks  " : "         ")
      let song =
        entry.song.isEmpty
        ? ScreenLine() : ScreenLine(entry.song).cut(to: max(4, columns / 3)) + ScreenLine(": ")
      return head + song + bars(entry.bars, word, columns: columns - head.width - song.width)
    }
  }

  private static func bars(_ bars: [Int], _ word: String, columns: Int) -> ScreenLine {
    var text = word
    for (index, bar) in bars.enumerated() {
      let next = text + (index == 0 ? " " : ", ") + "\(bar)"
      let left = bars.count - index
      let more = left > 1 ? " and \(left - 1) more" : ""
      guard (next + more).count <= columns || index == 0 else {
        return ScreenLine(text + " and \(left) more")
      }
      text = next
    }
    return ScreenLine(text)
  }

  /// Returns the notice that a member has set or removed a mark, such as `Ada marks bar 12 of Take Five`.
  package static func told(_ mark: RehearsalMark, isSet: Bool, by name: String) -> String {
    "\(name) \(isSet ? "marks" : "removes the mark at") \(mark)".printable
  }
}
