import Glibc

/// A converter of a QR code drawn with characters to an image, for a program that reads such codes.
public enum QRDrawing {
  /// Writes the QR code as a PGM file, 8 × 8 pixels for each square of the code; colours of the text are ignored.
  ///
  /// - Returns: false if there is nothing to write, or if the file cannot be created.
  public static func write(_ lines: some Sequence<some StringProtocol>, to path: String) -> Bool {
    let rows = lines.map { plain($0) }.flatMap { line in
      [line.map { "█▀".contains($0) }, line.map { "█▄".contains($0) }]
    }
    guard let width = rows.first?.count, let file = fopen(path, "wb") else { return false }
    defer { fclose(file) }
    fputs("P5 \(width * 8) \(rows.count * 8) 255\n", file)
    for row in rows {
      for _ in 0..<8 { for isDark in row { for _ in 0..<8 { fputc(isDark ? 0 : 255, file) } } }
    }
    return true
  }

  /// Returns the line without colour codes, and without the carriage return that a terminal adds.
  public static func plain(_ line: some StringProtocol) -> String {
    var text = ""
    var isColour = false
    for scalar in line.unicodeScalars where scalar != "\r" {
      if scalar == "\u{1B}" {
        isColour = true
      } else if isColour {
        isColour = scalar != "m"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
