import ArgumentParser
import MoConsole
import MoRuntime

/// Parses a duration in seconds.
///
/// - Throws: `ValidationError` if the text is not a number above 0 and up to 1e9.
@Sendable
func readSeconds(_ text: String) throws -> Double {
  guard let seconds = RunOption.seconds(text) else {
    throw ValidationError("must be \(RunOption.secondsForm)")
  }
  return seconds
}

/// Parses a tempo in beats per minute.
///
/// - Throws: `ValidationError` if the text is not a number from 20 to 999.
@Sendable
func readTempo(_ text: String) throws -> Tempo {
  do { return try PlayOptions.tempo(text) } catch { throw ValidationError("\(error)") }
}
