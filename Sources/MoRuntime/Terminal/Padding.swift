extension String {
  /// Returns the text, padded with spaces to a width in characters; returns a longer text unchanged.
  package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
