import MoCore

/// The notes that have begun or will begin, each with the shift from its played to its heard time.
///
/// The end of a note is shifted by as much as its beginning.
///
/// - Thread: one owner, the audio thread.
/// - Real-time safe: yes.
struct StartedNotes: Sendable, BitwiseCopyable {
  /// A note that has begun or will begin.
  struct Begun: Sendable, BitwiseCopyable {
    var id: Int32
    /// The time at which the note is heard; the latest of these times, if several notes with the same ID wait.
    var heard: HostTime
    /// The shift from the note's played time to its heard time, in nanoseconds.
    var shift: Int64
    /// The shift from the note's played beat to the beat that a loop records.
    var beats: Double
  }

  private var notes: InlineArray<64, Begun?> = .init(repeating: nil)
  /// The latest heard time of all notes that were displaced for lack of space; `distantPast` for none.
  private(set) var unknownHeard = HostTime.distantPast

  /// Adds a note: it replaces a note with the same ID, takes a free slot, or displaces the note with the earliest heard
  /// time.
  mutating func add(_ note: Begun) {
    var place = 0
    for index in notes.indices {
      guard let other = notes[index] else {
        if notes[place] != nil { place = index }
        continue
      }
      if other.id == note.id {
        place = index
        break
      }
      if let chosen = notes[place], other.heard < chosen.heard { place = index }
    }
    var note = note
    if let other = notes[place] {
      if other.id == note.id {
        note.heard = max(note.heard, other.heard)
      } else {
        unknownHeard = max(unknownHeard, other.heard)
      }
    }
    notes[place] = note
  }

  /// The note with the given ID; nil if no note has this ID.
  subscript(id: Int32) -> Begun? {
    for index in notes.indices {
      if let note = notes[index], note.id == id { return note }
    }
    return nil
  }

  /// Removes and returns the note with the given ID; returns nil if no note has this ID.
  mutating func remove(_ id: Int32) -> Begun? {
    for index in notes.indices {
      guard let note = notes[index], note.id == id else { continue }
      notes[index] = nil
      return note
    }
    return nil
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
