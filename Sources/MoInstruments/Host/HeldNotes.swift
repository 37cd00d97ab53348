import MoDSP

/// The notes that have begun and have not been let go: what another instrument goes on with in this one's place.
///
/// - Thread: the one that renders.
/// - Real-time safe: all but `init`.
struct HeldNotes: ~Copyable, @unchecked Sendable {
  // Unchecked: its memory is its own.
  private let notes: UnsafeMutablePointer<Note>
  private(set) var count = 0

  /// How many are remembered at most; those beyond are played, and forgotten.
  static let most = 32

  init() { notes = .allocate(capacity: Self.most) }

  deinit { notes.deallocate() }

  subscript(index: Int) -> Note { notes[index] }

  /// Takes notice of an event.
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
