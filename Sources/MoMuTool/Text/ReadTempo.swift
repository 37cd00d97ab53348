import ArgumentParser
import MoCore

/// Parses a tempo in beats per minute.
///
/// - Throws: `ValidationError` if the text is not a number from 20 to 999.
@Sendable
func readTempo(_ text: String) throws -> Double {
  guard let tempo = Double(text), Tempo.range.contains(tempo) else {
    throw ValidationError("must be 20 to 999 beats per minute")
  }
  return tempo
}
