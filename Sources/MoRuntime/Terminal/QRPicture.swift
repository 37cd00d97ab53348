/// A QR code drawn in a terminal: two modules, one above the other, a character.
///
/// Colours are explicit, black on white, since a terminal's own are as often the other way round, which many
/// phones cannot read. The light margin of four modules belongs to the code.
package enum QRPicture {
  /// Modules of light around the code, as the standard wants.
  static let margin = 4

  /// How many columns the picture takes.
  package static func columns(_ code: QRCode) -> Int { code.width + 2 * margin }

  /// The lines of the picture.
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
      // Of the 256 colours, 16 and 231: the black and the white that no theme changes.
      return "\u{1B}[38;5;16;48;5;231m" + String(characters) + "\u{1B}[0m"
    }
  }
}
