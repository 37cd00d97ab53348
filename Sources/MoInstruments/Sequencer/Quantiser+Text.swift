import MoDSP

extension Quantiser {
  /// Parses the text of a quantiser: the number of grid lines in a 4/4 bar, such as 16 for sixteenths, then the options
  /// `swing` and `strength`.
  ///
  /// Examples are `16`, `8,swing=0.6` and `16,strength=0.5`.
  ///
  /// - Throws: `InstrumentError.noGrid`, with the word that cannot be parsed.
  public init(_ text: String) throws(InstrumentError) {
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    guard let part = words.first.flatMap({ UInt8($0) }), Self.parts.contains(part) else {
      throw .noGrid(text: text, word: words.first.map { String($0) } ?? "")
    }
    self.init(stepsPerBeat: Double(part) / 4)
    for word in words.dropFirst() {
      let pair = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, let value = Double(pair[1]), (0...1).contains(value) else {
        throw .noGrid(text: text, word: String(word))
      }
      switch pair[0] {
      case "swing": swing = value
      case "strength": strength = value
      default: throw .noGrid(text: text, word: String(word))
      }
    }
  }

  /// The valid numbers of grid lines in a 4/4 bar; 3, 6, 12 and 24 are triplets.
  private static let parts: Set<UInt8> = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32]
}
