import MoCore

/// The notes that have begun or will, each with its way from the played to the heard time: their ends go the same way.
///
/// - Thread: one owner, the audio thread.
/// - Real-time safe: yes.
struct StartedNotes: Sendable, BitwiseCopyable {
  /// One of them.
  struct Begun: Sendable, BitwiseCopyable {
    var id: Int32
    /// When it is heard; if several of one number wait, the last of them.
    var heard: HostTime
    /// Nanoseconds from its played time to its heard time.
    var shift: Int64
    /// Beats from its played beat to the beat that a loop records.
    var beats: Double
  }

  private var notes: InlineArray<64, Begun?> = .init(repeating: nil)
  /// When the last of the notes is heard that found no place.
  private(set) var unknownHeard = HostTime.distantPast

  /// Adds a note: in the place of one with its number, a free one, or the one that is heard first.
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

  /// The note with a number.
  subscript(id: Int32) -> Begun? {
    for index in notes.indices {
      if let note = notes[index], note.id == id { return note }
    }
    return nil
  }

  /// Removes the note with a number, and returns it.
  mutating func remove(_ id: Int32) -> Begun? {
    for index in notes.indices {
      guard let note = notes[index], note.id == id else { continue }
      notes[index] = nil
      return note
    }
    return nil
  }

  /// Forgets all of them.
  mutating func removeAll() {
    for index in notes.indices { notes[index] = nil }
    unknownHeard = .distantPast
  }

  /// When something that belongs to a note is heard: as long after its beginning as it was played after it.
  ///
  /// What belongs to a note that found no place comes after all of those.
  ///
  /// - Parameter soonest: when it can be heard, for a note that is not known.
  func heard(_ note: Begun?, played: HostTime, soonest: HostTime) -> HostTime {
    guard let note else { return max(soonest, unknownHeard) }
    return max(played.advanced(byNanoseconds: note.shift), note.heard)
  }
}
