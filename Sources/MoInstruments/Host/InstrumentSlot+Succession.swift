import MoCore
import MoDSP

/// The replacement of an instrument by a new instrument, its successor, with a cross-fade.
extension InstrumentSlot {
  /// Copies the parameters, the state of the mapping and the grid of another slot, which this slot will replace.
  ///
  /// The replacement happens at this slot's first rendering. A parameter that has its default value in the other slot
  /// is not copied: in this slot, it keeps the default of the new instrument.
  ///
  /// - Thread: the set-up thread, before this slot is on a bus; `other` must live until it has left its bus.
  final func inherit(_ other: InstrumentSlot) {
    bank.inherit(other.bank)
    grid = other.grid
    var inherited = other.mapper.withLock { $0 }
    let own = mapper.withLock { $0.mapping }
    // An unchanged mapping continues. A different one releases the notes that a gate may hold.
    if inherited.mapping != own { inherited.mapping = own }
    mapper.withLock { $0 = inherited }
    predecessor = UnsafeRawPointer(Unmanaged.passUnretained(other).toOpaque())
  }

  /// Starts the cross-fade from the predecessor, and takes over its held notes and its events that are not yet heard.
  ///
  /// Held notes are taken over only if notes of the new instrument sound until they are released.
  ///
  /// - Thread: the rendering thread.
  /// - Real-time safe: yes.
  final func takeOver() {
    guard let place = predecessor else { return }
    predecessor = nil
    fade.enter(sampleRate: sampleRate)
    Unmanaged<InstrumentSlot>.fromOpaque(place)._withUnsafeGuaranteedRef { other in
      other.fade.leave(in: SlotFade.crossfade, sampleRate: sampleRate)
      level = other.level
      // A sound that rings out by itself is not struck again.
      if sheet.holds {
        for index in 0..<other.held.count { handle(.event(.noteOn(other.held[index]))) }
      }
      inbox.inherit(other.inbox)
      // The release of a note that arrives later finds its note here.
      sequencer.inherit(&other.sequencer)
    }
  }

  /// Removes the predecessor without a cross-fade; for programs without sound (`--audio none`).
  final func takeOverInSilence() {
    guard let place = predecessor else { return }
    predecessor = nil
    Unmanaged<InstrumentSlot>.fromOpaque(place)._withUnsafeGuaranteedRef { $0.finish() }
  }
}

/// The gain of an instrument, 0 … 1: it rises in a fade-in, is 1 during play, and falls in a fade-out.
///
/// - Thread: the rendering thread.
/// - Real-time safe: yes.
struct SlotFade {
  private var gain = ControlGlide(1)

  /// The length of the fade-out of an instrument that leaves the bus, in seconds.
  static let leaving = 0.01
  /// The length of the cross-fade between an instrument and its successor, in seconds.
  static let crossfade = 0.25

  /// Whether the instrument plays or fades in; false from the start of its fade-out on.
  var stays: Bool { gain.goal != 0 }
  /// Whether the instrument has faded out completely.
  var isGone: Bool { gain.goal == 0 && gain.held == 0 }

  /// Starts a fade-in from silence, which lasts `crossfade` seconds.
  mutating func enter(sampleRate: Double) {
    gain = ControlGlide(0)
    gain.head(for: 1, in: Self.frames(Self.crossfade, sampleRate))
  }

  /// Starts a fade-out that lasts the given number of seconds.
  mutating func leave(in seconds: Double, sampleRate: Double) {
    gain.head(for: 0, in: Self.frames(seconds, sampleRate))
  }

  /// Returns the gain at a frame; frame 0 is the first frame after the last call of `advance`.
  func value(_ frame: Int) -> Float { gain.value(frame) }

  /// Advances the gain by the number of rendered frames.
  mutating func advance(_ frames: Int) { gain.advance(frames, isRenewal: true) }

  /// Returns the length of a fade in frames, at least 1.
  static func frames(_ seconds: Double, _ sampleRate: Double) -> Int {
    max(1, Int(seconds * sampleRate))
  }
}

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
