import Glibc

extension Float {
  /// The finite number that the whole of a word is, the nearest to it; nil for anything else, such as `nan` or `0x1F`.
  ///
  /// What boards print is read here; `strtof` reads what is longer, what has an exponent and what is no number.
  init?(word: Span<UInt8>) {
    // No number begins so, but `inf` and names do.
    guard !word.isEmpty, word[0] < 0x3A else { return nil }
    if let short = Float.short(word) {
      self = short
    } else if let other = Float.other(word) {
      self = other
    } else {
      return nil
    }
  }

  /// The number that a word of digits and a point is, where one division says it exactly; nil otherwise.
  ///
  /// The digits as a whole number below 2⁵³, and powers of ten up to 10²², are exact in a `Double`, and so their
  /// quotient is the nearest `Double`. The nearest `Float` to that is the nearest to the number itself too, unless the
  /// quotient stands midway between two: on which side of it the number was is then lost.
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
      // The largest whose next digit, whatever it is, keeps it below 2⁵³.
      guard digit < 10, digits <= 900_719_925_474_098 else { return nil }
      digits = digits &* 10 &+ UInt64(digit)
      hasDigits = true
      if hasPoint {
        guard scale < 1e22 else { return nil }
        scale *= 10
      }
    }
    let quotient = Double(digits) / scale
    // Of a Double's 52 bits a Float keeps 23: those that go are then one half.
    guard hasDigits, quotient.bitPattern & 0x1FFF_FFFF != 0x1000_0000 else { return nil }
    return word[0] == UInt8(ascii: "-") ? -Float(quotient) : Float(quotient)
  }

  private static func other(_ word: Span<UInt8>) -> Float? {
    let text = word.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    // 0x1F and 0X1F, and a zero byte, which would be the text's end.
    guard !text.utf8.contains(where: { $0 | 0x20 == 0x78 || $0 == 0 }) else { return nil }
    return text.withCString { start in
      var end: UnsafeMutablePointer<CChar>?
      let value = strtof(start, &end)
      return end.map { $0.pointee == 0 && UnsafePointer($0) != start } == true && value.isFinite ? value : nil
    }
  }
}
