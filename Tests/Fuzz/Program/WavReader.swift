import Glibc
import MoMu

/// Sound files that nobody wrote: each is refused in words, or is a sound no larger than its file.
struct WavReader {
  private let path: String
  /// How many inputs were sound.
  private(set) var sounds = 0

  init(path: String) { self.path = path }

  /// Reads the input as a sound file, into memory and streamed; what law that breaks, if any.
  mutating func read(_ input: [UInt8]) -> String? {
    // What is none of ours goes to libsndfile, whose faults are not ours to find.
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

  /// Plays at some speed that the file's length chooses, round and round.
  private func play(_ player: MoAudioFileIn, for samples: Int) -> String? {
    player.rate = Double(samples % 9) - 4.3
    player.isLooping = samples % 2 == 0
    for _ in 0..<min(samples + 10, 5000) where !player.tick().isFinite { return "a player makes no numbers" }
    return nil
  }

  /// Whether the first fmt chunk found names another coding than whole numbers and floating point.
  private func isForeign(_ input: [UInt8]) -> Bool {
    for place in 12..<max(12, input.count - 10) where input[place..<place + 4].elementsEqual("fmt ".utf8) {
      let tag = Int(input[place + 8]) | Int(input[place + 9]) << 8
      if tag != 1 && tag != 3 && tag != 0xFFFE { return true }
      if tag == 0xFFFE, input.count > place + 34, ![1, 3].contains(input[place + 32]) { return true }
    }
    return false
  }
}
