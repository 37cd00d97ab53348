import MoDSP

/// The scales that a parameter chooses from, by number.
enum ScaleChoice {
  /// What the numbers mean, in a few words.
  static let about = "0 major pentatonic, 1 minor pentatonic, 2 major, 3 minor, 4 whole tones, 5 all twelve"

  /// A parameter that chooses one.
  static func parameter(default number: Float) -> Parameter {
    Parameter("scale", 0...5, default: number, smoothing: 0, step: 1, about: about)
  }

  /// The scale of a number, on a root.
  static func scale(_ number: Float, root: Int) -> Scale {
    switch Int(number) {
    case 0: .majorPentatonic(root: root)
    case 1: .minorPentatonic(root: root)
    case 2: .major(root: root)
    case 3: .minor(root: root)
    case 4: .wholeTone(root: root)
    default: .chromatic(root: root)
    }
  }
}
