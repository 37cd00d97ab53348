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
  package let drums: InlineArray<5, Pattern>
  /// The sound of the fifth row of the drums.
  let colour: DrumSound
  package let bass: Pattern
  /// The bass note of each step, in semitones above the chord's root.
  let bassNotes: InlineArray<16, Int8>
  package let guitar: Pattern
  package let keys: Pattern
  /// The length of a keyboard chord, in steps.
  let keysHold: Int
  /// The chords of bars 1 to 4, one per bar; from bar 5 on, the four chords repeat.
  let chords: InlineArray<4, Chord>

  /// For each of sixteen steps, the lowest level of complexity at which the step is played; 0 for never.
  package struct Pattern: Sendable, BitwiseCopyable {
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
      Pattern(drums.0), Pattern(drums.1), Pattern(drums.2), Pattern(drums.3), Pattern(colour.1),
    ]
    self.colour = colour.0
    self.bass = Pattern(bass.0)
    bassNotes = bass.1
    self.guitar = Pattern(guitar)
    self.keys = Pattern(keys.0)
    keysHold = keys.hold
    self.chords = chords
  }
}

extension Style {
  /// All styles, in the order of the band's `style` parameter.
  public static let all: [Style] = [rock, funk, reggae, bossa, house]

  /// Straight eighths, snare on two and four.
  static let rock = Style(
    "rock", tempo: 120,
    drums: ("1.....3.1.4..35.", "....1..5.4..1..4", "1.2.1.2.1.2.1.2.", "..............4."),
    colour: (.cowbell, "5...5...5...5..."),
    bass: ("1.2.3.2.1.2.3.2.", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 7, 0]),
    guitar: "1..42.3.1..42.3.", keys: ("2.......4.......", hold: 8),
    chords: [Chord(0, .major), Chord(9, .minor), Chord(5, .major), Chord(7, .major)])

  /// Sixteenths, additional snares off the beat, few chords.
  static let funk = Style(
    "funk", tempo: 104, swing: 0.2,
    drums: ("1..4..2...3..4..", "....1..3.4..1..3", "1.1.1.1.1.1.1.1.", ".......4......5."),
    colour: (.clap, "....2.......2..."),
    bass: ("1..3..2.4.1..3.2", [0, 0, 0, 12, 0, 0, 10, 0, 7, 0, 0, 0, 0, 12, 0, 10]),
    guitar: "..1.4.3...1.43.5", keys: ("3..5......2.....", hold: 2),
    chords: [Chord(0, .minorSeventh), Chord(0, .minorSeventh), Chord(5, .seventh), Chord(0, .minorSeventh)])

  /// The accent on three, chords off the beat.
  static let reggae = Style(
    "reggae", tempo: 76, swing: 0.4,
    drums: ("........1.....5.", "4.......1..4...3", "2.1.2.1.2.1.2.1.", "..............3."),
    colour: (.rim, "...3..2....3..4."),
    bass: ("1..2..1...2.3.2.", [0, 0, 0, 4, 0, 0, 7, 0, 0, 0, 7, 0, 4, 0, 0, 0]),
    guitar: "....1.......1..5", keys: ("..3...3...3...3.", hold: 1),
    chords: [Chord(0, .minor), Chord(10, .major), Chord(0, .minor), Chord(5, .minor)])

  /// A clave on the rim, and a kick in a rhythm of dotted eighths and sixteenths.
  static let bossa = Style(
    "bossa", tempo: 132,
    drums: ("1..21..21..21..2", "......5....4...5", "2.3.2.3.2.3.2.3.", "................"),
    colour: (.rim, "1..1..1...1..1.."),
    bass: ("1..21..21..21..2", [0, 0, 0, 7, 7, 0, 0, 7, 0, 0, 0, 7, 7, 0, 0, 0]),
    guitar: "1..1..2.1..1..3.", keys: ("3.....4...3.....", hold: 5),
    chords: [Chord(0, .majorSeventh), Chord(9, .minorSeventh), Chord(2, .minorSeventh), Chord(7, .seventh)])

  /// A kick on every beat, an open hi-hat between the beats.
  static let house = Style(
    "house", tempo: 124,
    drums: ("1...1...1...1...", "...............5", "3.3.3.3.3.3.3.34", "..1...1...1...1."),
    colour: (.clap, "....2..5....2..4"),
    bass: ("..1..3.2..1..3.2", [0, 0, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 7, 0, 10]),
    guitar: "...3..4....3..45", keys: ("1..2..2...3.....", hold: 2),
    chords: [Chord(0, .minorSeventh), Chord(8, .majorSeventh), Chord(3, .major), Chord(10, .major)])
}
