/// A fixed number of voices that share the notes.
///
/// Where all are taken, a new note takes the place of one that was let go, or else of the quietest, or else of the
/// oldest; that one fades out within 5 ms in a spare place, so that nothing clicks and the new note is on time. A note
/// that is struck again takes its own place likewise.
///
/// ```swift
/// private var strings = Voices<String>(8) { String() }
/// mutating func handle(…) { strings.handle(event) }
/// mutating func render(…) { strings.render(&block, setting) }
/// ```
///
/// - Thread: one owner; the audio thread once playing. After a copy, `prepare` gives it memory of its own.
/// - Real-time safe: all but `init` and `prepare`.
@frozen
public struct Voices<Voice: NoteVoice>: Sendable {
  /// How many notes sound at once.
  public let count: Int
  /// The pitch of a stroke that has none.
  public var strokePitch: Float = 60
  /// Seconds after which a stroke, which nobody holds, is let go.
  public var strokeLength = 0.25

  @usableFromInline var slots: [VoiceSlot<Voice>]
  @usableFromInline var begun = 0
  @usableFromInline var fadeStep: Float = 1.0 / 240
  @usableFromInline var sampleRate = 48_000.0

  /// Voices at rest.
  ///
  /// - Parameters:
  ///   - count: 1 … 256; beyond counts as the nearer end.
  ///   - make: makes one; called for the spare ones too.
  public init(_ count: Int, _ make: () -> Voice) {
    self.count = max(1, min(count, 256))
    // Half as many spare ones: each fades for 5 ms only.
    slots = (0..<self.count + max(2, self.count / 2)).map { _ in VoiceSlot(make()) }
  }

  /// Fits all to a sample rate, at rest.
  public mutating func prepare(sampleRate: Double) {
    self.sampleRate = sampleRate
    fadeStep = Float(1 / (0.005 * sampleRate))
    for index in slots.indices {
      slots[index].voice.prepare(sampleRate: sampleRate)
      slots[index].rest()
    }
  }

  /// Whether any is to be heard.
  @inlinable
  public var isSounding: Bool {
    for index in slots.indices where slots[index].voice.isSounding { return true }
    return false
  }

  /// How many sound, those that fade for another left out.
  @inlinable
  public var sounding: Int {
    var sum = 0
    for index in slots.indices where slots[index].voice.isSounding && !slots[index].isFading { sum += 1 }
    return sum
  }

  /// Takes an event; what concerns no note is left alone.
  @inlinable
  public mutating func handle(_ event: InstrumentEvent) {
    switch event {
    case .noteOn(let note): start(note)
    case .noteOff(let note): release(note)
    case .noteMove(let note): move(to: note)
    case .strike(let force):
      let slot = start(Note(strokePitch, velocity: force, id: -2))
      slots[slot].strokeLeft = max(1, Int(strokeLength * sampleRate))
    case .bend(let semitones): for index in slots.indices { slots[index].voice.bend(semitones) }
    case .allOff: for index in slots.indices { slots[index].release(slots[index].note) }
    case .motion, .line, .rhythm: break
    }
  }

  /// Begins a note; the place it took.
  @inlinable
  @discardableResult
  public mutating func start(_ note: Note) -> Int {
    for index in slots.indices where slots[index].note.id == note.id && slots[index].voice.isSounding {
      slots[index].isFading = true
    }
    if sounding >= count { slots[leastMissed].isFading = true }
    let place = freePlace
    slots[place].rest()
    slots[place].note = note
    slots[place].order = begun
    slots[place].isHeld = true
    begun &+= 1
    slots[place].voice.start(note)
    return place
  }

  /// Lets a note go.
  @inlinable
  public mutating func release(_ note: Note) {
    for index in slots.indices where slots[index].note.id == note.id { slots[index].release(note) }
  }

  /// Moves a note that sounds.
  @inlinable
  public mutating func move(to note: Note) {
    for index in slots.indices where slots[index].note.id == note.id && slots[index].isHeld {
      slots[index].voice.move(to: note)
    }
  }

  /// Who is silenced when all are taken.
  @inlinable
  var leastMissed: Int {
    var best = 0
    var found = false
    for index in slots.indices where slots[index].voice.isSounding && !slots[index].isFading {
      if !found || isLessMissed(index, best) { best = index }
      found = true
    }
    return best
  }

  @inlinable
  func isLessMissed(_ one: Int, _ other: Int) -> Bool {
    if slots[one].isHeld != slots[other].isHeld { return !slots[one].isHeld }
    let (here, there) = (slots[one].voice.level, slots[other].voice.level)
    return here != there ? here < there : slots[one].order < slots[other].order
  }

  /// A place at rest, or the one that has faded furthest.
  @inlinable
  var freePlace: Int {
    var best = 0
    var least: Float = 2
    for index in slots.indices {
      if !slots[index].voice.isSounding { return index }
      if slots[index].isFading, slots[index].fade < least { (best, least) = (index, slots[index].fade) }
    }
    return best
  }
}
