import Glibc

/// What a room is locked with.
public enum Passkey {
  /// Syllables of a passkey that is made here, a word of two each.
  private static let words = 4
  private static let consonants = Array("bdfghjklmnprstvz")
  private static let vowels = Array("aeiou")

  /// A passkey that can be said and typed, of four words such as `tolu-rake-bimo-sefa`: 50 bits.
  ///
  /// - Throws: `SealingError.noLibrary`.
  public static func make() throws(SealingError) -> String {
    guard let sodium = Sodium.loaded else { throw .noLibrary }
    func one(of letters: [Character]) -> Character {
      // Bytes beyond the last whole multiple would make some letters likelier than others.
      while let byte = sodium.random(1).first {
        if Int(byte) < 256 / letters.count * letters.count { return letters[Int(byte) % letters.count] }
      }
      return letters[0]
    }
    let made = (0..<words).map { _ in
      String([one(of: consonants), one(of: vowels), one(of: consonants), one(of: vowels)])
    }
    return made.joined(separator: "-")
  }

  /// How many bits somebody must guess at most, by length and kinds of letters: words that can be found in a book are
  /// guessed much sooner.
  public static func bits(_ passkey: String) -> Double {
    var kinds = 0
    if passkey.contains(where: \.isLowercase) { kinds += 26 }
    if passkey.contains(where: \.isUppercase) { kinds += 26 }
    if passkey.contains(where: \.isNumber) { kinds += 10 }
    if passkey.contains(where: { !$0.isLetter && !$0.isNumber }) { kinds += 10 }
    // A letter that repeats the one before, or goes on counting, adds nothing.
    var length = 0
    var last: UInt32?
    for scalar in passkey.unicodeScalars {
      if last.map({ scalar.value != $0 && scalar.value != $0 &+ 1 }) ?? true { length += 1 }
      last = scalar.value
    }
    return Double(length) * log2(Double(max(kinds, 2)))
  }

  /// What is to be said of a passkey that is soon guessed; nil for one that is not.
  public static func warning(_ passkey: String) -> String? {
    guard bits(passkey) < 40 else { return nil }
    return "this passkey is soon guessed by who records the room: momu session key makes one that is not"
  }
}
