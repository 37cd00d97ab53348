/// The pixels of a picture; each is the number of a colour.
struct Canvas {
  let width: Int
  let height: Int
  private(set) var pixels: [UInt8]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    pixels = [UInt8](repeating: 0, count: width * height)
  }

  /// Sets a pixel; ignores pixels outside the picture.
  mutating func set(_ x: Int, _ y: Int, _ colour: UInt8) {
    if (0..<width).contains(x), (0..<height).contains(y) { pixels[y * width + x] = colour }
  }

  mutating func fill(_ columns: Range<Int>, _ rows: Range<Int>, _ colour: UInt8) {
    for y in rows { for x in columns { set(x, y, colour) } }
  }

  /// Draws text with its top left corner at the given position; each dot is 2 × 2 pixels.
  mutating func write(_ text: String, x: Int, y: Int, _ colour: UInt8) {
    for (index, letter) in text.unicodeScalars.enumerated() {
      for (column, dots) in BitmapFont.columns(of: letter).enumerated() {
        for row in 0..<8 where dots >> UInt8(row) & 1 == 1 {
          let left = x + index * Canvas.advance + column * 2
          fill(left..<(left + 2), (y + row * 2)..<(y + row * 2 + 2), colour)
        }
      }
    }
  }

  /// The distance between letters and the height of a letter, in pixels.
  static let (advance, letter) = (12, 14)

  static func width(of text: String) -> Int { text.unicodeScalars.count * advance - 2 }
}
