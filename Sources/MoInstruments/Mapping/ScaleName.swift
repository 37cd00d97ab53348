import MoDSP

/// The scales and chords that have a name in a mapping.
enum ScaleName {
  static let all: [(name: String, make: @Sendable (Int) -> Scale)] = [
    ("chromatic", { .chromatic(root: $0) }), ("major", { .major(root: $0) }), ("minor", { .minor(root: $0) }),
    ("harmonic-minor", { .harmonicMinor(root: $0) }), ("dorian", { .dorian(root: $0) }),
    ("mixolydian", { .mixolydian(root: $0) }), ("major-pentatonic", { .majorPentatonic(root: $0) }),
    ("minor-pentatonic", { .minorPentatonic(root: $0) }), ("blues", { .blues(root: $0) }),
    ("whole-tone", { .wholeTone(root: $0) }), ("major-chord", { .majorChord(root: $0) }),
    ("minor-chord", { .minorChord(root: $0) }), ("diminished-chord", { .diminishedChord(root: $0) }),
    ("augmented-chord", { .augmentedChord(root: $0) }), ("dominant-seventh", { .dominantSeventh(root: $0) }),
    ("major-seventh", { .majorSeventh(root: $0) }), ("minor-seventh", { .minorSeventh(root: $0) }),
  ]

  static func scale(_ name: String, root: Int) -> Scale? { all.first { $0.name == name }?.make(root) }
}
