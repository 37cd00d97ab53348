import MoCore
import MoRuntime

/// The terminal's keys as buttons: each letter and digit is the key of its name, such as `KEY_A`.
///
/// A terminal does not report the release of a key: a button is released 0.15 s after its key was typed.
struct KeyedButtons: KeyControl {
  private var held: [Held] = []

  private struct Held {
    var code: UInt16
    var end: HostTime
  }

  /// The time for which a button is held, in seconds.
  static let length = 0.15

  mutating func takeOver(from last: Button, at now: HostTime) -> [Button] {
    last.isPressed ? [Button(time: now, code: last.code, isPressed: false)] : []
  }

  mutating func take(_ key: TerminalKey, at now: HostTime) -> [Button]? {
    guard let code = Button.code(KeyedButtons.name(key)) else { return nil }
    let released = held.filter { $0.code == code }.map { Button(time: now, code: $0.code, isPressed: false) }
    held.removeAll { $0.code == code }
    held.append(Held(code: code, end: now.advanced(bySeconds: KeyedButtons.length)))
    return released + [Button(time: now, code: code, isPressed: true)]
  }

  var nextTime: HostTime? { held.map(\.end).min() }

  mutating func due(at now: HostTime) -> [Button] {
    let over = held.filter { $0.end <= now }
    held.removeAll { $0.end <= now }
    return over.map { Button(time: $0.end, code: $0.code, isPressed: false) }
  }

  /// Returns the kernel's name of a key, such as `KEY_A`; empty if the key is not used as a button.
  private static func name(_ key: TerminalKey) -> String {
    switch key {
    case .up: "KEY_UP"
    case .down: "KEY_DOWN"
    case .left: "KEY_LEFT"
    case .right: "KEY_RIGHT"
    case .character(" "): "KEY_SPACE"
    case .character("\n"): "KEY_ENTER"
    case .character(";"): "KEY_SEMICOLON"
    case .character(","): "KEY_COMMA"
    case .character("."): "KEY_DOT"
    case .character(let letter) where letter.isASCII && (letter.isLetter || letter.isNumber):
      "KEY_\(letter.uppercased())"
    default: ""
    }
  }
}
