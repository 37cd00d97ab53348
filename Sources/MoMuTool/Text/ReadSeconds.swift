import ArgumentParser

/// A length of time as typed, in seconds.
///
/// - Throws: `ValidationError` for what is none.
@Sendable
func readSeconds(_ text: String) throws -> Double {
  guard let seconds = Double(text), seconds > 0, seconds <= 1e9 else {
    throw ValidationError("it is a number of seconds above 0")
  }
  return seconds
}
