/// A play: a message from one player to others.
public enum SessionPlay: Hashable, Sendable {
  /// A strike.
  case hit(SessionHit)
  /// The beginning or end of a note.
  case note(SessionNote)
  /// A melody, which the receivers can repeat and change.
  case melody(SessionMelody)
  /// A change of a parameter of the receiver's instrument.
  case change(SessionChange)
  /// The movement of a player.
  case gesture(SessionGesture)
  /// A change of a shared setting, such as a drum pattern.
  case cells(SharedEdits)
  /// A cue: a request to other players, such as to come in at a beat.
  case cue(SessionCue)
  /// A line of text that a player typed.
  case text(SessionText)
}

/// A strike on a drum or instrument.
public struct SessionHit: Hashable, Sendable {
  /// The force, 0…1; NaN counts as 0.
  public var force: Float
  /// The number of a drum at the receiver, 1…127; 0 for a strike without a drum.
  ///
  /// A `RemotePart` plays the MIDI note with this number, as in General MIDI percussion.
  public var drum: Int32
  /// The shared name of an instrument at the receiver, at most 40 bytes.
  ///
  /// If the name is empty, every instrument that the receiver shares plays the strike.
  public var instrument: String

  /// Creates a hit; values out of range are clamped.
  public init(force: Float, drum: Int = 0, instrument: String = "") {
    self.force = force.within(0...1)
    self.drum = Int32(max(0, min(drum, 127)))
    self.instrument = instrument
  }
}

/// The beginning or end of a note.
public struct SessionNote: Hashable, Sendable {
  /// The MIDI note number, 0…127, such as 69 for 440 Hz; fractions of a semitone are allowed.
  public var pitch: Float
  /// The velocity, 0…1; 0 releases the note.
  public var velocity: Float
  /// The length in beats, 0…256; if it is 0, the note lasts until it is released.
  public var length: Float
  /// The shared name of an instrument at the receiver, at most 40 bytes.
  ///
  /// If the name is empty, every instrument that the receiver shares plays the note.
  public var instrument: String

  /// Creates a note; values out of range are clamped.
  public init(pitch: Float, velocity: Float = 0.8, length: Float = 0, instrument: String = "") {
    self.pitch = pitch.within(0...127)
    self.velocity = velocity.within(0...1)
    self.length = length.within(0...256)
    self.instrument = instrument
  }
}

/// A melody: notes that other members can repeat and change.
public struct SessionMelody: Hashable, Sendable {
  /// One note of the melody.
  public struct Note: Hashable, Sendable {
    /// The start of the note, in beats from the start of the melody.
    public var beat: Float
    /// The length of the note in beats.
    public var length: Float
    /// The MIDI note number, 0…127.
    public var pitch: Float
    /// The velocity, 0…1.
    public var velocity: Float

    /// Creates a note; values out of range are clamped.
    public init(beat: Float, length: Float, pitch: Float, velocity: Float = 0.8) {
      self.beat = beat.within(0...256)
      self.length = length.within(0...256)
      self.pitch = pitch.within(0...127)
      self.velocity = velocity.within(0...1)
    }
  }

  /// The largest number of notes in a message; a message with 64 notes has 1,368 bytes.
  public static let most = 64

  /// The length of the melody in beats, 0…256.
  ///
  /// If a receiver repeats the melody, each repetition starts after this length.
  public var beats: Float
  /// The notes of the melody.
  public var notes: [Note]

  /// Creates a melody from its length and its notes; a length out of range is clamped.
  public init(beats: Float, _ notes: [Note]) { (self.beats, self.notes) = (beats.within(0...256), notes) }
}

/// A change of a parameter of the receiver's instrument.
public struct SessionChange: Hashable, Sendable {
  /// The parameter's name, 1 to 64 bytes.
  public var name: String
  /// The parameter's new value.
  public var value: Float
  /// The shared name of an instrument at the receiver, at most 40 bytes.
  ///
  /// If the name is empty, the change applies to every instrument that the receiver shares.
  public var instrument: String

  /// Creates a change; NaN counts as 0.
  public init(_ name: String, _ value: Float, instrument: String = "") {
    (self.name, self.value, self.instrument) = (name, value.within(-1e9...1e9), instrument)
  }

  /// A key that is unique among the parameters of all instruments.
  var fullName: String { "\(instrument)/\(name)" }
}

/// The movement of a player, sent to another member that makes the sound.
public struct SessionGesture: Hashable, Sendable {
  /// The amount of movement, 0…1.
  public var activity: Float
  /// The tilt to the right (right edge down), in degrees, -180…180.
  public var roll: Float
  /// The tilt upwards (top edge up), in degrees, -180…180.
  public var pitch: Float

  /// Creates a gesture; values out of range are clamped.
  public init(activity: Float, roll: Float = 0, pitch: Float = 0) {
    self.activity = activity.within(0...1)
    self.roll = roll.within(-180...180)
    self.pitch = pitch.within(-180...180)
  }
}

/// A cue: a request to other players to come in, to leave off or to be ready, or only words.
public struct SessionCue: Hashable, Sendable, CustomStringConvertible {
  /// The requests that a cue can make of its receivers.
  public enum Sign: Int32, CaseIterable, Sendable {
    /// Be ready, or read the words.
    case ready = 0
    /// Play from the cue's beat on.
    case comeIn = 1
    /// Be silent from the cue's beat on.
    case leaveOff = 2
    /// Hand me the baton; sent by a member that does not conduct.
    case askForBaton = 3
  }

  /// The request that the cue makes of its receivers.
  public var sign: Sign
  /// The words of the cue, cut to 40 characters; usually empty.
  public var text: String

  /// Creates a cue from a request and optional words.
  public init(_ sign: Sign, _ text: String = "") {
    (self.sign, self.text) = (sign, SessionIdentity.sanitized(text))
  }

  /// The text that is shown: `come in`, `leave off: the bridge`, or the words alone.
  public var description: String {
    let word: String
    switch sign {
    case .ready: return text.isEmpty ? "get ready" : text
    case .comeIn: word = "come in"
    case .leaveOff: word = "leave off"
    case .askForBaton: word = "asks for the baton"
    }
    return text.isEmpty ? word : "\(word): \(text)"
  }
}

extension SessionPlay {
  /// The shared name of the instrument at the receiver that plays the event.
  ///
  /// If the name is empty, every instrument that the receiver shares plays the event.
  public var instrument: String {
    switch self {
    case .hit(let hit): hit.instrument
    case .note(let note): note.instrument
    case .change(let change): change.instrument
    default: ""
    }
  }

  /// Returns the play with its force, velocity or activity multiplied by a weight of 0…1.
  package func weakened(by weight: Float) -> SessionPlay {
    switch self {
    case .hit(var hit):
      hit.force *= weight
      return .hit(hit)
    case .note(var note):
      note.velocity *= weight
      return .note(note)
    case .melody(var melody):
      for place in melody.notes.indices { melody.notes[place].velocity *= weight }
      return .melody(melody)
    case .gesture(var gesture):
      gesture.activity *= weight
      return .gesture(gesture)
    case .change, .cells, .cue, .text: return self
    }
  }
}

extension Float {
  /// Returns the value clamped to a range; NaN becomes 0, or the end nearest to 0 if 0 is outside the range.
  package func within(_ range: ClosedRange<Float>) -> Float {
    Swift.max(range.lowerBound, Swift.min(isNaN ? 0 : self, range.upperBound))
  }
}

/// The plays for tapes: they sound only on this machine, and are sent to the other members that record a tape.
extension SessionPlay {
  /// The prefix of an instrument's name in a play for tapes: the play then sounds on no receiver's machine.
  private static let tapePrefix = "tape/"

  /// This play as a play for tapes: `tape/` precedes the instrument's name, which is cut to the length that a message
  /// allows.
  package var forTapes: SessionPlay {
    guard !isForTapes else { return self }
    var name = instrument
    while Self.tapePrefix.utf8.count + name.utf8.count > Self.mostInstrument { name.removeLast() }
    return named(Self.tapePrefix + name)
  }

  /// Whether the play is only for tapes, and sounds on no receiver's machine.
  package var isForTapes: Bool { instrument.hasPrefix(Self.tapePrefix) }

  /// The name of the play's instrument, without the prefix of a play for tapes; empty if the play names no instrument.
  package var soundingInstrument: String {
    isForTapes ? String(instrument.dropFirst(Self.tapePrefix.count)) : instrument
  }

  /// Returns the same play for another instrument; melodies, gestures, shared data, cues and texts are returned
  /// unchanged.
  package func named(_ instrument: String) -> SessionPlay {
    switch self {
    case .hit(var hit):
      hit.instrument = instrument
      return .hit(hit)
    case .note(var note):
      note.instrument = instrument
      return .note(note)
    case .change(var change):
      change.instrument = instrument
      return .change(change)
    case .melody, .gesture, .cells, .cue, .text: return self
    }
  }
}
