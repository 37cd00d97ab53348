import CMoSystem
import Glibc
import MoCore
import MoDSPCore
import MoRuntime
import Synchronization

/// A writer that records sound to a WAV file during play: the output of an instrument, or the input of a microphone.
///
/// ```swift
/// let take = try MoAudioFileOut("take.wav", channels: 1)
/// try MoAudio.start(take, inputs: 1) { take, block in
///   for frame in block.frames { take.tick(block.input(frame)) }
/// }
/// ```
///
/// If the file is a state of `MoAudio.start`, it gets the sample rate of the device. This rate may differ from the rate
/// that the program requests.
///
/// The `mo-disk` thread writes the file. Four seconds of sound may wait for this thread. If the file has the rate of
/// the device, these are four seconds at 48 kHz, for example two seconds at 96 kHz. In the audio callback, the file gets
/// silence in place of further frames, `droppedFrames` counts them, and a warning is logged. Everywhere else, `tick` and
/// `write` wait for the disk, so a program can write a long sound at once. The file is playable at any moment, also
/// after a crash. A file of more than 4 GiB gets the format RF64.
///
/// - Thread: one thread writes frames: the audio thread, once sound plays. Call `close` only after that thread has
///   stopped writing. All other members: any thread.
/// - Real-time safe: `tick`, `write` and `prepare`, yes, in the audio callback.
public final class MoAudioFileOut: Voice, @unchecked Sendable {
  // Unchecked: only the thread that writes uses the frame; all else is immutable or locks itself.
  /// The number format of the file's samples.
  public enum Format: Sendable, Equatable {
    /// 16-bit integers, which every player reads; each sample is rounded to the nearest integer.
    case int16
    /// 16-bit integers with dither, for soft and fading sound.
    ///
    /// The rounding error is noise of −96 dBFS instead of audible distortion. The same seed gives the same
    /// noise; nil takes the next seed of `SeedSource`.
    case dithered16(seed: UInt64? = nil)
    /// 24-bit integers.
    case int24
    /// 32-bit floating point, which keeps samples beyond full scale.
    case float32
  }

  /// The path of the file.
  public let path: String
  /// The number of channels: samples per frame.
  public let channels: Int
  private let disk: WavDisk
  private let thread: MoThread?
  private let frame: UnsafeMutablePointer<Float>
  private let problem: Problem
  /// Whether the program chose the sample rate; if false, the file gets the rate of the device.
  private let isRateFixed: Bool

  /// A box for the error with which the disk thread stopped writing; its value is nil before an error.
  private final class Problem: Sendable {
    let error = Mutex<AudioError?>(nil)
  }

  /// Seconds of sound that may wait in memory for the disk.
  private static let bufferSeconds = 4.0
  /// The largest number of frames that enter the queue together; of a longer sound, the frames that fit are kept.
  private static let pieceFrames = 4096

  /// Creates the file; an existing file of the same path is replaced.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - channels: samples per frame, clamped to 1 … 64.
  ///   - sampleRate: frames per second, above 0; clamped to 1 … 768,000. If nil, the rate is that of the device if the
  ///     file is a state of `MoAudio.start`, and otherwise 48,000.
  ///   - format: the number format of the samples.
  /// - Throws: `AudioError.cannotWrite`, whose text says what to do; `AudioError.noThread` if the system starts no
  ///   `mo-disk` thread.
  public init(
    _ path: String, channels: Int = 2, sampleRate: Double? = nil, format: Format = .int24
  ) throws(AudioError) {
    let channels = max(1, min(64, channels))
    let wanted = sampleRate ?? 48_000
    guard wanted > 0 else {
      // `MoAudio.sampleRate` is 0 before the sound starts.
      throw .cannotWrite(
        path: path,
        reason:
          "a sampleRate of \(wanted) is not above 0 Hz; leave it out, and pass the file to MoAudio.start")
    }
    let rate = max(1, min(768_000, wanted))
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
      // Offline, sound comes faster than a thread that wakes at intervals can write it.
      thread = Run.current.isOffline ? nil : try MoThread(name: "mo-disk") { disk.run($0) }
    } catch {
      throw .noThread(reason: error.description)
    }
    (self.path, self.channels, self.disk, self.problem) = (path, channels, disk, problem)
    isRateFixed = sampleRate != nil
    frame = .allocate(capacity: channels)
    frame.initialize(repeating: 0, count: channels)
    Run.current.atEnd { [weak self] in self?.close() }
  }

  deinit {
    if let thread { thread.cancel() } else { disk.close() }
    frame.deallocate()
  }

  /// Gives the file the sample rate of the device, before its first frame; does nothing if the program chose the rate.
  ///
  /// `MoAudio.start` calls this function for its states.
  public func prepare(sampleRate: Double) {
    if !isRateFixed { disk.change(sampleRate: sampleRate) }
  }

  /// Writes a frame with the same sample on every channel.
  public func tick(_ sample: Float) {
    frame.update(repeating: sample, count: channels)
    enqueue(UnsafeBufferPointer(start: frame, count: channels))
  }

  /// Writes a frame of two samples; further channels are silent, and a mono file gets the mean of both samples.
  public func tick(_ left: Float, _ right: Float) {
    frame.update(repeating: 0, count: channels)
    frame[0] = channels == 1 ? (left + right) / 2 : left
    if channels > 1 { frame[1] = right }
    enqueue(UnsafeBufferPointer(start: frame, count: channels))
  }

  /// Writes interleaved frames; an incomplete frame at the end is dropped.
  public func write(_ samples: Span<Float>) {
    samples.withUnsafeBufferPointer { buffer in
      enqueue(UnsafeBufferPointer(rebasing: buffer[..<(buffer.count / channels * channels)]))
    }
  }

  private func enqueue(_ samples: UnsafeBufferPointer<Float>) {
    guard momu_thread_is_rehearsing() == 0 else { return }
    var start = 0
    while start < samples.count {
      let end = min(start + Self.pieceFrames * channels, samples.count)
      if !disk.hasRoom(for: end - start) { makeRoom(for: end - start) }
      disk.append(UnsafeBufferPointer(rebasing: samples[start..<end]))
      start = end
    }
  }

  /// Writes the queue to the disk offline; in real time, waits for the disk thread, except in the audio callback.
  private func makeRoom(for count: Int) {
    guard let thread else { return disk.drain() }
    guard !RealTimeCheck.isInCallback else { return }
    while !disk.hasRoom(for: count), !thread.isCancelled { usleep(5000) }
  }

  /// The number of frames in whose place the file has silence, because the disk was too slow.
  public var droppedFrames: Int { disk.dropped / channels }

  /// The reason why the file can no longer be written; nil if it can be written.
  ///
  /// Frames that were written earlier stay playable.
  public var failure: AudioError? { problem.error.withLock { $0 } }

  /// Writes the waiting frames, completes the file, and then returns.
  ///
  /// `MoApp` calls this function at the end of the program. Frames that come after this call are dropped.
  public func close() {
    if let thread {
      thread.cancel()
      thread.join()
    } else {
      disk.close()
    }
  }
}
