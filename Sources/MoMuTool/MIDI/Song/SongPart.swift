import MIDICore

/// The events of a player in a session, as a track of a MIDI file.
struct SongPart {
  /// A note, with its start and end in ticks; the end is nil while the note is held.
  private struct Note {
    var channel: MIDIChannel
    var key: MIDIUInt7
    var velocity: MIDIUInt7
    var start: Int
    var end: Int?
  }

  let name: String
  let channel: MIDIChannel
  private var notes: [Note] = []
  private var texts: [MIDIFileEvent] = []
  private var instrument: String?
  /// The index in `notes` of each held note; `place` computes the dictionary key from the note's channel and MIDI key.
  private var open: [Int: Int] = [:]

  /// The channel of drums in General MIDI: channel 10, which has the index 9.
  static let drums: MIDIChannel = 9

  init(_ name: String, channel: MIDIChannel) { (self.name, self.channel) = (name, channel) }

  /// The tick of the last event, such as a text, or the start or known end of a note; 0 without events.
  var end: Int {
    max(notes.lazy.map { max($0.start, $0.end ?? 0) }.max() ?? 0, texts.lazy.map(\.tick).max() ?? 0)
  }

  /// Adds a note with a force of 0 to 1.
  ///
  /// - Parameter end: the tick at which the note ends; nil if the note is held until `release`.
  mutating func add(_ key: Int, force: Float, on channel: MIDIChannel, at tick: Int, until end: Int?) {
    let key = MIDIUInt7(clamping: key)
    let velocity = MIDIUInt7(clamping: max(1, Int((force * 127).rounded())))
    notes.append(
      Note(channel: channel, key: key, velocity: velocity, start: tick, end: end.map { max($0, tick + 1) }))
    if end == nil { open[Self.place(channel, key)] = notes.count - 1 }
  }

  /// Ends a held note of the player's channel; without effect if no note with this key is held.
  mutating func release(_ key: Int, at tick: Int) {
    let key = MIDIUInt7(clamping: key)
    guard let index = open.removeValue(forKey: Self.place(channel, key)) else { return }
    notes[index].end = max(tick, notes[index].start + 1)
  }

  /// Shortens all notes that would sound after `tick`, so that they end at `tick`.
  ///
  /// A note that begins at `tick` or later lasts one tick.
  mutating func releaseAll(at tick: Int) {
    open = [:]
    for index in notes.indices where (notes[index].end ?? .max) > tick {
      notes[index].end = max(tick, notes[index].start + 1)
    }
  }

  /// Adds a text as a meta event of the given type, such as 6 for a marker or 4 for an instrument's name.
  mutating func add(_ type: MIDIUInt7, _ text: String, at tick: Int) {
    texts.append(MIDIFileEvent(tick, .meta(type, Array(text.utf8))))
  }

  mutating func plays(_ instrument: String, at tick: Int) {
    guard !instrument.isEmpty, instrument != self.instrument else { return }
    self.instrument = instrument
    add(0x04, instrument, at: tick)
  }

  private static func place(_ channel: MIDIChannel, _ key: MIDIUInt7) -> Int {
    Int(channel.index) * 128 + Int(key.value)
  }

  /// Returns the track of the MIDI file; the track and the notes that are still held end at the tick `end`.
  func track(end: Int) -> MIDITrack {
    var events: [(tick: Int, rank: Int, event: MIDIFileEvent)] = texts.map { ($0.tick, 1, $0) }
    let ordered = notes.enumerated().sorted {
      ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
    }.map(\.element)
    var following: [Int: Int] = [:]
    for note in ordered.reversed() {
      let place = Self.place(note.channel, note.key)
      // A channel has each key once: the next note of a key ends the one before.
      let last = min(note.end ?? end, following[place] ?? .max)
      following[place] = note.start
      let on = MIDIMessage.noteOn(note.channel, note.key, velocity: note.velocity)
      events.append((note.start, 2, MIDIFileEvent(note.start, .message(on))))
      let off = MIDIMessage.noteOff(note.channel, note.key, velocity: 64)
      events.append((last, last > note.start ? 0 : 3, MIDIFileEvent(last, .message(off))))
    }
    let sorted = events.enumerated().sorted {
      ($0.element.tick, $0.element.rank, $0.offset) < ($1.element.tick, $1.element.rank, $1.offset)
    }
    return MIDITrack(
      [MIDIFileEvent(0, .meta(0x03, Array(name.utf8)))] + sorted.map(\.element.event), end: end)
  }
}
