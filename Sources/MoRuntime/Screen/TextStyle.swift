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

  /// Creates the style that results from a control sequence.
  ///
  /// - Parameters:
  ///   - numbers: the numbers in the sequence; unknown numbers change nothing.
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

  /// Returns the control sequence that sets exactly this style.
  ///
  /// - Source: ECMA-48 (1991), 8.3.117, Select Graphic Rendition.
  func code(hasColour: Bool) -> String {
    let parts = Self.numbers.filter { contains($0.0) && (hasColour || !$0.isColour) }
    return "\u{1B}[" + (["0"] + parts.map { "\($0.number)" }).joined(separator: ";") + "m"
  }
}
