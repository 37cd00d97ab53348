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

  /// How many bits must be guessed, about: a run of letters counts as a word of a dictionary, of eight letters at most.
  ///
  /// So `stanford2024` is one word and a year. Where letters stand singly among digits and signs, each counts.
  public static func bits(_ passkey: String) -> Double {
    var (bits, run, digits) = (0.0, "", "")
    func endRuns() {
      // 20,000 words, the first letter large or not; fewer letters than three are no word.
      let words = Double((run.count + 7) / 8) * 15
      bits += min(words, Double(Self.surprises(run)) * log2(52))
      let isYear = digits.count == 4 && (digits.hasPrefix("19") || digits.hasPrefix("20"))
      bits += isYear ? 7 : Double(Self.surprises(digits)) * log2(10)
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

  /// Characters that neither repeat the one before nor go on counting.
  private static func surprises(_ text: String) -> Int {
    let values = text.unicodeScalars.map(\.value)
    return values.indices.count {
      $0 == 0 || (values[$0] != values[$0 - 1] && values[$0] != values[$0 - 1] &+ 1)
    }
  }

  /// What is to be said of a passkey that is soon guessed; nil for one that is not.
  public static func warning(_ passkey: String) -> String? {
    guard bits(passkey) < 40 else { return nil }
    return "this passkey is soon guessed by who records the room: momu session key makes one that is not"
  }
}
