import ArgumentParser

/// A UDP or TCP port that the user typed, 1 to 65535.
struct Port: Equatable, CustomStringConvertible {
  var number: Int

  /// 6449: the port that MoMu and its programs listen on by default.
  static let usual = Port(number: 6_449)

  init(number: Int) { self.number = number }

  /// - Throws: `ValidationError` if the text is not a port number.
  @Sendable
  init(typed text: String) throws {
    guard let number = Int(text), (1...65_535).contains(number) else {
      throw ValidationError("must be a whole number from 1 to 65535")
    }
    self.number = number
  }

  var description: String { String(number) }
}
