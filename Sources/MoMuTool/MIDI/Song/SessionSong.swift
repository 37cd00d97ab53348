import MIDICore
import MoCore
import MoOrchestra

/// A session's tape as a MIDI file: its rhythm as tempo map and meter, and a track for each player.
///
/// | on the tape | in the file |
/// |---|---|
/// | rhythm | tempo and time signature; a gradual change of the tempo is divided into eighths of a beat |
/// | note, melody | notes on the player's channel |
/// | strike | a note of General MIDI's percussion map on channel 10 |
/// | parameter | text such as `set brightness 0.8` |
/// | rehearsal mark, cue | marker |
/// | typed line | text |
package struct SessionSong {
  /// The MIDI file: the rhythm in the first track, then a track for each player.
  package private(set) var file: MIDIFile
  /// The kinds of events that a MIDI file cannot hold, each with its count, such as `12 movements`.
  private(set) var leftOut: [String]
  /// The number of notes in the file, strikes included.
  package private(set) var notes = 0

  /// The MIDI key for a strike without a drum number: the snare drum of General MIDI.
  static let strikeKey = 38
  /// The length of a beat while no rhythm runs, in seconds: 120 beats per minute, as in a session without a rhythm.
  private static let freeBeat = 0.5
  /// The longest delay with which a late strike or note still sounds, in seconds; in a session the limit is the same.
  private static let mostLate = 0.1

  /// - Parameter entries: all entries of the tape, in order.
  package init(_ entries: [SessionTapeEntry]) {
    var clock = SongClock()
    var segments = SongSegments()
    for entry in entries {
      switch entry.note {
      case .clock(let line): clock.follow(line, at: entry.time.nanoseconds)
      case .state(let state):
        if clock.hasStarted {
          segments.add(
            state.timeline, from: clock.time(at: entry.time.nanoseconds), shiftedBy: clock.shift)
        }
      default: break
      }
    }
    let rhythm = SongRhythm(segments.pieces, start: clock.time(at: 0))
    var writer = SongWriter(clock: clock, rhythm: rhythm)
    for entry in entries { writer.write(entry) }
    (file, leftOut, notes) = (writer.file, writer.leftOut, writer.notes)
  }

  /// The segments of the rhythm on a tape, each with the time from which it applies.
  private struct SongSegments {
    private(set) var pieces: [(from: SessionTime, segment: BeatSegment)] = []

    /// Adds the segments of `timeline`, which a member announced at `now`; without effect if `timeline` is nil.
    ///
    /// The added segments replace all stored segments that apply from `now` or from a later time.
    ///
    /// - Parameter shift: the nanoseconds to add to the start of each segment; not 0 if the tape has changed to another
    ///   clock.
    mutating func add(_ timeline: Timeline?, from now: SessionTime, shiftedBy shift: Int64) {
      guard let timeline else { return }
      let segments = [timeline.current, timeline.next, timeline.later].compactMap { $0 }.map { segment in
        var segment = segment
        segment.start = SessionTime(nanoseconds: segment.start.nanoseconds &+ shift)
        return segment
      }
      pieces.removeAll { $0.from >= now }
      for (index, segment) in segments.enumerated() {
        // A later segment is in force already.
        if index + 1 < segments.count, segments[index + 1].start <= now { continue }
        if pieces.last?.segment != segment { pieces.append((max(segment.start, now), segment)) }
      }
    }
  }

  /// Converts the entries of a tape to the tracks of a MIDI file.
  private struct SongWriter {
    let clock: SongClock
    let rhythm: SongRhythm
    var parts: [SongPart] = []
    var places: [String: Int] = [:]
    var names: [MemberID: String] = [:]
    var me = MemberID.nobody
    var room = ""
    var marks: [MIDIFileEvent] = []
    var movements = 0
    var cells = 0
    var notes = 0
    var end = 0

    private static let channels: [MIDIChannel] = (0..<16).filter { $0 != 9 }.map {
      MIDIChannel(lowBitsOf: UInt8($0))
    }
    private static let most = 4096

    var leftOut: [String] {
      (movements > 0 ? [counted(movements, "movement")] : [])
        + (cells > 0 ? [counted(cells, "setting") + " of shared drums"] : [])
    }

    mutating func write(_ entry: SessionTapeEntry) {
      let now = clock.time(at: entry.time.nanoseconds)
      let tick = rhythm.tick(at: now)
      end = max(end, tick)
      switch entry.note {
      case .room(let room):
        me = room.member
        if self.room.isEmpty { self.room = room.name }
        for place in parts.indices { parts[place].releaseAll(at: tick) }
      case .member(let member):
        if names.count < Self.most { names[member.member] = member.name }
        if !member.isHere || member.level == 0, let place = places[member.name] {
          parts[place].releaseAll(at: tick)
        }
      case .heard(let heard): write(heard, entry)
      case .sent(let sent):
        // An event that is also for the sender is on the tape as received, too.
        guard !sent.isForMe else { return }
        write(
          SessionHeard(from: me, play: sent.play, time: sent.time, beat: sent.beat, late: 0, weight: 1),
          entry)
      case .panic: for place in parts.indices { parts[place].releaseAll(at: tick) }
      case .clock, .state, .activity, .panicLifted: break
      }
    }

    private mutating func write(_ heard: SessionHeard, _ entry: SessionTapeEntry) {
      // What is late sounds when it arrives, and what is very late does not sound.
      let missed = entry.time.seconds(since: heard.time)
      let isLost = heard.late > 0 && (!heard.late.isFinite || missed > SessionSong.mostLate)
      let time = clock.time(at: max(heard.time, heard.late > 0 ? entry.time : heard.time).nanoseconds)
      let tick = rhythm.tick(at: time)
      /// Returns the tick that is `beats` beats after the note or strike; without a rhythm, a beat lasts `freeBeat`.
      func later(_ beats: Double) -> Int {
        guard heard.beat != nil, let ticks = rhythm.ticksPerBeat(at: time) else {
          return rhythm.tick(at: time.advanced(bySeconds: beats * SessionSong.freeBeat))
        }
        return tick + Int((beats * ticks).rounded())
      }
      switch heard.play {
      case .note(let note) where note.velocity == 0:
        let place = part(of: heard.from)
        parts[place].release(Int(note.pitch.rounded()), at: tick)
      case .note(let note):
        guard !isLost else { return }
        let place = part(of: heard.from)
        parts[place].plays(note.instrument, at: tick)
        add(place, note.pitch, note.velocity, tick, note.length > 0 ? later(Double(note.length)) : nil)
      case .hit(let strike):
        guard !isLost, strike.force > 0 else { return }
        let place = part(of: heard.from)
        parts[place].plays(strike.instrument, at: tick)
        let key = strike.drum > 0 ? Int(strike.drum) : SessionSong.strikeKey
        parts[place].add(key, force: strike.force, on: SongPart.drums, at: tick, until: later(0.5))
        notes += 1
      case .melody(let melody):
        let place = part(of: heard.from)
        for note in melody.notes where note.velocity > 0 {
          add(
            place, note.pitch, note.velocity, later(Double(note.beat)), later(Double(note.beat + note.length))
          )
        }
      case .change(let change):
        let place = part(of: heard.from)
        parts[place].plays(change.instrument, at: tick)
        parts[place].add(0x01, "set \(change.name) \(change.value)", at: tick)
      case .text(let text):
        let place = part(of: heard.from)
        parts[place].add(0x01, text.words, at: tick)
      case .cue(let cue): mark(cue.description, at: tick)
      case .gesture: movements += 1
      case .cells(let edits):
        let marks = SessionCore.marks(in: edits)
        if marks.isEmpty { cells += edits.edits.count }
        for (rehearsal, isSet) in marks where isSet {
          mark(rehearsal.description, at: rhythm.tick(ofBar: rehearsal.bar) ?? tick)
        }
      }
    }

    private mutating func add(_ place: Int, _ pitch: Float, _ force: Float, _ tick: Int, _ end: Int?) {
      parts[place].add(
        Int(pitch.rounded()), force: force, on: parts[place].channel, at: tick, until: end)
      notes += 1
    }

    private mutating func mark(_ text: String, at tick: Int) {
      let event = MIDIFileEvent(tick, .meta(0x06, Array(text.utf8)))
      if !marks.contains(event) { marks.append(event) }
    }

    /// Returns the index of a member's track in `parts`; the member's first event creates the track.
    private mutating func part(of member: MemberID) -> Int {
      let name = names[member] ?? (member == me ? "who recorded" : member.unlisted)
      if let place = places[name] { return place }
      guard parts.count < 1024 else { return parts.count - 1 }
      places[name] = parts.count
      parts.append(SongPart(name, channel: Self.channels[parts.count % Self.channels.count]))
      return parts.count - 1
    }

    /// The file, with the rhythm as its first track.
    var file: MIDIFile {
      let end = max(end, parts.lazy.map(\.end).max() ?? 0, marks.lazy.map(\.tick).max() ?? 0)
      let leading = (rhythm.events.filter { $0.tick <= end } + marks).enumerated().sorted {
        ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset)
      }
      let first = MIDITrack(
        [MIDIFileEvent(0, .meta(0x03, Array(room.utf8)))] + leading.map(\.element), end: end)
      return MIDIFile(
        format: .together, division: .ticksPerQuarter(UInt16(SongRhythm.ticksPerQuarter)),
        tracks: [first] + parts.map { $0.track(end: end) })
    }
  }
}
