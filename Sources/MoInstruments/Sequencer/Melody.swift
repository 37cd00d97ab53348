import MoCore
import MoOSC

/// A melody as a value: up to 64 notes, and the length after which they repeat.
///
/// A melody is a plain value that refers to no other memory, so you can pass it to the audio thread as it is. You can
/// send a melody to another machine as one message (`message`), which fits one datagram.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct Melody: Sendable, BitwiseCopyable {
  /// The maximum number of notes.
  @inlinable public static var capacity: Int { 64 }

  /// A note of a melody.
  ///
  /// - Thread: any; a plain value.
  /// - Real-time safe: yes.
  @frozen
  public struct Event: Hashable, Sendable, BitwiseCopyable {
    /// The beginning, in beats from the melody's beginning.
    public var beat: Float
    /// The duration, in beats.
    public var length: Float
    /// The MIDI note number, 0 … 127; may have a fraction.
    public var pitch: Float
    /// The velocity, 0 … 1.
    public var velocity: Float

    /// Creates a note.
    @inlinable
    public init(beat: Float, length: Float, pitch: Float, velocity: Float = 0.8) {
      (self.beat, self.length, self.pitch, self.velocity) = (beat, length, pitch, velocity)
    }
  }

  /// The length in beats after which the melody repeats, 0.25 … 256.
  public let beats: Float
  /// The number of notes.
  public private(set) var count = 0
  private var events: InlineArray<64, Event>

  /// Creates a melody without notes; its length is clamped to 0.25 … 256 beats; NaN counts as 4.
  public init(beats: Float) {
    self.beats = beats.isNaN ? 4 : max(0.25, min(beats, 256))
    events = InlineArray(repeating: Event(beat: 0, length: 0, pitch: 0, velocity: 0))
  }

  /// Creates a melody from notes; invalid notes are left out.
  ///
  /// - Real-time safe: no, because of the array.
  public init(beats: Float, _ notes: [Event]) {
    self.init(beats: beats)
    for note in notes { add(note) }
  }

  /// The note at an index from 0 to `count - 1`; the notes are in the order in which they begin.
  public subscript(index: Int) -> Event {
    precondition(index >= 0 && index < count, "note outside the melody")
    return events[index]
  }

  /// Adds a note at its place in time; returns false if the melody is full or the note is invalid.
  ///
  /// A note is invalid if it begins outside the melody, if its pitch is outside 0 … 127, if its velocity is not above
  /// 0, or if it contains NaN. A length is clamped to the range from 1/64 of a beat to the length of the melody, a
  /// velocity to at most 1.
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
  /// Returns whether both melodies have the same length and the same notes.
  public static func == (left: Melody, right: Melody) -> Bool {
    guard left.beats == right.beats, left.count == right.count else { return false }
    for index in 0..<left.count where left.events[index] != right.events[index] { return false }
    return true
  }

  /// Adds the melody's length and its notes to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(beats)
    for index in 0..<count { hasher.combine(events[index]) }
  }
}

extension Melody {
  /// Returns the melody transposed by a number of semitones; notes that would leave the range 0 … 127 are left out.
  public func transposed(by semitones: Float) -> Melody {
    changed { note in
      Event(beat: note.beat, length: note.length, pitch: note.pitch + semitones, velocity: note.velocity)
    }
  }

  /// Returns the melody backwards in time: the last note comes first, and each note keeps its length.
  public func reversed() -> Melody {
    changed { note in
      Event(
        beat: max(0, beats - note.beat - note.length), length: note.length, pitch: note.pitch,
        velocity: note.velocity)
    }
  }

  /// Returns the melody with each note moved towards the nearest grid line; a note moved past the end wraps to the
  /// beginning.
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

extension Melody {
  /// The OSC address of melodies.
  public static let address = "/momu/melody"

  /// The melody as an OSC message.
  ///
  /// The address is `/momu/melody`. The arguments, all of the OSC type `f`, are the melody's length in beats, then
  /// beat, length, pitch and velocity of each note. A message of 64 notes has 1,304 bytes.
  public var message: OSCMessage {
    var arguments = [OSCArgument.float(beats)]
    for index in 0..<count {
      let note = self[index]
      arguments += [.float(note.beat), .float(note.length), .float(note.pitch), .float(note.velocity)]
    }
    return OSCMessage(Melody.address, arguments)
  }

  /// Parses a melody from a message; numbers of any OSC type are accepted.
  ///
  /// - Throws: `MelodyError` if the message is not a melody.
  public init(_ message: OSCMessage) throws(MelodyError) {
    guard message.address == Melody.address else { throw .otherAddress(message.address) }
    try self.init(message.arguments)
  }

  /// Parses a melody from a message's values, with any address.
  ///
  /// - Throws: `MelodyError` if the values are not a melody.
  public init(_ arguments: [OSCArgument]) throws(MelodyError) {
    var numbers: [Float] = []
    for argument in arguments {
      guard let number = argument.number, number.isFinite else { throw .noNumber(place: numbers.count + 1) }
      numbers.append(Float(number))
    }
    guard let beats = numbers.first, numbers.count % 4 == 1 else { throw .incomplete(count: numbers.count) }
    guard numbers.count <= 1 + 4 * Melody.capacity else { throw .tooLong(notes: numbers.count / 4) }
    self.init(beats: beats)
    var index = 1
    while index < numbers.count {
      add(
        Event(
          beat: numbers[index], length: numbers[index + 1], pitch: numbers[index + 2],
          velocity: numbers[index + 3]))
      index += 4
    }
  }
}

/// An error in a melody's message; its text describes the correct form.
public enum MelodyError: Error, CustomStringConvertible, Equatable {
  /// The message has another address than `/momu/melody`.
  case otherAddress(String)
  /// The argument at `place`, counted from 1, is not a finite number.
  case noNumber(place: Int)
  /// The number of arguments, `count`, is not 1 plus four for each note.
  case incomplete(count: Int)
  /// The melody has `notes` notes, more than the 64 that fit.
  case tooLong(notes: Int)

  /// The error text: what happened and what to do.
  public var description: String {
    switch self {
    case .otherAddress(let address): "\(address) is not the address of a melody: send it to \(Melody.address)"
    case .noNumber(let place): "argument \(place) of a melody must be a number: \(MelodyError.form)"
    case .incomplete(let count): "a melody cannot have \(count) numbers: \(MelodyError.form)"
    case .tooLong(let notes): "a melody of \(notes) notes is too long: send \(Melody.capacity) at most"
    }
  }

  private static let form = "send its length in beats, then beat, length, pitch and velocity of each note"
}
