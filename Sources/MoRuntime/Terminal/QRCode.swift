import Glibc

/// A text as a square of dark and light modules, by libqrencode, which is loaded where it is installed.
///
/// - Source: ISO/IEC 18004 (2015); libqrencode 4.1, `qrencode.h`.
package struct QRCode: Equatable, Sendable {
  /// Modules on a side.
  let width: Int
  /// Row by row: true is dark.
  let modules: [Bool]

  /// What to type for the library, where it is missing.
  package static let advice = "sudo apt-get install libqrencode4"

  /// The code of a text, as small as it can be; nil without the library, or for a text that is too long.
  package init?(_ text: String) {
    guard let library = QRCode.library else { return nil }
    defer { dlclose(library) }
    guard let encode = dlsym(library, "QRcode_encodeString"), let free = dlsym(library, "QRcode_free") else {
      return nil
    }
    let encodeString = unsafeBitCast(encode, to: Encode.self)
    // Version 0 is the smallest that will do; level 0 corrects least, and a screen has no stains; mode 2 is any
    // byte; case is kept.
    guard let code = text.withCString({ encodeString($0, 0, 0, 2, 1) }) else { return nil }
    defer { unsafeBitCast(free, to: Free.self)(code) }
    // struct QRcode: int version, int width, unsigned char *data. The lowest bit of a byte is its module.
    let width = Int(code.load(fromByteOffset: 4, as: Int32.self))
    guard width > 0, let data = code.load(fromByteOffset: 8, as: UnsafePointer<UInt8>?.self) else {
      return nil
    }
    self.width = width
    modules = (0..<width * width).map { data[$0] & 1 == 1 }
  }

  /// Whether the module is dark; those around the code are light.
  subscript(column: Int, row: Int) -> Bool {
    guard (0..<width).contains(column), (0..<width).contains(row) else { return false }
    return modules[row * width + column]
  }

  private typealias Encode =
    @convention(c) (UnsafePointer<CChar>, Int32, Int32, Int32, Int32) -> UnsafeMutableRawPointer?
  private typealias Free = @convention(c) (UnsafeMutableRawPointer) -> Void

  private static var library: UnsafeMutableRawPointer? { dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL) }
}
