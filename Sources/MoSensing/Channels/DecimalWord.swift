import Glibc

extension Float {
  /// Parses a word that is a decimal number from its first to its last byte; nil for other words, such as `nan` or
  /// `0x1F`.
  ///
  /// The result is the nearest finite `Float`. This code parses the usual output of boards itself. `strtof` parses
  /// longer numbers and exponents, and recognises invalid words.
  package init?(word: Span<UInt8>) {
    // No number begins like this, but `inf` and names do.
    guard !word.isEmpty, word[0] < 0x3A else { return nil }
    if let short = Float.short(word) {
      self = short
    } else if let other = Float.other(word) {
      self = other
    } else {
      return nil
    }
  }

  /// Returns the `Float` nearest to a word of digits and a point, if a single division gives it with certainty; else
  /// nil.
  ///
  /// The digits as a whole number below 2⁵³, and powers of ten up to 10²², are exact in a `Double`. So their quotient
  /// is the nearest `Double`. The nearest `Float` to it is also the nearest to the number itself, unless the quotient
  /// is midway between two floats. In that case it is unknown on which side the number was.
  ///
  /// - Source: W. D. Clinger, *How to Read Floating Point Numbers Accurately*, PLDI 1990.
  private static func short(_ word: Span<UInt8>) -> Float? {
    let isSigned = word[0] == UInt8(ascii: "-") || word[0] == UInt8(ascii: "+")
    var digits: UInt64 = 0
    var scale = 1.0
    var (hasDigits, hasPoint) = (false, false)
    for index in (isSigned ? 1 : 0)..<word.count {
      let byte = word[index]
      if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
        continue
      }
      let digit = byte &- UInt8(ascii: "0")
      // The largest number that stays below 2⁵³ with any further digit.
      guard digit < 10, digits <= 900_719_925_474_098 else { return nil }
      digits = digits &* 10 &+ UInt64(digit)
      hasDigits = true
      if hasPoint {
        guard scale < 1e22 else { return nil }
        scale *= 10
      }
    }
    let quotient = Double(digits) / scale
    // A Float keeps 23 of a Double's 52 bits; this test means that the other bits are exactly one half.
    guard hasDigits, quotient.bitPattern & 0x1FFF_FFFF != 0x1000_0000 else { return nil }
    return word[0] == UInt8(ascii: "-") ? -Float(quotient) : Float(quotient)
  }

  private static func other(_ word: Span<UInt8>) -> Float? {
    let text = word.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    // 0x1F and 0X1F, and a zero byte, which would end the text.
    guard !text.utf8.contains(where: { $0 | 0x20 == 0x78 || $0 == 0 }) else { return nil }
    return text.withCString { start in
      var end: UnsafeMutablePointer<CChar>?
      let value = strtof(start, &end)
      return end.map { $0.pointee == 0 && UnsafePointer($0) != start } == true && value.isFinite ? value : nil
    }
  }
}
