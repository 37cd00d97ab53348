import Glibc
import MoSensing
import Testing

/// Numbers of boards, compared with the C library: its `strtof` returns the nearest number (IEEE 754, 5.12.2).
@Suite("Decimal numbers in serial text")
struct DecimalWordTests {
  private func read(_ word: [UInt8]) -> UInt32? { Float(word: word.span)?.bitPattern }

  /// Returns the result of `strtof` if the whole word is a finite number and not hexadecimal.
  private func expected(_ word: [UInt8]) -> UInt32? {
    guard !word.contains(where: { $0 == 0 || $0 == UInt8(ascii: "x") || $0 == UInt8(ascii: "X") }) else {
      return nil
    }
    return (word + [0]).withUnsafeBytes { bytes in
      let start = bytes.baseAddress!.assumingMemoryBound(to: CChar.self)
      var end: UnsafeMutablePointer<CChar>?
      let value = strtof(start, &end)
      let isWhole = !word.isEmpty && end.map { UnsafePointer($0) } == start + word.count
      return isWhole && value.isFinite ? value.bitPattern : nil
    }
  }

  @Test("a million random words parse bit for bit like strtof")
  func million() {
    var random = SeededRandom(1)
    var (different, numbers) = (0, 0)
    for round in 0..<1_000_000 {
      let word = word(of: round % 10, &random)
      let expected = expected(word)
      if expected != nil { numbers += 1 }
      if read(word) != expected {
        different += 1
        if different < 10 { Issue.record("\(String(decoding: word, as: UTF8.self))") }
      }
    }
    #expect(different == 0)
    #expect(numbers > 800_000)
  }

  @Test(
    "words midway between two floats, and next to that, parse like strtof",
    arguments: [
      ("16777217", 16_777_216), ("16777219", 16_777_220), ("16777217.00000001", 16_777_218),
      ("16777216.99999999", 16_777_216), ("9007199254740993", 9_007_199_254_740_992),
      ("1.00000005960464477", 1),
      ("1.000000059604644775390625", 1), ("1.000000059604644775390626", 1.000_000_1),
      ("-16777217", -16_777_216), ("0.1", 0.1), ("8.64929723739624", 8.649297), ("+.5", 0.5), ("5.", 5),
      ("00000000000000000000000012", 12),
    ] as [(String, Float)])
  func midway(text: String, value: Float) {
    #expect(read(Array(text.utf8)) == value.bitPattern)
    #expect(read(Array(text.utf8)) == expected(Array(text.utf8)))
  }

  @Test("keeps the sign of zero")
  func nought() {
    #expect(read(Array("-0.000".utf8)) == 0x8000_0000)
    #expect(read(Array("0".utf8)) == 0)
  }

  @Test(
    "refuses words that are not numbers",
    arguments: [
      "", ".", "-", "+", "-.", "1.2.3", "--1", "+-1", "1-", "1e", "1e+", "e5", "nan", "inf", "-inf", "-nan",
      "+nan(1)",
      "infinity", "-infinity", "0x1F", "0X1F", "-0x1p3", "1\0", "\0", "1 ", "1f", "1_000", "0,5", "1e39",
      "-1e39",
      "340282360000000000000000000000000000000", "\u{661}", "1\u{FFFD}",
    ])
  func refused(word: String) { #expect(read(Array(word.utf8)) == nil) }

  private func digits(_ count: ClosedRange<Int>, _ random: inout SeededRandom) -> String {
    var text = ""
    for _ in 0..<Int.random(in: count, using: &random) { text += "\(Int.random(in: 0...9, using: &random))" }
    return text
  }

  /// Returns a word of one of ten forms.
  private func word(of shape: Int, _ random: inout SeededRandom) -> [UInt8] {
    let sign = ["", "", "-", "+"][Int.random(in: 0..<4, using: &random)]
    let plain = sign + digits(0...9, &random) + "." + digits(0...8, &random)
    let text =
      switch shape {
      case 0: sign + digits(1...18, &random)
      case 1: plain
      case 2:
        sign + String(repeating: "0", count: .random(in: 0...30, using: &random)) + digits(0...8, &random)
          + "."
          + String(repeating: "0", count: .random(in: 0...30, using: &random)) + digits(1...8, &random)
          + String(repeating: "0", count: .random(in: 0...30, using: &random))
      case 3: plain + "e\(Int.random(in: -50...45, using: &random))"
      case 4: sign + digits(1...40, &random) + "." + digits(0...40, &random)
      case 5: "\(Float(bitPattern: .random(in: .min ... .max, using: &random)))"
      case 6: sign + "\(Double.random(in: 0...1, using: &random) * scale(&random))"
      case 7: sign + "\(midway(&random))"
      case 8: sign + exactMidway(&random)
      default: plain
      }
    var word = Array(text.utf8)
    if shape == 9 {
      let other = Array("0123456789.+-eExXnaif\0\u{B} pP_\u{E4}".utf8)
      let index = Int.random(in: 0...word.count, using: &random)
      let byte = other[Int.random(in: 0..<other.count, using: &random)]
      if index < word.count { word[index] = byte } else { word.append(byte) }
    }
    return word
  }

  private func scale(_ random: inout SeededRandom) -> Double {
    [1, 10, 1000, 1e6, 1e9, 1e15][Int.random(in: 0..<6, using: &random)]
  }

  /// Returns the `Double` midway between two neighbours; its shortest text is often slightly to one side of it.
  private func midway(_ random: inout SeededRandom) -> Double {
    let value = Float.random(in: 0...1, using: &random) * Float(scale(&random))
    return (Double(value) + Double(value.nextUp)) / 2
  }

  /// Returns all digits of a number midway between two neighbours, or next to it: m / 2ⁿ is m · 5ⁿ / 10ⁿ.
  private func exactMidway(_ random: inout SeededRandom) -> String {
    let places = Int.random(in: 0...12, using: &random)
    var whole = UInt64.random(in: 1 << 24..<1 << 25, using: &random) | 1
    for _ in 0..<places { whole *= 5 }
    whole = whole &+ [0, 0, 1, UInt64.max][Int.random(in: 0..<4, using: &random)]
    var text = Array("\(whole)")
    while text.count <= places { text.insert("0", at: 0) }
    text.insert(".", at: text.count - places)
    return String(text)
  }
}
