import Glibc

/// Functions that make the passkey of a locked room, or check how strong a passkey is.
package enum Passkey {
  /// The number of words in a random passkey; each word has two syllables.
  private static let words = 4
  private static let consonants = Array("bdfghjklmnprstvz")
  private static let vowels = Array("aeiou")

  /// Returns a random passkey that is easy to say and type, such as `tolu-rake-bimo-sefa`; its strength is 50 bits.
  ///
  /// - Throws: `SealingError.noLibrary`.
  package static func make() throws(SealingError) -> String {
    guard let sodium = Sodium.loaded else { throw .noLibrary }
    func one(of letters: [Character]) -> Character {
      // Higher bytes would make some letters more likely than others.
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

  /// Estimates the strength of a passkey, in bits.
  ///
  /// Up to eight letters in a row count as one dictionary word, so `stanford2024` counts as a word and a year. One or
  /// two letters between digits or punctuation marks count as separate letters, not as a word.
  package static func bits(_ passkey: String) -> Double {
    var (bits, run, digits) = (0.0, "", "")
    func endRuns() {
      // 20,000 words, with or without a capital first letter; fewer than three letters are not a word.
      let words = Double((run.count + 7) / 8) * 15
      bits += min(words, Double(Self.unpredictableCharacters(run)) * log2(52))
      let isYear = digits.count == 4 && (digits.hasPrefix("19") || digits.hasPrefix("20"))
      bits += isYear ? 7 : Double(Self.unpredictableCharacters(digits)) * log2(10)
      (run, digits) = ("", "")
    }
    for character in passkey {
      if character.isLetter {
        if !digits.isEmpty { endRuns() }
        run.append(character)
      } else if character.isNumber {
        if !run.isEmpty { endRuns() }
        digits.append(character)
      } else {
        endRuns()
        bits += log2(10)
      }
    }
    endRuns()
    return bits
  }

  /// Returns the number of characters that an attacker cannot predict from the previous character.
  ///
  /// A character is predictable if it equals the previous character or is the next in order, such as `b` after `a`.
  private static func unpredictableCharacters(_ text: String) -> Int {
    let values = text.unicodeScalars.map(\.value)
    return values.indices.count {
      $0 == 0 || (values[$0] != values[$0 - 1] && values[$0] != values[$0 - 1] &+ 1)
    }
  }

  /// Returns a warning about a passkey that is easy to guess; nil for a strong one.
  package static func warning(_ passkey: String) -> String? {
    guard bits(passkey) < 40 else { return nil }
    return "this passkey is easy to guess from a recording of the room: momu session key makes a strong one"
  }
}
