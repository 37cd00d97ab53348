import MoMu

/// What a key does at the piano's desk.
enum PianoKey: Equatable {
  case letter(Character, isLoud: Bool)
  case move(Int)
  case widen(Int)
  case pedal
  case silence

  /// Nil for a key that does nothing here.
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

  /// Digits with Shift as on the keyboards of the United States; "!" is silence instead, and no note's digit is 1.
  private static let shifted: [Character: Character] = [
    "@": "2", "#": "3", "%": "5", "^": "6", "&": "7", "<": ",",
  ]
}
