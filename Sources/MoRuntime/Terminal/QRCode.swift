import Glibc

/// A QR code of a text: a square of dark and light cells (modules).
///
/// The library libqrencode creates the code; it is loaded if it is installed.
///
/// - Source: ISO/IEC 18004 (2015); libqrencode 4.1, `qrencode.h`.
package struct QRCode: Equatable, Sendable {
  /// The number of modules on a side.
  let width: Int
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
