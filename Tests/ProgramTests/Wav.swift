import Glibc
import MoTesting

/// What Python's own reader finds in a WAV file.
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

/// The path of a script that shares nothing with the package.
func outside(_ name: String) -> String {
  "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Outside/" + name
}

/// A folder of the test's own, gone with it.
final class Scratch {
  let path: String

  init() {
    var template = Array("/tmp/momu-test-XXXXXX".utf8CString)
    _ = mkdtemp(&template)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { _ = ProgramRun(shell: "rm -rf '\(path)'") }
}
