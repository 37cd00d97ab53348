import MoMu

/// The action of a key in an `InstrumentConsole`.
enum InstrumentKey: Equatable {
  /// A note to play, in semitones above the C of the console's octave.
  case note(Int)
  case octave(Int)
  case stroke
  case choose(Int)
  case turn(Int)
  case first
  case loop
  case learn
  case cancel
  case off

  /// Creates the action of a key; nil if the key has no action.
  init?(_ key: TerminalKey) {
    switch key {
    case .up: self = .choose(-1)
    case .down: self = .choose(1)
    case .right: self = .turn(1)
    case .left: self = .turn(-1)
    case .character(" "): self = .stroke
    case .character("z"): self = .octave(-1)
    case .character("x"): self = .octave(1)
    case .character(","): self = .choose(-1)
    case .character("."): self = .choose(1)
    case .character("-"): self = .turn(-1)
    case .character("+"), .character("="): self = .turn(1)
    case .character("0"): self = .first
    case .character("r"): self = .loop
    case .character("l"): self = .learn
    case .character("\u{1B}"): self = .cancel
    case .character("!"): self = .off
    case .character(let letter):
      guard let semitone = PianoKeys.semitone(letter) else { return nil }
      self = .note(semitone)
    default: return nil
    }
  }
}
