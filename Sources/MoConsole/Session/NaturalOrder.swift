/// The order of names for people: numbers in names are compared as numbers, so `laptop-8` is before `laptop-10`.
package enum NaturalOrder {
  /// Returns whether the name `left` is before the name `right`.
  ///
  /// If the names differ only in leading zeros, the order of characters decides.
  package static func precedes(_ left: String, _ right: String) -> Bool {
    var (first, second) = (left.unicodeScalars[...], right.unicodeScalars[...])
    while let one = first.first, let other = second.first {
      if isDigit(one), isDigit(other) {
        let (number, otherNumber) = (takeNumber(&first), takeNumber(&second))
        if number.count != otherNumber.count { return number.count < otherNumber.count }
        if number != otherNumber { return number.lexicographicallyPrecedes(otherNumber) }
      } else {
        guard one == other else { return one < other }
        (first, second) = (first.dropFirst(), second.dropFirst())
      }
    }
    return first.isEmpty == second.isEmpty ? left < right : first.isEmpty
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// Removes the digits at the start of a text, and returns the digits without leading zeros.
  private static func takeNumber(_ text: inout Substring.UnicodeScalarView) -> [Unicode.Scalar] {
    let digits = Array(text.prefix(while: isDigit))
    text = text.dropFirst(digits.count)
    return Array(digits.drop { $0 == "0" })
  }
}

extension Sequence {
  /// Returns the elements in the natural order of their names.
  package func inNaturalOrder(of name: (Element) -> String) -> [Element] {
    let named = map { (name: name($0), element: $0) }
    return named.sorted { NaturalOrder.precedes($0.name, $1.name) }.map { $0.element }
  }
}
