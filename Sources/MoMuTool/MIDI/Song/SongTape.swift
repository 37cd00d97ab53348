import MIDICore
import MoCore
import MoInstruments
import MoOrchestra

/// A MIDI file converted to a session's tape: the tempo map and the meter become the rhythm, and each track or channel
/// becomes a member.
package struct SongTape {
  /// The entries of the tape, in order of time.
  package private(set) var entries: [SessionTapeEntry] = []
  /// The kinds of events that a session's tape cannot hold, each with its count, such as `3 bends`.
  private(set) var leftOut: [String] = []
  /// The number of notes on the tape, strikes of drums included.
  package private(set) var notes = 0

  /// The ID of a member that stands for the file itself; this member conducts the rhythm and sends the cues.
  private static let recorder = MemberID(1)
  private static let program = "momu midi convert"

  private let file: MIDIFile
  private let map: MIDITempoMap
  private var rhythm: [(time: HostTime, segment: BeatSegment)] = []
  private var members: [String: MemberID] = [:]
  private var lost: [String: Int] = [:]

  /// - Parameter name: the name of the tape's room if the file has no name.
  package init(_ file: MIDIFile, name: String) {
    (self.file, map) = (file, file.tempoMap())
    let first = file.tracks.first
    let hasNotes = first.map { Self.hasNotes($0) } ?? false
    let room = hasNotes ? nil : first?.name
    add(
      .room(
        SessionTapeRoom(name: Self.sanitized(room ?? name), member: Self.recorder, program: Self.program)),
      at: .zero)
    add(.clock(SessionTapeClock(shared: SessionTime(nanoseconds: 0), rate: 0)), at: .zero)
    findRhythm()
    for (revision, change) in rhythm.enumerated() {
      let version = StateVersion(
        counter: 1, holder: Self.recorder, revision: UInt32(clamping: 65_536 + revision))
      let state = SessionState(
        version: version, lineage: Self.recorder, isHeld: true, holderInstallation: Self.recorder,
        timeline: Timeline(change.segment, take: 1))
      add(.state(state), at: change.time)
    }
    // Separate songs do not belong on one tape: the first one is taken.
    let chosen = file.format == .separate ? 0..<min(1, file.tracks.count) : file.tracks.indices
    for index in chosen { addTrack(file.tracks[index], number: index + 1, isOnly: chosen.count == 1) }
    entries = entries.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }.map(\.element)
    leftOut = lost.sorted { $0.key < $1.key }.map { counted($0.value, $0.key) }
  }

  private static func hasNotes(_ track: MIDITrack) -> Bool {
    track.events.contains {
      if case .message(.noteOn) = $0.content { true } else { false }
    }
  }

  private static func sanitized(_ text: String) -> String {
    let text = SessionIdentity.sanitized(text)
    return text.isEmpty ? "song" : text
  }

  private func time(_ tick: Int) -> HostTime {
    HostTime(seconds: 0).advanced(bySeconds: map.seconds(at: tick))
  }

  private mutating func add(_ note: SessionTapeNote, at time: HostTime) {
    let segment = rhythm.last { $0.time <= time }?.segment
    let beat = segment.map { $0.beat(at: SessionTime(nanoseconds: time.nanoseconds)) }
    entries.append(SessionTapeEntry(time: time, beat: beat, note: note))
  }

  // MARK: Rhythm

  /// Appends the segments of the rhythm, each from a change of the file's tempo or meter to the next change.
  private mutating func findRhythm() {
    guard case .ticksPerQuarter(let quarter) = file.division else { return }
    let meters = file.meters()
    let ticks = Set(map.stretches.map(\.tick) + meters.map(\.tick) + [0]).sorted()
    var (meter, bar, barTick, lastTick, beat) = (Meter.common, 1, 0, 0, 0.0)
    for tick in ticks {
      beat += Double(tick - lastTick) * Double(meter.unit) / Double(4 * quarter)
      lastTick = tick
      if let change = meters.last(where: { $0.tick == tick }), let new = Meter(change.beats, change.unit) {
        let length = Double(meter.beatsPerBar) * Double(4 * quarter) / Double(meter.unit)
        // A change of meter begins a bar, also within one.
        bar += Int((Double(tick - barTick) / length - 1e-9).rounded(.up))
        (meter, barTick) = (new, tick)
      }
      let tempo = (map.stretch(at: tick).tempo ?? 120) * Double(meter.unit) / 4
      let time = time(tick)
      rhythm.append(
        (
          time,
          BeatSegment(
            start: SessionTime(nanoseconds: time.nanoseconds), beat: beat,
            tempo: Tempo.range.contains(tempo) ? tempo : 120, isPlaying: Tempo.range.contains(tempo),
            meter: meter, bar: Int32(clamping: bar),
            barBeat: beat - Double(tick - barTick) * Double(meter.unit) / Double(4 * quarter))
        ))
    }
  }

  // MARK: Tracks

  private mutating func addTrack(_ track: MIDITrack, number: Int, isOnly: Bool) {
    var instrument = ""
    for event in track.events {
      switch event.content {
      case .meta(0x04, let bytes):
        let name = SessionIdentity.sanitized(String(decoding: bytes, as: UTF8.self))
        instrument = name.utf8.count <= 40 ? name : ""
      case .meta(0x01, let bytes) where !bytes.isEmpty:
        let text = String(decoding: bytes, as: UTF8.self)
        let change = Self.change(text, instrument).map { SessionPlay.change($0) }
        let play = change ?? .text(SessionText(text))
        addPlay(play, member(track, number, nil, isOnly: isOnly), at: event.tick)
      case .meta(0x06, let bytes):
        let cue = SessionCue(.ready, String(decoding: bytes, as: UTF8.self))
        if !cue.text.isEmpty { addPlay(.cue(cue), Self.recorder, at: event.tick) }
      case .message(.noteOn(let channel, let key, let velocity)) where velocity > 0:
        notes += 1
        let (pitch, force) = (Int(key.value), Float(velocity.value) / 127)
        let play =
          channel == SongPart.drums
          ? SessionPlay.hit(SessionHit(force: force, drum: pitch, instrument: instrument))
          : .note(SessionNote(pitch: Float(pitch), velocity: force, instrument: instrument))
        addPlay(play, member(track, number, channel, isOnly: isOnly), at: event.tick)
      case .message(.noteOn(let channel, let key, _)), .message(.noteOff(let channel, let key, _)):
        guard channel != SongPart.drums else { continue }
        addPlay(
          .note(SessionNote(pitch: Float(key.value), velocity: 0, instrument: instrument)),
          member(track, number, channel, isOnly: isOnly), at: event.tick)
      case .message(.bend): lost["bend", default: 0] += 1
      case .message(.control): lost["controller", default: 0] += 1
      case .message(.program): lost["program", default: 0] += 1
      case .message, .sysEx, .escape: lost["other message", default: 0] += 1
      case .meta: break
      }
    }
  }

  private mutating func addPlay(_ play: SessionPlay, _ member: MemberID, at tick: Int) {
    let time = time(tick)
    let beat = rhythm.last { $0.time <= time }.flatMap { change in
      change.segment.isPlaying ? change.segment.beat(at: SessionTime(nanoseconds: time.nanoseconds)) : nil
    }
    add(.heard(SessionHeard(from: member, play: play, time: time, beat: beat, late: 0, weight: 1)), at: time)
  }

  /// Returns the member for a track or, in a file of a single track, for a channel.
  ///
  /// Each member is in the room from the beginning of the tape.
  private mutating func member(
    _ track: MIDITrack, _ number: Int, _ channel: MIDIChannel?, isOnly: Bool
  ) -> MemberID {
    let own = track.name.map(Self.sanitized)
    let name =
      isOnly && channel != nil ? "channel \(channel?.number ?? 1)" : own ?? "track \(number)"
    let key = isOnly ? name : "\(number) \(name)"
    if let member = members[key] { return member }
    let member = MemberID(UInt64(members.count + 2))
    let isTaken = members.keys.contains { $0.hasSuffix(" \(name)") }
    members[key] = member
    add(
      .member(
        SessionTapeMember(
          member: member, installation: member, name: isTaken ? "\(name) \(number)" : name,
          program: Self.program, isHere: true)), at: .zero)
    return member
  }

  /// Returns the change of a parameter that a text such as `set brightness 0.8` describes; nil for other texts.
  private static func change(_ text: String, _ instrument: String) -> SessionChange? {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 3, words[0] == "set", (1...64).contains(words[1].utf8.count),
      let value = Float(words[2]), value.isFinite
    else { return nil }
    return SessionChange(words[1], value, instrument: instrument)
  }
}
