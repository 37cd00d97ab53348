import ArgumentParser

/// The size of a picture, typed as two whole numbers such as `80x24`: in columns and rows, or for SVG in pixels.
struct PictureSize: Equatable {
  var width: Int
  var height: Int

  /// - Throws: `ValidationError` if the text is not a size.
  @Sendable
  init(typed text: String) throws {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1], (1...8192).contains(width),
      (1...8192).contains(height)
    else { throw ValidationError("must be a width and a height up to 8192, such as 80x24") }
    (self.width, self.height) = (width, height)
  }
}
