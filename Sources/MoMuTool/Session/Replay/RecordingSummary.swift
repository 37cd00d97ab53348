import MoConsole
import MoCore
import MoMu
import MoOrchestra
import MoRuntime

/// A summary of a session's tape, collected entry by entry; its memory does not grow with the tape's length.
package struct RecordingSummary {
  private(set) var rooms: [String] = []
  /// The numbers of each member's events, by the member's display name.
  private(set) var players: [String: Counts] = [:]
  /// The first 24 changes of the rhythm, such as a new tempo, a new meter or a stop.
  ///
  /// Each change has a text, and its time in seconds from the tape's start.
  private(set) var rhythms: [(seconds: Double, text: String)] = []
  /// The number of changes of the rhythm after these 24.
  private(set) var furtherRhythms = 0
  /// The number of changes of each shared setting, by the setting's name.
  private(set) var things: [String: Int] = [:]
  /// The number of strikes, notes and melodies for each instrument, by the instrument's name; the empty name stands for
  /// events that name no instrument.
  private(set) var parts: [String: Int] = [:]
  private(set) var gestures = 0
  /// Whether any cell of a shared drum machine was set to a value other than 0.
  private(set) var hasDrums = false
  /// The songs that were selected, in order.
  private(set) var songs: [String] = []
  /// The rehearsal marks that were set, and not removed later.
  private(set) var marks: Set<RehearsalMark> = []
  private(set) var late = 0
  private(set) var entries = 0
  /// The length of the tape in seconds: the time of the last entry, or of the last sound that an entry announces, if
  /// that time is later.
  private(set) var length = 0.0

  /// The display names of the members; each start of a program is a new member.
  private var names: [MemberID: String] = [:]
  private var me = MemberID.nobody
  /// The text of the last change of the rhythm.
  private var lastRhythm = ""

  /// The numbers of a member's events, by kind.
  struct Counts: Equatable {
    var strikes = 0
    var notes = 0
    var melodies = 0
    var changes = 0
    var gestures = 0
    var cells = 0
    var cues = 0
    var texts = 0

    mutating func add(_ play: SessionPlay) {
      switch play {
      case .hit: strikes += 1
      case .note(let note): notes += note.velocity > 0 ? 1 : 0
      case .melody: melodies += 1
      case .change: changes += 1
      case .gesture: gestures += 1
      case .cells(let cells): self.cells += cells.edits.count
      case .cue: cues += 1
      case .text: texts += 1
      }
    }

    /// The numbers above 0 as text, such as `3 hits, 1 note`; `nothing` if all numbers are 0.
    var text: String {
      let parts = [
        (strikes, "hit"), (notes, "note"), (changes, "parameter"), (gestures, "gesture"), (cells, "setting"),
        (cues, "cue"), (texts, "line"),
      ]
      var words = parts.filter { $0.0 > 0 }.map { counted($0.0, $0.1) }
      if melodies > 0 {
        words.insert(melodies == 1 ? "1 melody" : "\(melodies) melodies", at: min(2, words.count))
      }
      return words.isEmpty ? "nothing" : words.joined(separator: ", ")
    }
  }

  /// The largest number of entries in each list or table of names, such as rooms, members and songs.
  private static let most = 256
  /// The largest number of entries in `names`, as in `RecordingPlayer`.
  private static let mostNames = 4096
  /// The largest number of entries in `rhythms`.
  private static let mostRhythms = 24

  /// The display name of the only member whose events enter `parts`, `gestures` and `hasDrums`; nil if the events of
  /// all members enter these properties.
  private var only: String?

  /// Creates a summary of all readable entries of a tape; passes the tape's problems to `warn`.
  ///
  /// - Parameter only: the display name of the only member from whose events `parts`, `gestures` and `hasDrums` are
  ///   computed; nil for all members.
  init(_ tape: SessionTapeReader, only: String? = nil, warn: (String) -> Void) {
    self.only = only
    do throws(SessionTapeError) {
      while let entry = try tape.next() { add(entry) }
    } catch {
      warn("\(error)")
    }
    if let warning = tape.warning { warn(warning) }
    if let first = tape.firstBroken {
      warn("\(counted(tape.broken, "message")) of this tape cannot be understood, such as: \(first)")
    }
  }

  /// Creates an empty summary.
  init(only: String? = nil) { self.only = only }

  /// Adds the next entry of the tape.
  mutating func add(_ entry: SessionTapeEntry) {
    entries += 1
    let seconds = entry.time.seconds(since: .zero)
    length = max(length, seconds)
    switch entry.note {
    case .room(let room):
      if rooms.last != room.name, rooms.count < Self.most { rooms.append(room.name) }
      me = room.member
    case .member(let member):
      if names.count < Self.mostNames { names[member.member] = member.name }
      count(member.member) { _ in }
    case .state(let state): record(state.timeline, at: entry)
    case .heard(let heard):
      if heard.late > 0 { late += 1 }
      if heard.time > entry.time, heard.late == 0 { length = max(length, heard.time.seconds(since: .zero)) }
      // The recorder's own settings are on the tape as sent: these were set before the recording, by any member.
      if case .cells = heard.play, heard.from == me {} else { count(heard.from) { $0.add(heard.play) } }
      if heard.late == 0 { countSound(heard.play, from: heard.from) }
      record(heard.play, from: heard.from)
    case .sent(let sent):
      // An event that the tape also has as received would count twice.
      if !sent.isForMe {
        count(me) { $0.add(sent.play) }
        countSound(sent.play, from: me)
      }
      record(sent.play, from: me)
    case .clock, .activity, .panic, .panicLifted: break
    }
  }

  private mutating func count(_ member: MemberID, _ body: (inout Counts) -> Void) {
    let name = names[member] ?? (member == me ? "the recorder" : member.unlisted)
    guard players[name] != nil || players.count < Self.most else { return }
    body(&players[name, default: Counts()])
  }

  private func isIncluded(_ member: MemberID) -> Bool { only == nil || names[member] == only }

  private mutating func countSound(_ play: SessionPlay, from member: MemberID) {
    guard isIncluded(member) else { return }
    switch play {
    case .gesture(let gesture): gestures += gesture.activity > 0 ? 1 : 0
    case .melody(let melody) where melody.notes.isEmpty: break
    case .note(let note) where note.velocity == 0: break
    case .hit, .note, .melody:
      let name = ReplayPart.instrument(of: play)
      guard parts[name] != nil || parts.count < Self.most else { return }
      parts[name, default: 0] += 1
    case .change, .cells, .cue, .text: break
    }
  }

  private mutating func record(_ play: SessionPlay, from member: MemberID) {
    guard case .cells(let cells) = play else { return }
    if isIncluded(member), SharedDrums.layout(cells.name) != nil,
      cells.edits.contains(where: { $0.cell.value != 0 })
    {
      hasDrums = true
    }
    if let change = SessionCore.songChange(in: cells) {
      if change.isCurrent, songs.last != change.song, songs.count < Self.most { songs.append(change.song) }
      return
    }
    let marks = SessionCore.marks(in: cells)
    for (mark, isSet) in marks where !isSet || self.marks.count < Self.most {
      if isSet { self.marks.insert(mark) } else { self.marks.remove(mark) }
    }
    guard marks.isEmpty, things[cells.name] != nil || things.count < Self.most else { return }
    things[cells.name, default: 0] += cells.edits.count
  }

  private mutating func record(_ timeline: Timeline?, at entry: SessionTapeEntry) {
    guard let timeline else { return }
    let last = timeline.last
    let text = last.isPlaying ? "\(rounded(last.endTempo)) beats per minute in \(last.meter)" : "stops"
    guard text != lastRhythm else { return }
    lastRhythm = text
    if rhythms.count < Self.mostRhythms {
      rhythms.append((entry.time.seconds(since: .zero), text))
    } else {
      furtherRhythms += 1
    }
  }

  /// Returns the summary as lines of text for the user.
  ///
  /// - Parameters:
  ///   - start: the start of the recording in nanoseconds since 1970; 0 if unknown.
  ///   - madeBy: the program that made the tape; nil if unknown.
  func text(path: String, start: Int64, madeBy: String?) -> String {
    var lines = ["\(path): \(Self.duration(length)), \(entries == 1 ? "1 entry" : "\(entries) entries")"]
    if start > 0 { lines[0] += ", begun \(calendarDate(start, "%Y-%m-%d %H:%M UTC"))" }
    if let madeBy { lines[0] += ", made by \(madeBy.printable)" }
    lines.append("  \(rooms.count == 1 ? "room" : "rooms")    \(rooms.joined(separator: ", "))")
    for (name, counts) in players.inNaturalOrder(of: { $0.key }) {
      lines.append("  played  \(name): \(counts.text)")
    }
    for (name, count) in parts.sorted(by: { $0.key < $1.key }) {
      lines.append(
        "  part    \(name.isEmpty ? "no instrument named" : name.printable): \(counted(count, "note"))")
    }
    for (name, count) in things.sorted(by: { $0.key < $1.key }) {
      lines.append("  shared  \(name): \(counted(count, "change"))")
    }
    for song in songs { lines.append("  song    \(song)".printable) }
    for mark in marks.sorted() { lines.append("  mark    \(mark)".printable) }
    for rhythm in rhythms { lines.append("  rhythm  \(Self.duration(rhythm.seconds))  \(rhythm.text)") }
    if furtherRhythms > 0 { lines.append("  rhythm  and \(counted(furtherRhythms, "further change"))") }
    if late > 0 { lines.append("  late    \(late)") }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns a duration in seconds as text such as `0:03.5` or `1:00:00`, rounded down to tenths of a second.
  package static func duration(_ seconds: Double) -> String {
    let tenths = Int(max(0, min(seconds, 1e9)) * 10)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes, rest) = (tenths / 36_000, tenths / 600 % 60, tenths / 10 % 60)
    let tenth = tenths % 10 == 0 ? "" : ".\(tenths % 10)"
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))\(tenth)" : "\(minutes):\(two(rest))\(tenth)"
  }
}
