import MoDSPCore

/// A whole, immutable sound in memory; any number of `MoAudioFileIn` can play it at the same time.
///
/// The object owns the memory of its samples directly, so that reading a sample needs no reference counting.
///
/// - Thread: any.
/// - Real-time safe: reading, yes; creation and the release of the last reference, no.
public final class SoundBuffer: @unchecked Sendable {
  // Unchecked: the memory is written once, before any other thread sees it.
  /// The samples, interleaved.
  @usableFromInline let samples: UnsafeMutablePointer<Float>
  /// The number of channels: samples per frame.
  public let channels: Int
  /// The number of frames.
  public let frames: Int
  /// The sample rate, in frames per second.
  public let sampleRate: Double
  /// The largest magnitude of a sample; 1 is full scale.
  public let peak: Float

  /// The size limit of a sound, in millions of bytes; it allows 44 minutes of stereo at 48 kHz.
  private static let mostMegabytes = 1024

  /// Reads a sound file into memory.
  ///
  /// - Parameters:
  ///   - path: a WAV file; also AIFF, FLAC, Ogg, MP3 and others if libsndfile is installed.
  ///   - sampleRate: the sample rate to convert to (see `Resampler`); nil for the file's own rate. The file keeps its
  ///     rate if the two rates differ by more than a factor of 1000.
  /// - Throws: `AudioFileError`, whose text says what to do.
  public convenience init(_ path: String, sampleRate: Double? = nil) throws(AudioFileError) {
    try self.init(SoundFile.open(path), sampleRate: sampleRate)
  }

  /// Reads a sound file without a header; `raw` states the layout of its samples.
  ///
  /// - Throws: `AudioFileError`, whose text says what to do.
  public convenience init(_ path: String, as raw: RawSound, sampleRate: Double? = nil) throws(AudioFileError)
  {
    try self.init(raw.open(path), sampleRate: sampleRate)
  }

  /// Creates a sound from your own samples; a wrong argument stops the program with a message.
  ///
  /// - Parameters:
  ///   - samples: interleaved, `channels` per frame; the last frame must be complete.
  ///   - channels: the number of channels, from 1.
  ///   - sampleRate: frames per second, above 0.
  public init(_ samples: [Float], channels: Int = 1, sampleRate: Double) {
    precondition(channels > 0 && samples.count % channels == 0, "a sound must have whole frames")
    precondition(sampleRate > 0, "a sample rate must be above 0 Hz")
    self.samples = .allocate(capacity: max(1, samples.count))
    for index in samples.indices { self.samples[index] = samples[index] }
    (self.channels, frames, self.sampleRate) = (channels, samples.count / channels, sampleRate)
    peak = SoundBuffer.peak(of: self.samples, samples.count)
  }

  init(_ source: any SoundSource, sampleRate: Double? = nil) throws(AudioFileError) {
    let resampler =
      if let sampleRate, Resampler.converts(from: source.sampleRate, to: sampleRate) {
        Resampler(from: source.sampleRate, to: sampleRate)
      } else { Resampler?.none }
    let most = max(source.frames, resampler?.outputFrames(for: source.frames) ?? 0)
    let megabytes = (most / 1_000_000 + 1) * source.channels * 4
    guard megabytes <= SoundBuffer.mostMegabytes else {
      throw .tooLarge(path: source.path, megabytes: megabytes)
    }
    let count = source.frames * source.channels
    let read = UnsafeMutablePointer<Float>.allocate(capacity: max(1, count))
    let got = source.read(at: 0, count: source.frames, into: read)
    guard got == source.frames else {
      read.deallocate()
      throw .damaged(path: source.path, reason: "only \(got) of its \(source.frames) frames can be read")
    }
    channels = source.channels
    self.sampleRate = resampler?.outputRate ?? source.sampleRate
    if let resampler {
      (samples, frames) = SoundBuffer.convert(read, count: count, channels: channels, by: resampler)
      read.deallocate()
    } else {
      (samples, frames) = (read, source.frames)
    }
    peak = SoundBuffer.peak(of: samples, frames * channels)
  }

  private init(_ original: SoundBuffer, by resampler: Resampler) {
    (channels, sampleRate) = (original.channels, resampler.outputRate)
    (samples, frames) = SoundBuffer.convert(
      original.samples, count: original.frames * original.channels, channels: channels, by: resampler)
    peak = SoundBuffer.peak(of: samples, frames * channels)
  }

  deinit { samples.deallocate() }

  /// Returns the sound converted to a sample rate.
  ///
  /// The result is this object in three cases. The sound already has that rate. The two rates differ by more than a
  /// factor of 1000. The converted sound would need more than 1024 MB.
  public func converted(to sampleRate: Double) -> SoundBuffer {
    let bytes = Double(frames * channels * 4) * sampleRate / self.sampleRate
    guard Resampler.converts(from: self.sampleRate, to: sampleRate),
      bytes <= Double(SoundBuffer.mostMegabytes) * 1e6
    else { return self }
    return SoundBuffer(self, by: Resampler(from: self.sampleRate, to: sampleRate))
  }

  /// The sample of a channel in a frame; both are numbered from 0, and a number outside the sound stops the program.
  @inlinable
  public subscript(frame: Int, channel: Int = 0) -> Float {
    precondition(
      frame >= 0 && frame < frames && channel >= 0 && channel < channels, "sample outside the sound")
    return samples[frame &* channels &+ channel]
  }

  private static func convert(
    _ samples: UnsafeMutablePointer<Float>, count: Int, channels: Int, by resampler: Resampler
  ) -> (UnsafeMutablePointer<Float>, frames: Int) {
    let frames = resampler.outputFrames(for: count / channels)
    let converted = UnsafeMutableBufferPointer<Float>.allocate(capacity: max(1, frames * channels))
    resampler.process(UnsafeBufferPointer(start: samples, count: count), channels: channels, into: converted)
    return (converted.baseAddress!, frames)
  }

  private static func peak(of samples: UnsafeMutablePointer<Float>, _ count: Int) -> Float {
    var peak: Float = 0
    for index in 0..<count { peak = max(peak, abs(samples[index])) }
    return peak
  }
}
