/// A fixed number of voices that share the notes of an instrument.
///
/// If all voices are in use, a new note replaces a released note or, if no note is released, a held note. Of these
/// notes, it replaces the quietest note that began at least 50 ms ago. A younger note is replaced only if all these
/// notes are younger, because its level may still rise. Of equally quiet notes, the new note replaces the oldest. The
/// replaced note fades out within 5 ms, while the new note starts on a spare voice. So nothing clicks, and the new note
/// is on time. A new note replaces a sounding note with the same `id` in the same way.
///
/// ```swift
/// private var chimes = Voices<Chime>(8) { Chime() }  // Chime is your NoteVoice
/// mutating func handle(_ event: InstrumentEvent, _ controls: Controls<NoControl>) { chimes.handle(event) }
/// mutating func render(_ block: inout AudioBlock, _ controls: Controls<NoControl>) { chimes.render(&block, 0.5) }
/// ```
///
/// - Thread: one owner; the audio thread during play. Call `prepare` on a copy, so that the copy gets memory of its
///   own.
/// - Real-time safe: all but `init` and `prepare`.
@frozen
public struct Voices<Voice: NoteVoice>: Sendable {
  /// The number of notes that can sound at the same time.
  public let count: Int
  /// The pitch at which a strike sounds, as a MIDI note number: the strike itself has no pitch.
  public var strikePitch: Float = 60
  /// Seconds after which the note of a strike is released, as a strike has no `noteOff`.
  public var strikeLength = 0.25

  @usableFromInline var slots: [VoiceSlot<Voice>]
  @usableFromInline var begun = 0
  @usableFromInline var fadeStep: Float = 1.0 / 240
  @usableFromInline var sampleRate = 48_000.0
  /// The age of a note, in frames, from which on its level counts.
  @usableFromInline var attackFrames = 2400

  /// Creates voices at rest.
  ///
  /// - Parameters:
  ///   - count: 1 … 256; clamped.
  ///   - make: a closure that creates a voice; it is called for each voice, spare voices included.
  public init(_ count: Int, _ make: () -> Voice) {
    self.count = max(1, min(count, 256))
    // A chord can replace all notes at the same time, and each of them needs its voice for the fade-out.
    slots = (0..<2 * self.count).map { _ in VoiceSlot(make()) }
  }

  /// Adapts all voices to a sample rate and resets them.
  public mutating func prepare(sampleRate: Double) {
    self.sampleRate = sampleRate
    fadeStep = Float(1 / (0.005 * sampleRate))
    attackFrames = Int(0.05 * sampleRate)
    for index in slots.indices {
      slots[index].voice.prepare(sampleRate: sampleRate)
      slots[index].rest()
    }
  }

  /// Whether any voice makes a sound.
  @inlinable
  public var isSounding: Bool {
    for index in slots.indices where slots[index].voice.isSounding { return true }
    return false
  }

  /// The number of sounding voices, without the voices whose replaced note is fading out.
  @inlinable
  public var sounding: Int {
    var sum = 0
    for index in slots.indices where slots[index].voice.isSounding && !slots[index].isFading { sum += 1 }
    return sum
  }

  /// Handles an event: notes, strikes and pitch bend; ignores motion, grid lines and the start and end of the rhythm.
  @inlinable
  public mutating func handle(_ event: InstrumentEvent) {
    switch event {
    case .noteOn(let note): start(note)
    case .noteOff(let note): release(note)
    case .noteMove(let note): move(to: note)
    case .strike(let force):
      let slot = start(Note(strikePitch, velocity: force, id: -2))
      slots[slot].strikeLeft = Int(max(1, min(strikeLength * sampleRate, 1e15)))
    case .bend(let semitones): for index in slots.indices { slots[index].voice.bend(semitones) }
    case .allOff: for index in slots.indices { slots[index].release(slots[index].note) }
    case .motion, .line, .rhythm: break
    }
  }

  /// Begins a note and returns the index of the voice that plays it.
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

  /// Releases the held notes that have the `id` of `note`.
  @inlinable
  public mutating func release(_ note: Note) {
    for index in slots.indices where slots[index].note.id == note.id { slots[index].release(note) }
  }

  /// Gives the held note with the `id` of `note` the pitch and the velocity of `note`.
  @inlinable
  public mutating func move(to note: Note) {
    for index in slots.indices where slots[index].note.id == note.id && slots[index].isHeld {
      slots[index].voice.move(to: note)
    }
  }

  /// The index of the voice whose note a new note replaces if `count` notes already sound.
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
    let (isYoung, isOtherYoung) = (slots[one].age < attackFrames, slots[other].age < attackFrames)
    if isYoung != isOtherYoung { return isOtherYoung }
    let (here, there) = (slots[one].voice.level, slots[other].voice.level)
    return here != there ? here < there : slots[one].order < slots[other].order
  }

  /// The index of a voice at rest; if no voice rests, the index of the voice whose fade-out is nearest to its end.
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

extension Voices {
  /// Renders the next frames of all sounding voices, and adds them to a block; all voices receive `setting`.
  @inlinable
  public mutating func render(_ block: inout AudioBlock, _ setting: Voice.Setting) {
    render(&block, block.frames, setting)
  }

  /// Renders the next frames of all sounding voices, and adds them to the given frames of a block.
  @inlinable
  public mutating func render(_ block: inout AudioBlock, _ frames: Range<Int>, _ setting: Voice.Setting) {
    let step = fadeStep
    // The array's memory is accessed once, not for each sample.
    var places = slots.mutableSpan
    for index in places.indices where places[index].voice.isSounding {
      places[index].render(&block, frames, setting, fadeStep: step)
    }
  }

  /// Calls a closure with each voice, voices at rest included; the closure may change the voice.
  @inlinable
  public mutating func adjust(_ change: (inout Voice) -> Void) {
    for index in slots.indices { change(&slots[index].voice) }
  }
}

extension Voices where Voice.Setting == Void {
  /// Renders the next frames of all sounding voices, and adds them to a block.
  @inlinable
  public mutating func render(_ block: inout AudioBlock) { render(&block, ()) }
}

/// A voice of `Voices`, with the note that it plays and its fade-out.
@frozen
public struct VoiceSlot<Voice: NoteVoice>: Sendable {
  /// The voice that renders the sound.
  @usableFromInline var voice: Voice
  /// The note that started the voice.
  @usableFromInline var note = Note(0, velocity: 0, id: -1)
  /// The number of notes that began before this note; an older note has a lower number.
  @usableFromInline var order = 0
  /// The number of frames that the voice has rendered since its note began.
  @usableFromInline var age = 0
  /// Whether the voice's note is not yet released.
  @usableFromInline var isHeld = false
  /// Frames until the note of a strike is released automatically, as a strike has no `noteOff`; 0 for all other notes.
  @usableFromInline var strikeLeft = 0
  /// The progress of the fade-out, from 1 (start) to 0 (silence), after a new note has replaced the voice's note.
  ///
  /// The gain of the fade-out is fade² · (3 − 2 · fade).
  @usableFromInline var fade: Float = 1
  @usableFromInline var isFading = false

  @inlinable
  init(_ voice: Voice) { self.voice = voice }

  /// Makes the voice silent immediately, and ends its note and its fade-out.
  @inlinable
  mutating func rest() {
    voice.rest()
    (isHeld, isFading, fade, strikeLeft, age) = (false, false, 1, 0, 0)
  }

  /// Releases the voice's note, unless this note is already released.
  @inlinable
  mutating func release(_ note: Note) {
    guard isHeld else { return }
    isHeld = false
    strikeLeft = 0
    voice.release(note)
  }
}

extension VoiceSlot {
  @inlinable
  mutating func render(
    _ block: inout AudioBlock, _ frames: Range<Int>, _ setting: Voice.Setting, fadeStep: Float
  ) {
    age &+= frames.count
    let pan = max(-1, min(voice.pan, 1))
    let (left, right) = (min(1, 1 - pan), min(1, 1 + pan))
    for frame in frames {
      var sample = voice.tick(setting)
      if strikeLeft > 0 { countStrike() }
      if isFading {
        sample *= fade * fade * (3 - 2 * fade)
        fade -= fadeStep
        if fade <= 0 { return rest() }
      }
      block[frame, 0] += left * sample
      if block.outputs > 1 { block[frame, 1] += right * sample }
    }
  }

  @inlinable
  mutating func countStrike() {
    strikeLeft &-= 1
    if strikeLeft == 0 { release(note) }
  }
}
