import MoMu

/// The action of a key in a `DrumConsole`.
enum DrumKey: Equatable {
  /// A move of the cursor, `rows` down and `steps` to the right; negative numbers move it up and left.
  case move(rows: Int, steps: Int)
  case toggle
  /// The new velocity of the step at the cursor, 0.1 … 0.9.
  case velocity(Float)
  case start
  case pause
  /// A change of the tempo, in beats per minute; negative if the rhythm becomes slower.
  case tempo(Double)
  case swing(Float)
  case mute
  case level(Float)
  case sound
  case pattern
  case chain
  case undo
  case clear

  /// Creates the action of a key; nil if the key has no action.
  init?(_ key: TerminalKey) {
    switch key {
    case .up: self = .move(rows: -1, steps: 0)
    case .down: self = .move(rows: 1, steps: 0)
    case .right: self = .move(rows: 0, steps: 1)
    case .left: self = .move(rows: 0, steps: -1)
    case .character("x"), .character("\n"), .character("\r"): self = .toggle
    case .character(" "): self = .start
    case .character("p"): self = .pause
    case .character("+"), .character("="): self = .tempo(5)
    case .character("-"), .character("_"): self = .tempo(-5)
    case .character(","): self = .swing(-0.05)
    case .character("."): self = .swing(0.05)
    case .character("m"): self = .mute
    case .character("<"): self = .level(-0.1)
    case .character(">"): self = .level(0.1)
    case .character("s"): self = .sound
    case .character("n"): self = .pattern
    case .character("a"): self = .chain
    case .character("u"): self = .undo
    case .character("c"): self = .clear
    case .character(let letter):
      guard let digit = letter.wholeNumberValue, digit > 0 else { return nil }
      self = .velocity(Float(digit) / 10)
    default: return nil
    }
  }
}
