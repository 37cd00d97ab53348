/// A QR code drawn in a terminal, with two modules in each character, one above the other.
///
/// The colours are always black on white: a terminal's own colours are often light on dark, and many phones cannot read
/// such a code. The light margin of four modules is part of the code.
package enum QRPicture {
  /// The width of the light margin around the code, in modules, by the standard.
  static let margin = 4

  /// Returns the number of columns of the picture.
  package static func columns(_ code: QRCode) -> Int { code.width + 2 * margin }

  /// Returns the lines of the picture.
  package static func lines(_ code: QRCode) -> [String] {
    let range = -margin..<code.width + margin
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
      let characters = range.map { column -> Character in
        switch (code[column, row], code[column, row + 1]) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }
      // Colours 16 and 231 of the 256: the black and the white that no theme changes.
      return "\u{1B}[38;5;16;48;5;231m" + String(characters) + "\u{1B}[0m"
    }
  }
}
