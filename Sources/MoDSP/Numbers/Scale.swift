/// A scale or chord: a selection of the twelve semitones above a root, the same in every octave.
///
/// ```swift
/// let notes = Scale.minorPentatonic(root: 57)
/// let pitch = MoFun.map(tilt.value, from: (-1, 1), to: (48, 72))
/// sine.frequency = MoFun.midiToHz(notes.nearest(to: pitch))
/// ```
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct Scale: Equatable, Sendable, BitwiseCopyable {
  /// The MIDI note from which the semitones are counted; a root in another octave selects the same notes.
  public var root: Int
  /// The notes of the scale: bit n, 0 … 11, is set if the note n semitones above the root belongs to the scale.
  @usableFromInline var members: UInt16

  /// Creates a scale from the distances of its notes above the root, in semitones, such as `[0, 4, 7]`.
  ///
  /// The octave of a distance does not matter: 12 counts as 0, and −1 as 11. An empty list gives only the root.
  ///
  /// - Real-time safe: no, as it uses an array. The named scales, such as `major`, are real-time safe.
  public init(_ semitones: [Int], root: Int = 60) {
    self.root = root
    members = semitones.isEmpty ? 1 : 0
    for semitone in semitones { members |= 1 << UInt16(Self.modulo12(semitone)) }
  }

  /// Creates a scale from a bit for each semitone above the root; the lowest bit is the root.
  init(bits members: UInt16, root: Int) { (self.members, self.root) = (members, root) }

  /// The number of notes per octave, 1 … 12.
  @inlinable
  public var count: Int { members.nonzeroBitCount }

  /// Returns whether a MIDI note belongs to the scale.
  @inlinable
  public func contains(_ note: Int) -> Bool { members >> UInt16(Self.modulo12(note &- root)) & 1 == 1 }

  /// Returns the MIDI note of the scale nearest to `note`; if two notes are equally near, the lower note.
  ///
  /// - Parameter note: a MIDI note, with fractions of a semitone. It is clamped to ±10,000; NaN counts as
  ///   −10,000.
  @inlinable
  public func nearest(to note: Double) -> Int {
    let note = max(-10_000, min(note, 10_000))
    let below = Int(note.rounded(.down))
    var (nearest, least) = (below, Double.infinity)
    // Every octave contains at least one note.
    for candidate in below - 12...below + 12 where contains(candidate) {
      let distance = abs(Double(candidate) - note)
      if distance < least { (nearest, least) = (candidate, distance) }
    }
    return nearest
  }

  /// Returns the MIDI note of the scale nearest to `note`; if two notes are equally near, the lower note.
  @inlinable @_disfavoredOverload
  public func nearest(to note: Float) -> Int { nearest(to: Double(note)) }

  /// Returns the MIDI note of a degree: 0 is the root, `count` the root an octave above, −1 the note below the root.
  ///
  /// If the root does not belong to the scale, degree 0 is the first note of the scale above the root.
  ///
  /// - Parameter degree: clamped to ±10,000.
  @inlinable
  public func note(_ degree: Int) -> Int {
    let degree = max(-10_000, min(degree, 10_000))
    let inOctave = ((degree % count) + count) % count
    let octave = (degree - inOctave) / count
    var (left, semitone) = (inOctave, 0)
    while members >> UInt16(semitone) & 1 == 0 || left > 0 {
      if members >> UInt16(semitone) & 1 == 1 { left -= 1 }
      semitone += 1
    }
    // If the root itself is not a member, degree 0 is the first member above it.
    return root + 12 * octave + semitone
  }

  @inlinable
  static func modulo12(_ semitone: Int) -> Int { ((semitone % 12) + 12) % 12 }
}

extension Scale {
  /// All twelve semitones.
  public static func chromatic(root: Int = 60) -> Scale { Scale(bits: 0b1111_1111_1111, root: root) }
  /// The major scale.
  public static func major(root: Int = 60) -> Scale { Scale(bits: 0b1010_1011_0101, root: root) }
  /// The natural minor scale.
  public static func minor(root: Int = 60) -> Scale { Scale(bits: 0b0101_1010_1101, root: root) }
  /// The minor scale with a raised seventh.
  public static func harmonicMinor(root: Int = 60) -> Scale { Scale(bits: 0b1001_1010_1101, root: root) }
  /// The Dorian mode: the natural minor scale with a raised sixth.
  public static func dorian(root: Int = 60) -> Scale { Scale(bits: 0b0110_1010_1101, root: root) }
  /// The Mixolydian mode: the major scale with a lowered seventh.
  public static func mixolydian(root: Int = 60) -> Scale { Scale(bits: 0b0110_1011_0101, root: root) }
  /// The major scale without its fourth and seventh: all notes sound well together.
  public static func majorPentatonic(root: Int = 60) -> Scale { Scale(bits: 0b0010_1001_0101, root: root) }
  /// The minor scale without its second and sixth.
  public static func minorPentatonic(root: Int = 60) -> Scale { Scale(bits: 0b0100_1010_1001, root: root) }
  /// The minor pentatonic scale with the blue note, a lowered fifth.
  public static func blues(root: Int = 60) -> Scale { Scale(bits: 0b0100_1110_1001, root: root) }
  /// Six whole tones.
  public static func wholeTone(root: Int = 60) -> Scale { Scale(bits: 0b0101_0101_0101, root: root) }
  /// The chord of a root, its major third and its fifth.
  public static func majorChord(root: Int = 60) -> Scale { Scale(bits: 0b0000_1001_0001, root: root) }
  /// The chord of a root, its minor third and its fifth.
  public static func minorChord(root: Int = 60) -> Scale { Scale(bits: 0b0000_1000_1001, root: root) }
  /// The chord of two stacked minor thirds.
  public static func diminishedChord(root: Int = 60) -> Scale { Scale(bits: 0b0000_0100_1001, root: root) }
  /// The chord of two stacked major thirds.
  public static func augmentedChord(root: Int = 60) -> Scale { Scale(bits: 0b0001_0001_0001, root: root) }
  /// The major chord with a minor seventh.
  public static func dominantSeventh(root: Int = 60) -> Scale { Scale(bits: 0b0100_1001_0001, root: root) }
  /// The major chord with a major seventh.
  public static func majorSeventh(root: Int = 60) -> Scale { Scale(bits: 0b1000_1001_0001, root: root) }
  /// The minor chord with a minor seventh.
  public static func minorSeventh(root: Int = 60) -> Scale { Scale(bits: 0b0100_1000_1001, root: root) }
}
