import MoCore
import MoDSPCore
import MoRuntime
import Synchronization

/// Plays a sound file: at any speed, round and round, or backwards.
///
/// ```swift
/// let loop = try MoAudioFileIn("loop.wav")
/// loop.isLooping = true
/// try MoAudio.start(loop) { loop, block in loop.add(to: &block) }
/// ```
///
/// A short file is read into memory, a long one (over 5,000,000 frames) while it plays, by the `mo-disk` thread, about a
/// second ahead; the audio thread never touches the disk. Should the disk be too slow there is silence, counted in
/// `underruns`, and the file goes on where it stopped.
///
/// A file of another rate is converted to the device's by `Resampler`: in memory once, a long one by the `mo-disk` thread
/// as it is read. At a `rate` other than ±1, what is between two frames is found by Hermite's cubic through four of
/// them. What that adds is 100 dB below a tone at 1/100 of the device's rate, 60 dB at 1/24, 36 dB at 1/10. Nothing is
/// filtered away: played faster, what comes to lie above half the device's rate is heard as an alias. A sound that is
/// always to be played higher is better converted once, by `SoundBuffer.converted(to:)` and its own low-pass.
///
/// - Thread: one owner; the audio thread once playing. `underruns` and `missedFrames`, any.
/// - Real-time safe: all but `init`, `prepare` and `close`.
public final class MoAudioFileIn: Voice {
  /// Samples in a frame of the file.
  public let channels: Int
  /// How many frames the file has.
  public let size: Int
  /// Frames a second of the file.
  public let fileRate: Double
  /// What every sample is multiplied by.
  public var gain: Float = 1
  /// Whether what is between two frames is worked out; if not, the earlier frame stands.
  public var interpolates = true
  /// Whether there is no more to hear.
  public internal(set) var isFinished: Bool

  let original: SoundBuffer?
  var sound: SoundBuffer?
  // The same memory and ring again, so that no reference is counted where samples are made.
  var samples: UnsafeMutablePointer<Float>?
  var frames: Int
  let disk: SoundDisk?
  let ring: Unmanaged<FrameRing>?
  private let thread: MoThread?
  private var deviceRate: Double
  let isSynchronous: Bool

  /// Frames of what is played in a frame of the device, at a rate of 1.
  var ratio: Double
  /// Frames of the file in one that the stream brings.
  var pace = 1.0
  var step: Double = 1
  /// The place in `sound`, or of a stream what is past the frame it has come to.
  var position: Double = 0
  var streamFrame = 0
  var isBackwards = false
  var isSeeking = false
  var isDry = false
  var owed = 0
  var hasPlayed = false
  var loops = false
  var outputs = InlineArray<64, Int8>(repeating: -1)
  let last: UnsafeMutablePointer<Float>

  let dryTimes = Atomic<Int>(0)
  let dryFrames = Atomic<Int>(0)

  /// Above so many frames a file is read while it plays.
  private static let mostFramesInMemory = 5_000_000
  static let fastest = 256.0

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: a WAV file; AIFF, FLAC, Ogg, MP3 and others where libsndfile is installed.
  ///   - streamed: whether to read it while it plays; nil for long files only.
  ///   - sampleRate: frames a second of what comes out; `MoAudio.start` sets the device's own.
  /// - Throws: `AudioFileError`, whose text says what to do.
  public convenience init(
    _ path: String, streamed: Bool? = nil, sampleRate: Double = 48_000
  ) throws(AudioFileError) {
    try self.init(SoundFile.open(path), streamed: streamed, sampleRate: sampleRate)
  }

  /// Opens a file without a header, whose samples are written as `raw` says; the rest as above.
  public convenience init(
    _ path: String, as raw: RawSound, streamed: Bool? = nil, sampleRate: Double = 48_000
  ) throws(AudioFileError) {
    try self.init(raw.open(path), streamed: streamed, sampleRate: sampleRate)
  }

  private convenience init(
    _ source: any SoundSource, streamed: Bool?, sampleRate: Double
  ) throws(AudioFileError) {
    if streamed ?? (source.frames > MoAudioFileIn.mostFramesInMemory) {
      try self.init(
        streaming: source, sampleRate: sampleRate, reading: Run.current.isOffline ? .onDemand : .ahead)
    } else {
      self.init(try SoundBuffer(source), sampleRate: sampleRate)
    }
  }

  /// Plays a sound in memory, which others may play at the same time.
  public init(_ sound: SoundBuffer, sampleRate: Double = 48_000) {
    (original, self.sound) = (sound, sound)
    (channels, size, fileRate) = (sound.channels, sound.frames, sound.sampleRate)
    (samples, frames) = (sound.samples, sound.frames)
    (disk, ring, thread, isSynchronous) = (nil, nil, nil, false)
    isFinished = sound.frames == 0
    deviceRate = sampleRate
    ratio = sound.sampleRate / sampleRate
    step = ratio
    last = MoAudioFileIn.silence(sound.channels)
  }

  /// How a stream's frames come from the disk.
  enum Reading {
    /// By a thread of its own.
    case ahead
    /// By the player itself when it has none left: where time waits for it.
    case onDemand
    /// When somebody calls the disk's `fill`.
    case byHand
  }

  init(streaming source: any SoundSource, sampleRate: Double, reading: Reading) throws(AudioFileError) {
    let disk = SoundDisk(source, sampleRate: sampleRate)
    disk.ring.ask(for: 0, backwards: false)
    disk.fill()
    do throws(MoThread.Failure) {
      thread = reading == .ahead ? try MoThread(name: "mo-disk") { disk.run($0) } : nil
    } catch {
      throw .noThread(path: source.path, reason: error.description)
    }
    (original, sound, samples) = (nil, nil, nil)
    (channels, size, fileRate) = (source.channels, source.frames, source.sampleRate)
    frames = source.frames
    self.disk = disk
    ring = .passUnretained(disk.ring)
    isSynchronous = reading == .onDemand
    isFinished = source.frames == 0
    deviceRate = sampleRate
    isSeeking = true
    ratio = 1
    last = MoAudioFileIn.silence(source.channels)
    measureStream(at: sampleRate)
    step = ratio
  }

  /// What the disk thread makes of the file at a rate of the device.
  private func measureStream(at sampleRate: Double) {
    guard let disk else { return }
    let (rate, count) = disk.measure(at: sampleRate)
    (ratio, pace, frames) = (rate / sampleRate, fileRate / rate, count)
  }

  deinit {
    thread?.cancel()
    last.deallocate()
  }

  private static func silence(_ channels: Int) -> UnsafeMutablePointer<Float> {
    let frame = UnsafeMutablePointer<Float>.allocate(capacity: channels)
    frame.initialize(repeating: 0, count: channels)
    return frame
  }

  /// Fits the player to a sample rate; it stays at its place.
  public func prepare(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate is above 0 Hz")
    let old = ratio
    if ring != nil, sampleRate != deviceRate {
      let place = place
      measureStream(at: sampleRate)
      seekStream(to: Int((place / pace).rounded()), sampleRate: sampleRate)
    } else if let original, let before = sound {
      let converted = original.converted(to: sampleRate)
      (sound, samples, frames) = (converted, converted.samples, converted.frames)
      position *= converted.sampleRate / before.sampleRate
      if position >= Double(frames) { position = max(0, Double(frames - 1)) }
      ratio = converted.sampleRate / sampleRate
    }
    deviceRate = sampleRate
    step = step / old * ratio
  }

  /// Stops reading; there is nothing more to hear.
  public func close() {
    isFinished = true
    thread?.cancel()
    thread?.join()
  }

  /// Whether it is read from the disk while it plays.
  public var isStreamed: Bool { ring != nil }

  /// How many times the disk did not keep up.
  public var underruns: Int { dryTimes.load(ordering: .relaxed) }

  /// How many frames of silence that cost.
  public var missedFrames: Int { dryFrames.load(ordering: .relaxed) }
}
