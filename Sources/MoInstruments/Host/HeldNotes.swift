import MoDSP

/// The held notes of an instrument, stored so that an instrument that replaces this instrument can continue them.
///
/// - Thread: the rendering thread.
/// - Real-time safe: all but `init`.
struct HeldNotes: ~Copyable, @unchecked Sendable {
  // Unchecked: no other object refers to its memory.
  private let notes: UnsafeMutablePointer<Note>
  private(set) var count = 0

  /// The maximum number of stored notes; further notes are played, but a replacement does not continue them.
  static let most = 32

  init() { notes = .allocate(capacity: Self.most) }

  deinit { notes.deallocate() }

  subscript(index: Int) -> Note { notes[index] }

  /// Updates the stored notes: an event can begin, move or end a note.
  mutating func follow(_ event: InstrumentEvent) {
    switch event {
    case .noteOn(let note):
      forget(note.id)
      guard count < Self.most else { return }
      notes[count] = note
      count &+= 1
    case .noteMove(let note):
      for index in 0..<count where notes[index].id == note.id { notes[index] = note }
    case .noteOff(let note): forget(note.id)
    case .allOff: count = 0
    case .strike, .bend, .motion, .line, .rhythm: break
    }
  }

  private mutating func forget(_ id: Int32) {
    for index in 0..<count where notes[index].id == id {
      count &-= 1
      notes[index] = notes[count]
      return
    }
  }
}
