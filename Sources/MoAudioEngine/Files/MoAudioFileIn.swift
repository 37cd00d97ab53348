import MoCore
import MoDSPCore
import MoRuntime
import Synchronization

/// A player for a sound file: at any speed, in a loop, or backwards.
///
/// ```swift
/// let loop = try MoAudioFileIn("loop.wav")
/// loop.isLooping = true
/// try MoAudio.start(loop) { loop, block in loop.add(to: &block) }
/// ```
///
/// A short file is read into memory. A long file (over 5,000,000 frames) is read during play by the `mo-disk` thread,
/// about a second ahead; the audio thread never accesses the disk. If the disk is too slow, the file is silent for a
/// moment, then continues at the same position; `underruns` counts these moments.
///
/// If the file's sample rate is not the device's, `Resampler` converts the file: a file in memory once, a
/// streamed file in the `mo-disk` thread while it reads. At a `rate` other than ±1, the player computes the
/// samples between two frames from four frames (Hermite's cubic). The error is 100 dB below a tone at 1/100 of
/// the device's sample rate, 60 dB below a tone at 1/24, and 36 dB below a tone at 1/10. The player has no
/// low-pass: at a higher speed, frequencies that exceed half the device's sample rate are audible as false,
/// lower tones (aliases). If a sound always plays at a higher pitch, convert the sound once with
/// `SoundBuffer.converted(to:)`, which has a low-pass.
///
/// - Thread: one owner; the audio thread during play. `underruns` and `missedFrames`: any thread.
/// - Real-time safe: all except `init`, `prepare` and `close`.
public final class MoAudioFileIn: Voice {
  /// The number of channels of the file: its samples per frame.
  public let channels: Int
  /// The number of frames of the file.
  public let size: Int
  /// The sample rate of the file, in frames per second.
  public let fileRate: Double
  /// The factor that multiplies each sample.
  public var gain: Float = 1
  /// Whether the player interpolates between two frames; if false, it plays the earlier frame.
  public var interpolates = true
  /// Whether the file has played to its end, or was closed.
  public internal(set) var isFinished: Bool

  let original: SoundBuffer?
  var sound: SoundBuffer?
  // The same memory and ring again, so that no references are counted per sample.
  var samples: UnsafeMutablePointer<Float>?
  var frames: Int
  let disk: SoundDisk?
  let ring: Unmanaged<FrameRing>?
  private let thread: MoThread?
  private var deviceRate: Double
  let isSynchronous: Bool

  /// The number of frames by which the player advances in its source per frame of the device, if `rate` is 1.
  ///
  /// The source is `sound` or, if the file is streamed, the stream in `ring`.
  var ratio: Double
  /// The number of frames of the file per frame of the stream, whose rate may differ from the file's.
  var pace = 1.0
  var step: Double = 1
  /// The position in `sound`, in frames; for a stream, only the fraction of a frame.
  ///
  /// For a stream, `streamFrame` and `framesToSkip` hold the whole frames of the position.
  var position: Double = 0
  var streamFrame = 0
  var isBackwards = false
  var isSeeking = false
  var isDry = false
  var framesToSkip = 0
  var hasPlayed = false
  var loops = false
  var outputs = InlineArray<64, Int8>(repeating: -1)
  let last: UnsafeMutablePointer<Float>

  let dryTimes = Atomic<Int>(0)
  let dryFrames = Atomic<Int>(0)

  /// The largest number of frames of a file that is read into memory; a longer file is read from the disk while it
  /// plays.
  private static let mostFramesInMemory = 5_000_000
  static let fastest = 256.0

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: a WAV file; also AIFF, FLAC, Ogg, MP3 and others if libsndfile is installed.
  ///   - streamed: whether to read the file during play; nil to do so for long files only.
  ///   - sampleRate: frames per second of the output; `MoAudio.start` replaces this with the device's sample rate.
  /// - Throws: `AudioFileError`, whose text says what to do.
  public convenience init(
    _ path: String, streamed: Bool? = nil, sampleRate: Double = 48_000
  ) throws(AudioFileError) {
    try self.init(SoundFile.open(path), streamed: streamed, sampleRate: sampleRate)
  }

  /// Opens a sound file without a header; `raw` states the layout of its samples.
  ///
  /// - Throws: `AudioFileError`, whose text says what to do.
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

  /// Creates a player of a sound in memory; several players may share the sound.
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

  /// The way in which a stream's frames are read from the file.
  enum Reading {
    /// The `mo-disk` thread reads ahead.
    case ahead
    /// The player itself reads in each tick; for offline use.
    case onDemand
    /// A test reads, by calls of `SoundDisk.fill`.
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

  /// Computes `ratio`, `pace` and `frames` of the stream for a sample rate of the device.
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

  /// Adapts the player to a sample rate of the output; the playback position stays the same.
  public func prepare(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate must be above 0 Hz")
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

  /// Stops reading the file and ends its sound; do not use the player afterwards.
  ///
  /// A streamed file stays silent after this call, also if `reset()` makes it play again.
  public func close() {
    isFinished = true
    thread?.cancel()
    thread?.join()
  }

  /// Whether the file is read from the disk during play.
  public var isStreamed: Bool { ring != nil }

  /// The number of times that the file was silent for a moment because the disk was too slow.
  public var underruns: Int { dryTimes.load(ordering: .relaxed) }

  /// The number of frames that were silent because the disk was too slow.
  public var missedFrames: Int { dryFrames.load(ordering: .relaxed) }
}
