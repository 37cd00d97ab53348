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
