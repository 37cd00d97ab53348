import MoOrchestra

/// The action of a key in the `BigMamaConsole`.
enum BigMamaKey: Equatable {
  /// The choice of a style of the band, by its index from 0.
  case style(Int)
  case layer(BigMamaSettings.Row)
  case choose(Int)
  case turn(Int)
  /// A change of the chosen player's instrument: 1 for the next in the list, -1 for the previous.
  case instrument(Int)
  /// A change of the tempo: the difference, in beats per minute.
  case tempo(Double)
  case startOrStop
  case takeBaton
  case centralise
  case panic

  /// Creates the action of a key; the result is nil for a key without an action.
  init?(_ key: TerminalKey) {
    switch key {
    case .up: self = .choose(-1)
    case .down: self = .choose(1)
    case .left: self = .turn(-1)
    case .right: self = .turn(1)
    case .character(let letter):
      switch letter {
      case "1"..."5": self = .style((letter.wholeNumberValue ?? 1) - 1)
      case "d": self = .layer(.drums)
      case "b": self = .layer(.bass)
      case "g": self = .layer(.guitar)
      case "k": self = .layer(.keys)
      case ",": self = .choose(-1)
      case ".": self = .choose(1)
      case "<": self = .turn(-1)
      case ">": self = .turn(1)
      case "i": self = .instrument(1)
      case "I": self = .instrument(-1)
      case "+", "=": self = .tempo(5)
      case "-", "_": self = .tempo(-5)
      case " ": self = .startOrStop
      case "t": self = .takeBaton
      case "c": self = .centralise
      case "!": self = .panic
      default: return nil
      }
    default: return nil
    }
  }
}
