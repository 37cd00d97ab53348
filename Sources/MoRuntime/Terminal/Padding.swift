extension String {
  /// The text with as many spaces behind it as it lacks of a width in characters; a longer one as it is.
  package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
