import Glibc
import MoDSP
import MoMu

/// Sounds from files, one for each row of a drum machine or for each pad of `Pads`.
///
/// - Thread: any but the audio thread's callback.
/// - Real-time safe: no. An instrument makes its own copy of the sounds for the audio thread.
public final class SampleKit: @unchecked Sendable {
  // Unchecked: written once, before the first playback.
  private let sounds: [SoundBuffer?]
  /// The names of the rows: the file names without endings, or the names that were given with sounds in memory.
  public let names: [String]

  /// Creates a kit from sounds in memory, one for each row; the synthesised kit plays a row whose element is nil.
  ///
  /// Only the first 16 sounds are used.
  public init(_ sounds: [SoundBuffer?], names: [String] = []) {
    self.sounds = Array(sounds.prefix(16))
    self.names = names
  }

  /// Creates a kit from at most 16 sound files, one for each row: WAV and all other formats of `SoundBuffer`.
  ///
  /// - Throws: `AudioFileError`; its text says what to do.
  public convenience init(files: [String]) throws(AudioFileError) {
    var sounds: [SoundBuffer?] = []
    var names: [String] = []
    for file in files.prefix(16) {
      sounds.append(try SoundBuffer(file))
      names.append(Self.name(of: file))
    }
    self.init(sounds, names: names)
  }

  /// Creates a kit from at most 16 sound files of a folder.
  ///
  /// The files have the endings `.wav`, `.flac`, `.aiff` or `.ogg`, in small or capital letters. Other files are
  /// ignored, and so are files whose names begin with a dot.
  ///
  /// Files whose names begin with the name of a `DrumSound`, such as `kick` or `Kick`, come first, in the order of
  /// `DrumSound`: kick, snare, hi-hat and so on. All other files follow, sorted by name.
  ///
  /// - Throws: `DrumError.noSounds`, or `AudioFileError`.
  public convenience init(folder: String) throws {
    var files: [String] = []
    if let directory = opendir(folder) {
      defer { closedir(directory) }
      while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        // On a stick, macOS adds a file `._kick.wav`, which is not a sound, to `kick.wav`.
        guard !name.hasPrefix(".") else { continue }
        if Self.endings.contains(where: name.lowercased().hasSuffix) { files.append(name) }
      }
    }
    guard !files.isEmpty else { throw DrumError.noSounds(folder: folder) }
    files.sort { (Self.rank($0), $0) < (Self.rank($1), $1) }
    try self.init(files: files.map { "\(folder)/\($0)" })
  }

  private static let endings = [".wav", ".flac", ".aiff", ".ogg"]

  /// Returns the raw value of the `DrumSound` with whose name a file's name begins, such as 0 for `kick-1.wav`.
  ///
  /// If the file's name begins with no such name, the result is larger than every raw value.
  private static func rank(_ file: String) -> Int {
    let name = name(of: file).lowercased()
    return DrumSound.allCases.first { name.hasPrefix($0.name) }?.rawValue ?? DrumSound.allCases.count
  }

  private static func name(of file: String) -> String {
    let last = file.split(separator: "/").last.map(String.init) ?? file
    return last.split(separator: ".").first.map(String.init) ?? last
  }

  /// The number of rows.
  var count: Int { sounds.count }

  /// Returns the sounds converted to a sample rate, in one memory block that lives as long as the returned object.
  ///
  /// A sound that cannot be converted is left out, and a line in the log names its row.
  func bank(sampleRate: Double) -> SampleBank {
    SampleBank(
      sounds.enumerated().map { row, sound in
        guard let sound else { return nil }
        let converted = sound.converted(to: sampleRate)
        if converted.sampleRate == sampleRate { return converted }
        MoLog.log(
          .warning,
          "sound \(row + 1) of the kit is silent: it cannot be converted from \(sound.sampleRate) Hz to "
            + "\(sampleRate) Hz; use a shorter file, or a file at 44100 or 48000 Hz")
        return nil
      })
  }
}

/// The samples of a kit at the device's sample rate, in memory that the audio thread reads without reference counting.
final class SampleBank: @unchecked Sendable {
  // Unchecked: written in `init` only.
  private let samples: UnsafeMutablePointer<SIMD2<Float>>
  private(set) var sounds: InlineArray<16, SampleVoice>

  init(_ buffers: [SoundBuffer?]) {
    var frames = 0
    for buffer in buffers { frames += buffer?.frames ?? 0 }
    samples = .allocate(capacity: max(1, frames))
    sounds = InlineArray(repeating: SampleVoice())
    var place = samples
    for (row, buffer) in zip(0..<16, buffers) {
      guard let buffer else { continue }
      for frame in 0..<buffer.frames {
        let left = buffer[frame, 0]
        (place + frame).initialize(to: SIMD2(left, buffer.channels > 1 ? buffer[frame, 1] : left))
      }
      sounds[row] = SampleVoice(samples: place, frames: buffer.frames)
      place += buffer.frames
    }
  }

  deinit { samples.deallocate() }
}

/// One recorded sound; if it is struck again while it sounds, the earlier playback fades out within 3 ms.
struct SampleVoice: Sendable, BitwiseCopyable {
  // The memory belongs to a `SampleBank` that the owner of this voice keeps alive.
  private nonisolated(unsafe) var samples: UnsafePointer<SIMD2<Float>>?
  private var frames = 0
  private var now: Head
  private var old: Head

  private struct Head: Sendable, BitwiseCopyable {
    var place: Int
    var gain: Float = 0
    var fade: Float = 0
  }

  /// Creates a voice without a sound.
  init() { (now, old) = (Head(place: .max), Head(place: .max)) }

  init(samples: UnsafeMutablePointer<SIMD2<Float>>, frames: Int) {
    self.init()
    self.samples = UnsafePointer(samples)
    self.frames = frames
  }

  var isThere: Bool { frames > 0 }
  var isSounding: Bool { now.place < frames || old.place < frames }

  mutating func strike(_ gain: Float, sampleRate: Double) {
    if now.place < frames {
      old = now
      old.fade = now.gain / Float(max(1, 0.003 * sampleRate))
    }
    now = Head(place: 0, gain: gain)
  }

  mutating func tick() -> SIMD2<Float> {
    guard let samples else { return .zero }
    var sound = SIMD2<Float>.zero
    if now.place < frames {
      sound = samples[now.place] * now.gain
      now.place += 1
    }
    if old.place < frames {
      sound += samples[old.place] * old.gain
      old.place += 1
      old.gain -= old.fade
      if old.gain <= 0 { old.place = .max }
    }
    return sound
  }
}
