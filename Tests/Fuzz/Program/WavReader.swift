import Glibc
import MoMu

/// Sound files with random contents: each gets an error text, or is a sound no larger than its file.
struct WavReader {
  private let path: String
  /// The number of inputs that were sounds.
  private(set) var sounds = 0

  init(path: String) { self.path = path }

  /// Reads the input as a sound file, into memory and streamed; returns the law that it breaks, if any.
  mutating func read(_ input: [UInt8]) -> String? {
    // Other formats are read by libsndfile, which this program does not test.
    guard input.count >= 12, input[8..<12].elementsEqual("WAVE".utf8), !isForeign(input) else { return nil }
    do {
      let sound = try SoundBuffer(path)
      sounds += 1
      let samples = sound.frames * sound.channels
      guard samples <= input.count else { return "a sound is larger than its file" }
      guard sound.peak.isFinite else { return "a sound has samples that are no numbers" }
      return play(try MoAudioFileIn(path, streamed: false, sampleRate: 48_000), for: samples)
    } catch {
      return "\(error)".count > path.utf8.count + 10 ? nil : "an error without words"
    }
  }

  /// Plays in a loop, at a speed that the file's length chooses.
  private func play(_ player: MoAudioFileIn, for samples: Int) -> String? {
    player.rate = Double(samples % 9) - 4.3
    player.isLooping = samples % 2 == 0
    for _ in 0..<min(samples + 10, 5000) where !player.tick().isFinite { return "a player makes no numbers" }
    return nil
  }

  /// Whether the first fmt chunk names a coding other than integers and floating point.
  private func isForeign(_ input: [UInt8]) -> Bool {
    for place in 12..<max(12, input.count - 10) where input[place..<place + 4].elementsEqual("fmt ".utf8) {
      let tag = Int(input[place + 8]) | Int(input[place + 9]) << 8
      if tag != 1 && tag != 3 && tag != 0xFFFE { return true }
      if tag == 0xFFFE, input.count > place + 34, ![1, 3].contains(input[place + 32]) { return true }
    }
    return false
  }
}
