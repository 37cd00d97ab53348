import ArgumentParser
import MoCore

/// Parses a duration in seconds.
///
/// - Throws: `ValidationError` if the text is not a number above 0 and up to 1e9.
@Sendable
func readSeconds(_ text: String) throws -> Double {
  guard let seconds = Double(text), seconds > 0, seconds <= 1e9 else {
    throw ValidationError("must be a number of seconds above 0")
  }
  return seconds
}

/// Parses a tempo in beats per minute.
///
/// - Throws: `ValidationError` if the text is not a number from 20 to 999.
@Sendable
func readTempo(_ text: String) throws -> Tempo {
  guard let tempo = Double(text), Tempo.range.contains(tempo) else {
    throw ValidationError("must be 20 to 999 beats per minute")
  }
  return Tempo(tempo)
}
