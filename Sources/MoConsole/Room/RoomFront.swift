import MoCore
import MoInstruments
import MoOrchestra

/// The console that `RoomConsole` opens.
///
/// - Thread: keys come one at a time, on the `mo-input` thread, which reads the terminal.
package final class RoomFront: Console {
  /// The page that the console shows: the room's members, the help for the keys, or the stage view.
  private enum Page { case room, keys, stage }

  /// The keys that the console passes to its `ConductorConsole`.
  ///
  /// Enter is not among these keys: `startsSong` and `RoomKeys` handle Enter.
  private static let conducting = Set("+=-_m!JC123456789")

  private let session = ConductorConsole()
  let prompt = CommandPrompt(": ")
  private let help: @Sendable () -> String
  private let lines: @Sendable () -> String
  private let execute: @Sendable (Character, HostTime) throws -> Void
  private let page: Locked<Page>
  private let songState: Locked<SongState>

  /// The songs and the tapped tempo of a rehearsal.
  private struct SongState: Sendable {
    var songs: SongList?
    /// The name of the room's song at the last picture or key; nil for none.
    var song: String?
    var taps = TapTempo()
  }

  /// Creates the console of a program.
  ///
  /// - Parameter isStage: whether the console shows the stage view first.
  init(
    _ help: @escaping @Sendable () -> String, _ songs: SongList? = nil, isStage: Bool = false,
    _ lines: @escaping @Sendable () -> String,
    _ execute: @escaping @Sendable (Character, HostTime) throws -> Void
  ) {
    (self.help, self.lines, self.execute) = (help, lines, execute)
    page = Locked(isStage ? .stage : .room)
    songState = Locked(SongState(songs: songs))
  }

  private var keys: [ConsoleKey] {
    Self.keys(KeyHelp(help()), hasSongs: songState.withLock { $0.songs != nil })
  }

  /// Returns all keys, the most important first.
  ///
  /// - Parameters:
  ///   - own: the program's keys.
  ///   - hasSongs: whether the program has a list of songs.
  private static func keys(_ own: KeyHelp, hasSongs: Bool) -> [ConsoleKey] {
    let first: [ConsoleKey] = [ConsoleKey("Enter", "start/stop", .start), ConsoleKey("!", "silence")]
    let rest: [ConsoleKey] = [
      ConsoleKey("+ -", "tempo", .rhythm), ConsoleKey("b", "take or ask for the baton", .baton),
      ConsoleKey("B", "hand it over", .holder), ConsoleKey(CommandPrompt.talkHelp, .talk),
      ConsoleKey(CommandPrompt.commandHelp), ConsoleKey("v", "stage view"),
      ConsoleKey("1…9", "mute a section", .lead), ConsoleKey("m", "meter", .rhythm),
      ConsoleKey("Q", "cue", .lead), ConsoleKey("A", "assign to a section", .lead),
      ConsoleKey("L", "level of a section", .lead), ConsoleKey("S", "solo of a section", .lead),
      ConsoleKey("G", "gates", .lead), ConsoleKey("T", "tap the tempo", .rhythm),
      ConsoleKey("n N", "next song, the one before", .song), ConsoleKey("M", "rehearsal mark", .playing),
      ConsoleKey("C", "check"),
      ConsoleKey("J", "follow the other part", .join), ConsoleKey("Ctrl-C", "leaves"),
    ]
    return first + own.items.map { ConsoleKey($0) } + rest.filter { hasSongs || $0.right != .song }
  }

  /// Returns the help for the keys that the room accepts from this member now.
  ///
  /// - Parameters:
  ///   - own: the program's keys.
  ///   - hasSongs: whether the program has a list of songs.
  package static func help(_ own: KeyHelp, hasSongs: Bool = true, _ facts: RoomFacts) -> KeyHelp {
    ConsoleKey.help(keys(own, hasSongs: hasSongs), facts)
  }

  /// Returns the facts of the room for the stage view.
  ///
  /// If this member has no instrument, the facts have the program's own line, if it begins with `you`.
  private func stageFacts() -> RoomFacts {
    var facts = RoomFacts.now() ?? RoomFacts()
    // The program's lines may have styles; the remark has none.
    let line = ScreenLine.lines(lines()).first?.text ?? ""
    if facts.instrument.isEmpty, line.hasPrefix("you ") { facts.remark = line }
    return facts
  }

  /// The keys that open the prompt, each with the beginning of a command; `B` opens the prompt with the text `give `.
  private static let commands: [Character: String] = [
    "B": "give ", "Q": "cue ", "A": "section ", "L": "level ", "S": "solo ", "G": "gates ",
  ]

  package func picture(at now: HostTime, columns: Int) -> [ScreenBlock] {
    followRoom()
    let page = page.withLock { $0 }
    if page == .stage {
      return StagePicture.blocks(stageFacts(), columns: columns, leavesBy: "v")
        + [prompt.block(columns: columns)].compactMap(\.self)
    }
    let facts = RoomFacts.now()
    let room = SessionPicture.now(facts, columns: columns)
    let song = songState.withLock { $0.songs?.text ?? $0.song.map { "song: \($0)".printable } }
    let own = ([song].compactMap { $0.map { ScreenLine($0) } } + ScreenLine.lines(lines())).flatMap {
      $0.wrapped(to: columns)
    }
    var blocks =
      page == .keys
      ? Array(room.prefix(1)) + [.blank, KeyHelp(keys.map(\.item)).page(columns: columns)] : room
    blocks += [.blank, ScreenBlock(own, priority: ScreenBlock.Priority.own)]
    return blocks + [
      prompt.block(columns: columns) ?? ConsoleKey.help(keys, facts ?? RoomFacts()).block(columns: columns)
    ]
  }

  package func handleKey(_ key: TerminalKey, at now: HostTime) {
    // Keys come also if no picture is drawn.
    followRoom()
    guard !startsSong(key), !RoomKeys.handleKey(key, at: now), case .character(let letter) = key
    else { return }
    if handleMusicKey(letter, at: now) {
      return
    } else if let text = Self.commands[letter] {
      // The member that asked for the baton probably gets it.
      prompt.open(letter == "B" ? text + (RoomPrinter.asker.map { "\"\($0)\"" } ?? "") : text)
    } else if letter == "?" {
      page.withLock { $0 = $0 == .keys ? .room : .keys }
    } else if letter == "v" || key == StagePicture.key {
      page.withLock { $0 = $0 == .stage ? .room : .stage }
    } else if Self.conducting.contains(letter) {
      session.handleKey(key, at: now)
    } else {
      type(letter, at: now)
    }
  }

  /// Selects the room's song in this program's list of songs, if the room's song has changed.
  private func followRoom() {
    let song = MoSession.song
    songState.withLock {
      guard $0.song != song else { return }
      $0.song = song
      if let song { $0.songs?.select(song) }
    }
  }

  /// Starts a rhythm with the selected song's tempo and meter if the key is Enter and no rhythm runs.
  ///
  /// - Returns: whether the key was Enter, no rhythm ran and a song was selected.
  private func startsSong(_ key: TerminalKey) -> Bool {
    guard key == .character("\n") || key == .character("\r"), !MoSession.announced.isPlaying,
      let song = songState.withLock({ $0.songs?.current })
    else { return false }
    attempt {
      try MoSession.startRhythm(tempo: song.tempo, meter: song.meter)
      try MoSession.setSong(song.name)
    }
    return true
  }

  /// Executes a key for the baton, a tapped tempo, a song or a mark; returns false for any other key.
  private func handleMusicKey(_ letter: Character, at now: HostTime) -> Bool {
    switch letter {
    case "b":
      attempt {
        if MoSession.members.contains(where: { $0.isMe && $0.isConductor }) {
          MoLog.log(.notice, "you conduct: B hands the baton over")
        } else {
          try RhythmTransport.takeOrAskForBaton()
        }
      }
    case "T":
      if let tempo = songState.withLock({ $0.taps.tap(at: now) }) {
        attempt { try MoSession.setTempo(Tempo(tempo)) }
      }
    case "n", "N":
      guard var songs = songState.withLock({ $0.songs }) else { return false }
      songs.move(by: letter == "n" ? 1 : -1)
      attempt {
        // If the room refuses the tempo, the song stays as it is.
        if MoSession.announced.isPlaying, let song = songs.current {
          try MoSession.setTempo(song.tempo, at: .bar)
          try MoSession.setMeter(song.meter)
        }
        songState.withLock { [songs] in $0.songs = songs }
        if let song = songs.current { try MoSession.setSong(song.name) }
      }
    case "M":
      let song = songState.withLock { $0.songs?.current?.name } ?? MoSession.song
      attempt { try MarkLines.mark(bar: nil, of: song ?? "", at: now) }
    default: return false
    }
    return true
  }

  private func attempt(_ body: () throws -> Void) {
    do { try body() } catch { MoLog.log(.notice, "\(error)") }
  }

  func type(_ letter: Character, at now: HostTime) {
    do { try execute(letter, now) } catch { MoLog.log(.notice, "\(error)") }
  }
}

/// An event source that types the keys of a tune, a key each half second, while the room has no other member.
///
/// `RoomConsole` adds this source only if there is no terminal, or if the program runs offline.
final class DemoPlayer: EventTimer {
  let name = "demo player"
  private(set) var nextTime: HostTime?
  private let console: RoomFront
  private let tune: [Character]
  private var place = 0

  private static let pause = 0.5

  init(_ console: RoomFront, _ tune: String, from now: HostTime) {
    (self.console, self.tune) = (console, Array(tune))
    nextTime = now.advanced(bySeconds: Self.pause)
  }

  func service(until now: HostTime) {
    guard let time = nextTime, time <= now else { return }
    nextTime = time.advanced(bySeconds: Self.pause)
    guard MoSession.members.count < 2 else { return }
    console.type(tune[place % tune.count], at: time)
    place += 1
  }
}

/// The tempo that a player taps: the mean over the last two to five taps.
package struct TapTempo: Sendable {
  private var taps: [HostTime] = []

  package init() {}

  /// The largest number of taps from which the tempo is computed; older taps are dropped.
  private static let most = 5
  /// The longest time between two taps of a series, in seconds: a beat at the slowest tempo, 20 beats per minute.
  ///
  /// A tap after a longer time starts a new series.
  private static let longest = 3.0

  /// Adds a tap; returns the tempo in whole beats per minute.
  ///
  /// The result is nil for the first tap of a series, and for a tempo outside 20 … 999.
  package mutating func tap(at now: HostTime) -> Double? {
    if let last = taps.last, now.seconds(since: last) > Self.longest { taps = [] }
    taps = (taps + [now]).suffix(Self.most)
    guard let first = taps.first, taps.count > 1 else { return nil }
    let tempo = 60 * Double(taps.count - 1) / now.seconds(since: first)
    return Tempo.range.contains(tempo) ? tempo.rounded() : nil
  }
}
