import ArgumentParser

/// Two whole numbers with an x between.
struct PictureSize: Equatable {
  var width: Int
  var height: Int

  /// - Throws: `ValidationError` for what is no size.
  @Sendable
  init(typed text: String) throws {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1], (1...8192).contains(width),
      (1...8192).contains(height)
    else { throw ValidationError("it is a width and a height up to 8192, such as 80x24") }
    (self.width, self.height) = (width, height)
  }
}
