import Glibc

/// A QR code of a text: a square of dark and light cells (modules).
///
/// The library libqrencode creates the code; it is loaded if it is installed.
///
/// - Source: ISO/IEC 18004 (2015); libqrencode 4.1, `qrencode.h`.
package struct QRCode: Equatable, Sendable {
  /// The number of modules on a side.
  package let width: Int
  /// The modules, row by row: true is dark.
  let modules: [Bool]

  /// The command that installs the library.
  package static let advice = "sudo apt-get install libqrencode4"

  /// Creates the smallest code of a text; nil without the library, or if the text is too long.
  package init?(_ text: String) {
    guard let library = QRCode.library else { return nil }
    defer { dlclose(library) }
    guard let encode = dlsym(library, "QRcode_encodeString"), let free = dlsym(library, "QRcode_free") else {
      return nil
    }
    let encodeString = unsafeBitCast(encode, to: Encode.self)
    // Version 0 means the smallest that fits. Level 0 corrects least, since a screen has no stains. Mode 2 is any byte;
    // case is kept.
    guard let code = text.withCString({ encodeString($0, 0, 0, 2, 1) }) else { return nil }
    defer { unsafeBitCast(free, to: Free.self)(code) }
    // struct QRcode: int version, int width, unsigned char *data. The lowest bit of each byte is its module.
    let width = Int(code.load(fromByteOffset: 4, as: Int32.self))
    guard width > 0, let data = code.load(fromByteOffset: 8, as: UnsafePointer<UInt8>?.self) else {
      return nil
    }
    self.width = width
    modules = (0..<width * width).map { data[$0] & 1 == 1 }
  }

  /// Whether a module is dark; modules outside the code are light.
  subscript(column: Int, row: Int) -> Bool {
    guard (0..<width).contains(column), (0..<width).contains(row) else { return false }
    return modules[row * width + column]
  }

  private typealias Encode =
    @convention(c) (UnsafePointer<CChar>, Int32, Int32, Int32, Int32) -> UnsafeMutableRawPointer?
  private typealias Free = @convention(c) (UnsafeMutableRawPointer) -> Void

  private static var library: UnsafeMutableRawPointer? { dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL) }
}

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
