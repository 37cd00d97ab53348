import MoTesting
import Testing

/// Finds the drum strokes in a sound file with aubio, in seconds.
///
/// It analyses only the sound below 200 Hz, which is the drum. A shaker has a thousand onsets per second,
/// all above.
func drumHits(_ wav: String) -> [Double] {
  let low = "\(wav).low.wav"
  let filter = ProgramRun(shell: "sox '\(wav)' -c 1 '\(low)' lowpass 200 lowpass 200")
  #expect(filter.status == 0, "sox is needed: sudo apt-get install sox; \(filter.text)")
  let run = ProgramRun(shell: "aubioonset -i '\(low)'")
  #expect(run.status == 0, "aubioonset is needed: sudo apt-get install aubio-tools")
  return run.lines.compactMap { Double($0) }
}
