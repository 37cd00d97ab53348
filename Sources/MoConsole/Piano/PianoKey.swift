import MoMu

/// The action of a key in a `PianoConsole`.
enum PianoKey: Equatable {
  case letter(Character, isLoud: Bool)
  case move(Int)
  case widen(Int)
  case pedal
  case silence

  /// Creates the action of a key that was typed; nil for a key without an action.
  init?(_ key: TerminalKey) {
    switch key {
    case .up: self = .widen(1)
    case .down: self = .widen(-1)
    case .right: self = .move(1)
    case .left: self = .move(-1)
    case .character(" "): self = .pedal
    case .character("!"): self = .silence
    case .character(let typed):
      if let digit = PianoKey.shifted[typed] {
        self = .letter(digit, isLoud: true)
        return
      }
      let small = Character(typed.lowercased())
      guard PianoRange.lowerRow.contains(small) || PianoRange.upperRow.contains(small) else { return nil }
      self = .letter(small, isLoud: small != typed)
    default: return nil
    }
  }

  /// The characters that digits and the comma give with Shift on a US keyboard, each with its unshifted character.
  ///
  /// Only keys that play a note are listed. So "!" is absent, since 1 plays no note.
  private static let shifted: [Character: Character] = [
    "@": "2", "#": "3", "%": "5", "^": "6", "&": "7", "<": ",",
  ]
}
