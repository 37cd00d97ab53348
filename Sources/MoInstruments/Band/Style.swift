/// A style of the band: patterns for drums, bass, guitar and keyboard, at five levels of complexity.
///
/// A pattern has a character for each sixteenth of a 4/4 bar: a dot for silence, or a digit for a note. The digit is
/// the lowest level at which the note sounds. A note with the digit 1 always sounds; a note with the digit 5 sounds
/// only while all players move wildly. So each level contains all notes of the levels below it.
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
public struct Style: Sendable, BitwiseCopyable {
  /// The name of the style, as a console shows it, such as `rock`.
  public let name: StaticString
  /// The swing, 0 … 1; see `SwungSteps`.
  public let swing: Float
  /// The tempo that suits the style.
  public let tempo: Tempo

  /// The rows of the drums: kick, snare, closed hi-hat, open hi-hat, and a fifth sound, `colour`.
  let drums: InlineArray<5, Strokes>
  /// The sound of the fifth row of the drums.
  let colour: DrumSound
  let bass: Strokes
  /// The bass note of each step, in semitones above the chord's root.
  let bassNotes: InlineArray<16, Int8>
  let guitar: Strokes
  let keys: Strokes
  /// The length of a keyboard chord, in steps.
  let keysHold: Int
  /// The chords of bars 1 to 4, one per bar; from bar 5 on, the four chords repeat.
  let chords: InlineArray<4, Chord>

  /// For each of sixteen steps, the lowest level of complexity at which the step is played; 0 for never.
  struct Strokes: Sendable, BitwiseCopyable {
    var levels: InlineArray<16, UInt8>

    /// Parses sixteen characters, such as `1.2.1.2.1.2.1.2.`: digits for levels, dots for silence.
    init(_ text: StaticString) {
      levels = InlineArray(repeating: 0)
      text.withUTF8Buffer { bytes in
        precondition(bytes.count == 16, "a bar has sixteen steps")
        for step in 0..<16 where bytes[step] != UInt8(ascii: ".") {
          levels[step] = bytes[step] - UInt8(ascii: "0")
        }
      }
    }
  }

  /// A chord: its root in semitones above the band's key note (parameter `key`), and its kind.
  struct Chord: Sendable, BitwiseCopyable {
    enum Kind: Sendable, BitwiseCopyable {
      case major, minor, seventh, minorSeventh, majorSeventh
    }

    var root: Int8
    var kind: Kind

    init(_ root: Int8, _ kind: Kind) { (self.root, self.kind) = (root, kind) }

    /// The four notes, in semitones above the root.
    var notes: SIMD4<Int8> {
      switch kind {
      case .major: SIMD4(0, 4, 7, 12)
      case .minor: SIMD4(0, 3, 7, 12)
      case .seventh: SIMD4(0, 4, 7, 10)
      case .minorSeventh: SIMD4(0, 3, 7, 10)
      case .majorSeventh: SIMD4(0, 4, 7, 11)
      }
    }
  }

  init(
    _ name: StaticString, tempo: Tempo, swing: Float = 0,
    drums: (StaticString, StaticString, StaticString, StaticString),
    colour: (DrumSound, StaticString), bass: (StaticString, InlineArray<16, Int8>), guitar: StaticString,
    keys: (StaticString, hold: Int), chords: InlineArray<4, Chord>
  ) {
    (self.name, self.tempo, self.swing) = (name, tempo, swing)
    self.drums = [
      Strokes(drums.0), Strokes(drums.1), Strokes(drums.2), Strokes(drums.3), Strokes(colour.1),
    ]
    self.colour = colour.0
    self.bass = Strokes(bass.0)
    bassNotes = bass.1
    self.guitar = Strokes(guitar)
    self.keys = Strokes(keys.0)
    keysHold = keys.hold
    self.chords = chords
  }
}
