import MoCore

/// What was played, as a value: up to 64 notes and the length after which they begin again.
///
/// A plain value with no memory of its own: it goes to the audio thread as it is, and to another machine as one message
/// (`message`), which fits one datagram.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct Melody: Sendable, BitwiseCopyable {
  /// The most notes that it holds.
  @inlinable public static var capacity: Int { 64 }

  /// One note.
  ///
  /// - Thread: any; a plain value.
  /// - Real-time safe: yes.
  @frozen
  public struct Event: Hashable, Sendable, BitwiseCopyable {
    /// When it begins, in beats from the melody's beginning.
    public var beat: Float
    /// How long it lasts, in beats.
    public var length: Float
    /// As MIDI counts, 0 … 127; parts of a semitone count.
    public var pitch: Float
    /// How hard, 0 … 1.
    public var velocity: Float

    /// A note.
    @inlinable
    public init(beat: Float, length: Float, pitch: Float, velocity: Float = 0.8) {
      (self.beat, self.length, self.pitch, self.velocity) = (beat, length, pitch, velocity)
    }
  }

  /// Beats after which it begins again, 0.25 … 256.
  public let beats: Float
  /// How many notes it has.
  public private(set) var count = 0
  private var events: InlineArray<64, Event>

  /// A melody without notes; its length is kept within 0.25 … 256 beats, no number counts as 4.
  public init(beats: Float) {
    self.beats = beats.isNaN ? 4 : max(0.25, min(beats, 256))
    events = InlineArray(repeating: Event(beat: 0, length: 0, pitch: 0, velocity: 0))
  }

  /// A melody of notes; those that cannot be taken are left out.
  ///
  /// - Real-time safe: no, for the array.
  public init(beats: Float, _ notes: [Event]) {
    self.init(beats: beats)
    for note in notes { add(note) }
  }

  /// A note, from 0 below `count`, in the order of their beginnings.
  public subscript(index: Int) -> Event {
    precondition(index >= 0 && index < count, "note outside the melody")
    return events[index]
  }

  /// Adds a note in its place; false where it is full, the note begins outside, or something is no number.
  ///
  /// A note lasts at least 1/64 of a beat and at most as long as the melody.
  @discardableResult
  public mutating func add(_ note: Event) -> Bool {
    guard count < Self.capacity, note.beat >= 0, note.beat < beats, !note.length.isNaN, note.pitch >= 0,
      note.pitch <= 127, note.velocity > 0
    else { return false }
    var note = note
    note.length = max(1.0 / 64, min(note.length, beats))
    note.velocity = min(note.velocity, 1)
    var place = count
    while place > 0, events[place - 1].beat > note.beat {
      events[place] = events[place - 1]
      place -= 1
    }
    events[place] = note
    count += 1
    return true
  }
}

extension Melody: Hashable {
  /// Whether both have the same length and the same notes.
  public static func == (left: Melody, right: Melody) -> Bool {
    guard left.beats == right.beats, left.count == right.count else { return false }
    for index in 0..<left.count where left.events[index] != right.events[index] { return false }
    return true
  }

  /// Feeds length and notes to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(beats)
    for index in 0..<count { hasher.combine(events[index]) }
  }
}

extension Melody {
  /// The same notes so many semitones higher; what leaves 0 … 127 is left out.
  public func transposed(by semitones: Float) -> Melody {
    changed { note in
      Event(beat: note.beat, length: note.length, pitch: note.pitch + semitones, velocity: note.velocity)
    }
  }

  /// The same notes from the last to the first.
  public func reversed() -> Melody {
    changed { note in
      Event(
        beat: max(0, beats - note.beat - note.length), length: note.length, pitch: note.pitch,
        velocity: note.velocity)
    }
  }

  /// The same notes, each moved to the nearest line of a grid; what is moved past the end begins the melody.
  public func quantised(by quantiser: Quantiser) -> Melody {
    changed { note in
      let beat = Float(quantiser.beat(for: Double(note.beat)))
      return Event(
        beat: beat.truncatingRemainder(dividingBy: beats), length: note.length, pitch: note.pitch,
        velocity: note.velocity)
    }
  }

  private func changed(_ body: (Event) -> Event) -> Melody {
    var melody = Melody(beats: beats)
    for index in 0..<count { melody.add(body(events[index])) }
    return melody
  }
}
