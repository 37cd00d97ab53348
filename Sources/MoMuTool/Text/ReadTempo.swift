import ArgumentParser
import MoCore

/// Beats a minute as typed.
///
/// - Throws: `ValidationError` for what is no tempo.
@Sendable
func readTempo(_ text: String) throws -> Double {
  guard let tempo = Double(text), Tempo.range.contains(tempo) else {
    throw ValidationError("it is a number of beats a minute from 20 to 999")
  }
  return tempo
}
