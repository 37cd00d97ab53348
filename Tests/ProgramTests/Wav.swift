import Glibc
import MoTesting

/// The contents of a WAV file, as read by Python's wave module.
struct Wav {
  var channels = 0
  var rate = 0
  var frames = 0
  var peak = -1.0
  var last = -1

  init(_ path: String) {
    let words = ProgramRun(shell: "python3 '\(outside("wav.py"))' '\(path)'").text
      .split(whereSeparator: \.isWhitespace)
    guard words.count == 5, let channels = Int(words[0]), let rate = Int(words[1]),
      let frames = Int(words[2]),
      let peak = Double(words[3]), let last = Int(words[4])
    else { return }
    (self.channels, self.rate, self.frames, self.peak, self.last) = (channels, rate, frames, peak, last)
  }
}
