/// The look of text in a terminal; weight and colour help the reader and never carry a meaning alone.
package struct TextStyle: OptionSet, Hashable, Sendable {
  package private(set) var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let bold = TextStyle(rawValue: 1)
  package static let faint = TextStyle(rawValue: 2)
  package static let inverse = TextStyle(rawValue: 4)
  package static let red = TextStyle(rawValue: 8)
  package static let green = TextStyle(rawValue: 16)
  package static let yellow = TextStyle(rawValue: 32)
  package static let cyan = TextStyle(rawValue: 64)

  private static let numbers: [(TextStyle, number: Int, isColour: Bool)] = [
    (.bold, 1, false), (.faint, 2, false), (.inverse, 7, false), (.red, 31, true), (.green, 32, true),
    (.yellow, 33, true), (.cyan, 36, true),
  ]

  /// Creates the style that a control sequence such as `ESC [ 1;31 m` sets.
  ///
  /// - Parameters:
  ///   - numbers: the numbers in the sequence, such as 1 for bold; an empty list counts as 0, which resets the style.
  ///     Unknown numbers change nothing.
  ///   - before: the style before the sequence.
  init(_ numbers: [Int], after before: TextStyle) {
    self = before
    for number in numbers.isEmpty ? [0] : numbers {
      switch number {
      case 0: self = []
      case 22: subtract([.bold, .faint])
      case 27: remove(.inverse)
      case 39: subtract([.red, .green, .yellow, .cyan])
      default: if let known = Self.numbers.first(where: { $0.number == number }) { insert(known.0) }
      }
    }
  }

  /// Returns the control sequence that changes the terminal's style from `old` to this style; empty if both look the
  /// same.
  ///
  /// - Source: ECMA-48 (1991), 8.3.117, Select Graphic Rendition.
  func code(after old: TextStyle, hasColour: Bool) -> String {
    let isShown = { (number: (TextStyle, number: Int, isColour: Bool)) in hasColour || !number.isColour }
    let numbers = { (style: TextStyle) in
      Self.numbers.filter { style.contains($0.0) && isShown($0) }.map { "\($0.number)" }
    }
    // What is added needs no reset.
    let isMore = numbers(old.subtracting(self)).isEmpty
    let parts = isMore ? numbers(subtracting(old)) : ["0"] + numbers(self)
    return parts.isEmpty ? "" : "\u{1B}[" + parts.joined(separator: ";") + "m"
  }
}
