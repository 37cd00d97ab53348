import MoDSP

/// The scales and chords that a mapping can name; the parameter `scale` of an instrument selects from the first six.
enum NamedScale: Int, CaseIterable {
  case majorPentatonic, minorPentatonic, major, minor, wholeTone, chromatic
  case harmonicMinor, dorian, mixolydian, blues
  case majorChord, minorChord, diminishedChord, augmentedChord
  case dominantSeventh, majorSeventh, minorSeventh

  init?(_ name: String) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  var name: String {
    switch self {
    case .majorPentatonic: "major-pentatonic"
    case .minorPentatonic: "minor-pentatonic"
    case .major: "major"
    case .minor: "minor"
    case .wholeTone: "whole-tone"
    case .chromatic: "chromatic"
    case .harmonicMinor: "harmonic-minor"
    case .dorian: "dorian"
    case .mixolydian: "mixolydian"
    case .blues: "blues"
    case .majorChord: "major-chord"
    case .minorChord: "minor-chord"
    case .diminishedChord: "diminished-chord"
    case .augmentedChord: "augmented-chord"
    case .dominantSeventh: "dominant-seventh"
    case .majorSeventh: "major-seventh"
    case .minorSeventh: "minor-seventh"
    }
  }

  /// Returns the scale or chord with the given root, a MIDI note number.
  ///
  /// - Real-time safe: yes.
  func scale(root: Int) -> Scale {
    switch self {
    case .majorPentatonic: .majorPentatonic(root: root)
    case .minorPentatonic: .minorPentatonic(root: root)
    case .major: .major(root: root)
    case .minor: .minor(root: root)
    case .wholeTone: .wholeTone(root: root)
    case .chromatic: .chromatic(root: root)
    case .harmonicMinor: .harmonicMinor(root: root)
    case .dorian: .dorian(root: root)
    case .mixolydian: .mixolydian(root: root)
    case .blues: .blues(root: root)
    case .majorChord: .majorChord(root: root)
    case .minorChord: .minorChord(root: root)
    case .diminishedChord: .diminishedChord(root: root)
    case .augmentedChord: .augmentedChord(root: root)
    case .dominantSeventh: .dominantSeventh(root: root)
    case .majorSeventh: .majorSeventh(root: root)
    case .minorSeventh: .minorSeventh(root: root)
    }
  }

  /// Returns the parameter `scale`, with which users select the first six scales by the numbers 0 … 5.
  static func parameter(default number: Float) -> Parameter {
    Parameter(
      "scale", 0...5, default: number, smoothing: 0, step: 1,
      about: "0 major pentatonic, 1 minor pentatonic, 2 major, 3 minor, 4 whole tones, 5 all twelve")
  }

  /// Returns the scale for a value of the parameter `scale`, with the given root; an unknown number selects the
  /// chromatic scale.
  ///
  /// - Real-time safe: yes.
  static func chosen(_ number: Float, root: Int) -> Scale {
    (NamedScale(rawValue: Int(number)) ?? .chromatic).scale(root: root)
  }
}
