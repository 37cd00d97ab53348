import ArgumentParser

/// A port, as typed.
struct Port: Equatable, CustomStringConvertible {
  var number: Int

  /// 6449: what MoMu and its programs listen on.
  static let usual = Port(number: 6_449)

  init(number: Int) { self.number = number }

  /// - Throws: `ValidationError` for what is no port.
  @Sendable
  init(typed text: String) throws {
    guard let number = Int(text), (1...65_535).contains(number) else {
      throw ValidationError("a port is a whole number from 1 to 65535")
    }
    self.number = number
  }

  var description: String { String(number) }
}
