import MoCore

/// The notes that have begun or will begin, each with the shift from its played to its heard time.
///
/// The end of a note is shifted by as much as its beginning. It ends all notes with its ID that were played before it,
/// but no note that is scheduled for later.
///
/// - Thread: one owner, the audio thread.
/// - Real-time safe: yes.
struct StartedNotes: Sendable, BitwiseCopyable {
  /// A note that has begun or will begin.
  struct Begun: Sendable, BitwiseCopyable {
    var id: Int32
    /// The number of the event that began the note, in the order in which events were received.
    var order: UInt32
    /// The time at which the note was played; for a scheduled note, the time at which it is heard.
    var played: HostTime
    /// The time at which the note is heard; the latest of these times, if one release ends several notes.
    var heard: HostTime
    /// The shift from the note's played time to its heard time, in nanoseconds.
    var shift: Int64
    /// The shift from the note's played beat to the beat that a loop records.
    var beats: Double

    /// Returns a single entry for two notes that the same release ends.
    func joined(_ other: Begun) -> Begun {
      var later = other.played >= played ? other : self
      later.heard = max(heard, other.heard)
      return later
    }
  }

  private var notes: InlineArray<64, Begun?> = .init(repeating: nil)
  /// The latest heard time of all notes that were displaced for lack of space; `distantPast` for none.
  private(set) var unknownHeard = HostTime.distantPast

  /// Adds a note; earlier notes with the same ID are joined, because the same release ends them.
  ///
  /// - Parameter now: the latest played time of the block; a note that is played later is scheduled.
  mutating func add(_ note: Begun, now: HostTime) {
    var note = note
    if let earlier = self.note(note.id, at: now), earlier.played < now {
      removeAll(note.id, from: .distantPast, to: earlier.played)
      if note.played > now { insert(earlier) } else { note = earlier.joined(note) }
    }
    insert(note)
  }

  /// Stores a note in a free slot, or displaces the note with the earliest heard time.
  private mutating func insert(_ note: Begun) {
    var place = 0
    for index in notes.indices {
      guard let chosen = notes[place] else { break }
      if notes[index].map({ $0.heard < chosen.heard }) ?? true { place = index }
    }
    if let other = notes[place] { unknownHeard = max(unknownHeard, other.heard) }
    notes[place] = note
  }

  /// Returns the notes with an ID that were played before `time`, joined; the earliest later note if there is none, and
  /// nil if no note has the ID.
  func note(_ id: Int32, at time: HostTime) -> Begun? {
    var past: Begun?
    var next: Begun?
    for index in notes.indices {
      guard let note = notes[index], note.id == id else { continue }
      if note.played < time {
        past = past?.joined(note) ?? note
      } else if next.map({ note.played < $0.played }) ?? true {
        next = note
      }
    }
    return past ?? next
  }

  /// Returns the notes that an end of the given ID and time ends, as `note` does, and removes the latest of them.
  ///
  /// An earlier note stays, because its own end may follow: the end of a scheduled note is often received early.
  mutating func remove(_ id: Int32, at time: HostTime) -> Begun? {
    guard let note = note(id, at: time) else { return nil }
    removeAll(id, from: note.played, to: note.played)
    return note
  }

  private mutating func removeAll(_ id: Int32, from first: HostTime, to last: HostTime) {
    for index in notes.indices {
      if let note = notes[index], note.id == id, first <= note.played, note.played <= last {
        notes[index] = nil
      }
    }
  }

  /// Removes the notes that were received before the event with the number `order`.
  mutating func removeAll(before order: UInt32) {
    for index in notes.indices {
      // A difference, because the count wraps around.
      if let note = notes[index], Int32(bitPattern: note.order &- order) < 0 { notes[index] = nil }
    }
  }

  /// Removes all notes.
  mutating func removeAll() {
    for index in notes.indices { notes[index] = nil }
    unknownHeard = .distantPast
  }

  /// Returns the heard time of an event that belongs to a note: the event keeps its distance from the note's beginning.
  ///
  /// If `note` is nil, the note may have been displaced. The event is then not heard before any displaced note.
  ///
  /// - Parameter soonest: the earliest time at which the event can be heard, used if `note` is nil.
  func heard(_ note: Begun?, played: HostTime, soonest: HostTime) -> HostTime {
    guard let note else { return max(soonest, unknownHeard) }
    return max(played.advanced(byNanoseconds: note.shift), note.heard)
  }
}
