import CMoSystem
import MoCore
import MoDSPCore
import MoRuntime
import Synchronization

/// Writes sound to a WAV file while it plays: what an instrument makes, or what a microphone hears.
///
/// ```swift
/// let take = try MoAudioFileOut("take.wav", channels: 1)
/// try MoAudio.start(inputs: 1) { block in
///   for frame in block.frames { take.tick(block.input(frame)) }
/// }
/// ```
///
/// The `mo-disk` thread writes; four seconds of sound may wait for it, what comes beyond that is dropped and counted.
/// The file can be played at any moment, also after a crash; it grows beyond 4 GiB as RF64.
///
/// - Thread: one writes, the audio thread once playing; `close` only when that has stopped. The rest, any.
/// - Real-time safe: `tick` and `write`, yes.
public final class MoAudioFileOut: @unchecked Sendable {
  // Unchecked: the frame belongs to the one thread that writes; all else is immutable or locks itself.
  /// How samples are written.
  public enum Format: Sendable, Equatable {
    /// 16-bit whole numbers, what every player reads; samples are rounded to the nearest.
    case int16
    /// 16-bit whole numbers with dither, for soft and fading sound: noise of −96 dB in place of rounding that is heard
    /// as distortion. The same seed gives the same noise; without one it is the next of `SeedSource`.
    case dithered16(seed: UInt64? = nil)
    /// 24-bit whole numbers.
    case int24
    /// 32-bit floating point, which keeps what is beyond full scale.
    case float32
  }

  /// The file's name.
  public let path: String
  /// Samples in a frame.
  public let channels: Int
  private let disk: WavDisk
  private let thread: MoThread?
  private let frame: UnsafeMutablePointer<Float>
  private let problem: Problem

  /// What went wrong on the disk thread.
  private final class Problem: Sendable {
    let error = Mutex<AudioError?>(nil)
  }

  /// Seconds of sound that may wait for the disk.
  private static let bufferSeconds = 4.0

  /// Makes the file, in place of one that is there already.
  ///
  /// - Parameters:
  ///   - path: where to write.
  ///   - channels: samples in a frame, 1 … 64; kept within that.
  ///   - sampleRate: frames a second, 1 … 768,000; kept within that. `MoAudio.sampleRate` tells the device's.
  ///   - format: how samples are written.
  /// - Throws: `AudioError.cannotWrite`, whose text says what to do.
  public init(
    _ path: String, channels: Int = 2, sampleRate: Double = 48_000, format: Format = .int24
  ) throws(AudioError) {
    let channels = max(1, min(64, channels))
    let rate = sampleRate > 1 ? min(768_000, sampleRate) : 1
    let (coding, dither): (SoundCoding, Dither?) =
      switch format {
      case .int16: (.int16, nil)
      case .dithered16(let seed): (.int16, Dither(seed: seed))
      case .int24: (.int24, nil)
      case .float32: (.float32, nil)
      }
    let problem = Problem()
    let disk = WavDisk(
      writer: try WavWriter(path: path, sampleRate: rate, channels: channels, coding: coding, dither: dither),
      capacity: min(1 << 24, max(8192 * channels, Int(Self.bufferSeconds * rate) * channels))
    ) { error in
      problem.error.withLock { $0 = error }
      MoLog.log(.warning, error.description)
    }
    do throws(MoThread.Failure) {
      // Offline the sound comes faster than a thread that is woken now and then can take it.
      thread = Run.current.isOffline ? nil : try MoThread(name: "mo-disk") { disk.run($0) }
    } catch {
      throw .noThread(reason: error.description)
    }
    (self.path, self.channels, self.disk, self.problem) = (path, channels, disk, problem)
    frame = .allocate(capacity: channels)
    frame.initialize(repeating: 0, count: channels)
    Run.current.atEnd { [weak self] in self?.close() }
  }

  deinit {
    if let thread { thread.cancel() } else { disk.close() }
    frame.deallocate()
  }

  /// Writes a frame with the same sample on every channel.
  public func tick(_ sample: Float) {
    frame.update(repeating: sample, count: channels)
    take(UnsafeBufferPointer(start: frame, count: channels))
  }

  /// Writes a frame of two samples; further channels are silent, and a file of one channel gets the mean.
  public func tick(_ left: Float, _ right: Float) {
    frame.update(repeating: 0, count: channels)
    frame[0] = channels == 1 ? (left + right) / 2 : left
    if channels > 1 { frame[1] = right }
    take(UnsafeBufferPointer(start: frame, count: channels))
  }

  /// Writes interleaved frames; part of a frame at the end is left out.
  public func write(_ samples: Span<Float>) {
    samples.withUnsafeBufferPointer { buffer in
      take(UnsafeBufferPointer(rebasing: buffer[..<(buffer.count / channels * channels)]))
    }
  }

  private func take(_ samples: UnsafeBufferPointer<Float>) {
    guard momu_thread_is_rehearsing() == 0 else { return }
    if thread == nil, !disk.hasRoom(for: samples.count) { disk.drain() }
    disk.take(samples)
  }

  /// How many frames were lost because the disk did not keep up.
  public var droppedFrames: Int { disk.dropped / channels }

  /// Why the file can be written no more, if so; what was written until then can be played.
  public var failure: AudioError? { problem.error.withLock { $0 } }

  /// Writes the rest and completes the file; returns when that is done.
  ///
  /// `MoApp` does it at the end of the program. What is written later is dropped.
  public func close() {
    if let thread {
      thread.cancel()
      thread.join()
    } else {
      disk.close()
    }
  }
}
