import MoCore
import MoRuntime

/// The terminal's keys as buttons: each letter and digit is the key of its name, such as `KEY_A`.
///
/// A terminal does not report the release of a key: a button is released 0.15 s after its key was typed.
package struct KeyedButtons: KeyControl {
  private var held: [Held] = []

  package init() {}

  private struct Held {
    var code: UInt16
    var end: HostTime
  }

  /// The time for which a button is held, in seconds.
  static let length = 0.15

  package mutating func takeOver(from last: Button, at now: HostTime) -> [Button] {
    last.isPressed ? [Button(time: now, code: last.code, isPressed: false)] : []
  }

  package mutating func handleKey(_ key: TerminalKey, at now: HostTime) -> [Button]? {
    guard let code = Button.code(KeyedButtons.name(key)) else { return nil }
    let released = held.filter { $0.code == code }.map { Button(time: now, code: $0.code, isPressed: false) }
    held.removeAll { $0.code == code }
    held.append(Held(code: code, end: now.advanced(bySeconds: KeyedButtons.length)))
    return released + [Button(time: now, code: code, isPressed: true)]
  }

  package var nextTime: HostTime? { held.map(\.end).min() }

  package mutating func due(at now: HostTime) -> [Button] {
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

/// A finger on the arrow keys: an arrow puts it down and moves it; space lifts it or puts it down.
package struct KeyedFinger: KeyControl {
  private var place = SIMD2<Float>(0.5, 0.5)
  private var id: Int32 = 0
  private var isDown = false

  package init() {}

  /// The distance that an arrow key moves the finger, as a share of the surface's width or height.
  static let step: Float = 1 / 36

  package mutating func takeOver(from last: Touch, at now: HostTime) -> [Touch] {
    id = last.id
    guard !last.isOver else { return [] }
    var end = last
    (end.time, end.phase, end.hasMore) = (now, .ended, false)
    return [end]
  }

  package mutating func handleKey(_ key: TerminalKey, at now: HostTime) -> [Touch]? {
    switch key {
    case .left: [move(SIMD2(-1, 0), now)]
    case .right: [move(SIMD2(1, 0), now)]
    case .up: [move(SIMD2(0, -1), now)]
    case .down: [move(SIMD2(0, 1), now)]
    case .character(" "): [isDown ? lift(now) : touch(.began, now)]
    default: nil
    }
  }

  private mutating func move(_ way: SIMD2<Float>, _ now: HostTime) -> Touch {
    place = (place + way * KeyedFinger.step).clamped(lowerBound: .zero, upperBound: SIMD2(1, 1))
    return touch(isDown ? .moved : .began, now)
  }

  private mutating func lift(_ now: HostTime) -> Touch {
    isDown = false
    return touch(.ended, now)
  }

  private mutating func touch(_ phase: Touch.Phase, _ now: HostTime) -> Touch {
    if phase == .began {
      isDown = true
      id = id < .max ? id + 1 : 1
    }
    return Touch(time: now, id: id, phase: phase, x: place.x, y: place.y)
  }
}

/// A heading that the arrow keys change: the keys left and right turn it, the key up sets it to north.
package struct KeyedHeading: KeyControl {
  private var degrees: Float = 0

  package init() {}

  /// The angle by which an arrow key turns the heading, in degrees.
  static let step: Float = 10

  package mutating func takeOver(from last: Heading, at now: HostTime) -> [Heading] {
    degrees = last.magneticHeading
    return []
  }

  package mutating func handleKey(_ key: TerminalKey, at now: HostTime) -> [Heading]? {
    switch key {
    case .left: degrees = Heading.wrapped(degrees - KeyedHeading.step)
    case .right: degrees = Heading.wrapped(degrees + KeyedHeading.step)
    case .up: degrees = 0
    default: return nil
    }
    return [Heading(time: now, magnetic: degrees, accuracy: 0)]
  }
}
