import Glibc
import MoAudioEngine
import MoRuntime
import MoTesting

/// A folder for a test's files, removed after the test.
final class TemporaryFolder {
  private let scratch = Scratch()
  var folder: String { scratch.path }

  func path(_ name: String) -> String { scratch.file(name) }

  /// Writes a file of these bytes and returns its path.
  func write(_ bytes: [UInt8], as name: String = "made.wav") -> String {
    let file = fopen(path(name), "w")
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    return path(name)
  }

  /// Runs a shell command in the folder.
  @discardableResult
  func shell(_ line: String) -> ProgramRun { scratch.run(line) }

  /// Makes Python write files of every coding here.
  func writeAll() -> ProgramRun {
    shell("python3 '\(outside("wavs.py"))' .")
  }
}

/// The files that Outside/wavs.py writes.
enum Pattern {
  static let frames = 3001

  static func sample(_ frame: Int, _ channel: Int) -> Float {
    Float((37 * frame + 11 * channel) % 255 - 127) / 128
  }

  static func isIn(_ sound: SoundBuffer) -> Bool {
    sound.frames == frames && sound.channels == 2 && sound.sampleRate == 44_100
      && (0..<frames).allSatisfy { sound[$0, 0] == sample($0, 0) && sound[$0, 1] == sample($0, 1) }
  }
}

/// A WAV file's bytes, valid or invalid.
enum Wav {
  static func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
  static func half(_ value: Int) -> [UInt8] { Array(word(value)[..<2]) }

  static func chunk(_ name: String, _ body: [UInt8], size: Int? = nil) -> [UInt8] {
    Array(name.utf8) + word(size ?? body.count) + body + (body.count % 2 == 1 ? [0] : [])
  }

  static func fmt(
    tag: Int = 1, channels: Int = 1, rate: Int = 48_000, frameBytes: Int = 2, bits: Int = 16
  ) -> [UInt8] {
    chunk(
      "fmt ",
      half(tag) + half(channels) + word(rate) + word(rate * frameBytes) + half(frameBytes) + half(bits))
  }

  static func file(_ chunks: [UInt8]...) -> [UInt8] {
    let body = Array("WAVE".utf8) + chunks.flatMap { $0 }
    return Array("RIFF".utf8) + word(body.count) + body
  }
}
