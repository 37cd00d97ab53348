/// What players send each other.
public enum SessionPlay: Hashable, Sendable {
  /// Something is struck.
  case hit(SessionHit)
  /// A note begins or ends.
  case note(SessionNote)
  /// Notes to be repeated and changed elsewhere.
  case melody(SessionMelody)
  /// A parameter of the receiver's instrument is altered.
  case change(SessionChange)
  /// How a player moves.
  case gesture(SessionGesture)
  /// Something that is shared is changed.
  case cells(SharedEdits)
  /// A leader gives a sign.
  case cue(SessionCue)
  /// A player types a line.
  case text(SessionText)
}

/// Something is struck.
public struct SessionHit: Hashable, Sendable {
  /// How hard, 0…1; no number counts as 0.
  public var force: Float
  /// Which of the receiver's drums, 0…127.
  public var drum: Int32
  /// Which of the receiver's instruments, by its name, 40 bytes at most; empty for whatever it plays.
  public var instrument: String

  /// A hit; numbers out of range count as the range's end.
  public init(force: Float, drum: Int = 0, instrument: String = "") {
    self.force = force.within(0...1)
    self.drum = Int32(max(0, min(drum, 127)))
    self.instrument = instrument
  }
}

/// A note begins or ends.
public struct SessionNote: Hashable, Sendable {
  /// As MIDI counts, 0…127, 69 is 440 Hz; parts of a semitone count.
  public var pitch: Float
  /// How hard, 0…1; 0 lets the note go.
  public var velocity: Float
  /// How long it lasts, in beats, 0…256; 0 until it is ended.
  public var length: Float
  /// Which of the receiver's instruments, by its name, 40 bytes at most; empty for whatever it plays.
  public var instrument: String

  /// A note; numbers out of range count as the range's end.
  public init(pitch: Float, velocity: Float = 0.8, length: Float = 0, instrument: String = "") {
    self.pitch = pitch.within(0...127)
    self.velocity = velocity.within(0...1)
    self.length = length.within(0...256)
    self.instrument = instrument
  }
}

/// Notes to be repeated and changed elsewhere.
public struct SessionMelody: Hashable, Sendable {
  /// One note of it.
  public struct Note: Hashable, Sendable {
    /// When it begins, in beats from the melody's beginning.
    public var beat: Float
    /// How long it lasts, in beats.
    public var length: Float
    /// As MIDI counts, 0…127.
    public var pitch: Float
    /// How hard, 0…1.
    public var velocity: Float

    /// A note; numbers out of range count as the range's end.
    public init(beat: Float, length: Float, pitch: Float, velocity: Float = 0.8) {
      self.beat = beat.within(0...256)
      self.length = length.within(0...256)
      self.pitch = pitch.within(0...127)
      self.velocity = velocity.within(0...1)
    }
  }

  /// Most notes that one message holds: 1,112 bytes.
  public static let most = 64

  /// Beats after which it begins again, 0…256.
  public var beats: Float
  /// Its notes.
  public var notes: [Note]

  /// A melody.
  public init(beats: Float, _ notes: [Note]) { (self.beats, self.notes) = (beats.within(0...256), notes) }
}

/// A parameter of the receiver's instrument is altered.
public struct SessionChange: Hashable, Sendable {
  /// Which, 1…64 bytes.
  public var name: String
  /// What it is to become.
  public var value: Float
  /// Which of the receiver's instruments, by its name, 40 bytes at most; empty for whatever it plays.
  public var instrument: String

  /// A change; no number counts as 0.
  public init(_ name: String, _ value: Float, instrument: String = "") {
    (self.name, self.value, self.instrument) = (name, value.within(-1e9...1e9), instrument)
  }

  /// What tells it from other parameters, those of other instruments too.
  var fullName: String { "\(instrument)/\(name)" }
}

/// How a player moves, for a member that makes the sound elsewhere.
public struct SessionGesture: Hashable, Sendable {
  /// How much, 0…1.
  public var activity: Float
  /// Tipped to the right, the right edge down, in degrees, -180…180.
  public var roll: Float
  /// The top edge up, in degrees, -180…180.
  public var pitch: Float

  /// A gesture; numbers out of range count as the range's end.
  public init(activity: Float, roll: Float = 0, pitch: Float = 0) {
    self.activity = activity.within(0...1)
    self.roll = roll.within(-180...180)
    self.pitch = pitch.within(-180...180)
  }
}

/// A sign of who leads: come in, leave off, be ready, or just words.
public struct SessionCue: Hashable, Sendable, CustomStringConvertible {
  /// What it asks for.
  public enum Sign: Int32, CaseIterable, Sendable {
    /// To be ready, or to read the words.
    case ready = 0
    /// To play from its beat on.
    case comeIn = 1
    /// To be silent from its beat on.
    case leaveOff = 2
    /// To be handed the baton, by a member that does not conduct.
    case askForBaton = 3
  }

  /// What it asks for.
  public var sign: Sign
  /// Words for people, cut to 40 characters; mostly none.
  public var text: String

  /// A sign, and words that go with it.
  public init(_ sign: Sign, _ text: String = "") {
    (self.sign, self.text) = (sign, SessionIdentity.tidy(text))
  }

  /// As it is shown: `come in`, `leave off: the bridge`, or the words alone.
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
  /// Which of the receiver's instruments it is for; empty for whatever it plays.
  public var instrument: String {
    switch self {
    case .hit(let hit): hit.instrument
    case .note(let note): note.instrument
    case .change(let change): change.instrument
    default: ""
    }
  }

  /// The same, less strong.
  func weakened(by weight: Float) -> SessionPlay {
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
  /// The nearest number in a range; 0, or the range's end next to it, for what is none.
  package func within(_ range: ClosedRange<Float>) -> Float {
    Swift.max(range.lowerBound, Swift.min(isNaN ? 0 : self, range.upperBound))
  }
}
