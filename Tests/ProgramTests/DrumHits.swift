import MoTesting
import Testing

/// When the drum is struck in a sound file, in seconds, by aubio.
///
/// It hears the drum alone: what is below 200 Hz. A shaker has a thousand onsets a second of its own, all of them above.
func drumHits(_ wav: String) -> [Double] {
  let low = "\(wav).low.wav"
  let filter = ProgramRun(shell: "sox '\(wav)' -c 1 '\(low)' lowpass 200 lowpass 200")
  #expect(filter.status == 0, "sox is needed: sudo apt-get install sox; \(filter.text)")
  let run = ProgramRun(shell: "aubioonset -i '\(low)'")
  #expect(run.status == 0, "aubioonset is needed: sudo apt-get install aubio-tools")
  return run.lines.compactMap { Double($0) }
}
