import MoCore
import MoDSPCore
import MoRuntime

/// Reads a sound file into a ring before the file's player needs the frames, at the sample rate that the player wants.
///
/// - Thread: only the disk thread; offline, the player's thread.
final class SoundDisk: @unchecked Sendable {
  // Unchecked: apart from the ring, which both sides use, only the disk thread uses it once it runs.
  let ring: FrameRing
  private let original: any SoundSource
  /// The sound of `original`, converted to the sample rate that the player wants.
  private var source: any SoundSource
  private var rate: Double
  private var place = 0
  private var isBackwards = false
  private var isAtEnd = false
  private var isBroken = false
  private let chunk: UnsafeMutablePointer<Float>

  private static let chunkFrames = 2048

  /// - Parameters:
  ///   - sampleRate: frames per second that the player wants.
  ///   - seconds: the length of the sound that the ring can hold for the player.
  init(_ source: any SoundSource, sampleRate: Double, seconds: Double = 1) {
    original = source
    self.source = ResampledSource.source(source, at: sampleRate)
    ring = FrameRing(
      channels: source.channels,
      frames: max(4 * SoundDisk.chunkFrames, Int(seconds * self.source.sampleRate)),
      sampleRate: sampleRate)
    rate = sampleRate
    chunk = .allocate(capacity: SoundDisk.chunkFrames * source.channels)
  }

  deinit { chunk.deallocate() }

  /// Returns the sample rate and the number of frames that the stream has if the player wants `sampleRate`.
  ///
  /// - Thread: any.
  func measure(at sampleRate: Double) -> (sampleRate: Double, frames: Int) {
    let source = ResampledSource.source(original, at: sampleRate)
    return (source.sampleRate, source.frames)
  }

  /// Fills the ring until the thread is cancelled.
  func run(_ thread: MoThread.Body) {
    while !thread.isCancelled {
      fill()
      thread.sleep(for: .milliseconds(10))
    }
  }

  /// Answers the player's last request, if it is not answered yet, and fills the ring.
  func fill() {
    repeat {
      if let request = ring.request(), ring.room > 0 {
        (place, isBackwards, isAtEnd) = (request.frame, request.backwards, false)
        if request.sampleRate != rate {
          rate = request.sampleRate
          source = ResampledSource.source(original, at: rate)
        }
        ring.serve(request.number)
        // The interpolation also needs the previous frame.
        writeFrame(before: place)
      }
      if isAtEnd, goesRound {
        isAtEnd = false
        ring.resume()
      }
    } while !isAtEnd && ring.room >= SoundDisk.chunkFrames && writeChunk()
  }

  /// Whether reading continues at the other end of the sound: it loops, is not empty, and can still be read.
  private var goesRound: Bool { !isBroken && source.frames > 0 && ring.isLooping.load(ordering: .relaxed) }

  /// Writes to the ring the frame that comes before `place` in the direction of play, for the interpolation.
  ///
  /// At an end of the sound, the frame is silent, unless the sound loops.
  private func writeFrame(before place: Int) {
    var frame = isBackwards ? place + 1 : place - 1
    if ring.isLooping.load(ordering: .relaxed), source.frames > 0 {
      frame = (frame + source.frames) % source.frames
    }
    let isThere = frame >= 0 && frame < source.frames && source.read(at: frame, count: 1, into: chunk) == 1
    if !isThere { chunk.update(repeating: 0, count: source.channels) }
    ring.write(chunk, frames: 1, backwards: false)
  }

  /// Writes the next frames to the ring, at most a chunk; returns false at the end of the sound.
  private func writeChunk() -> Bool {
    if isBackwards ? place < 0 : place >= source.frames, goesRound {
      place = isBackwards ? source.frames - 1 : 0
    }
    let count = min(isBackwards ? place + 1 : source.frames - place, SoundDisk.chunkFrames)
    let first = isBackwards ? place - count + 1 : place
    let got = count > 0 ? source.read(at: first, count: count, into: chunk) : 0
    if got < count {
      let frame = Int(Double(first + got) * original.sampleRate / source.sampleRate)
      MoLog.log(.warning, "\(source.path) cannot be read beyond frame \(frame): it ends there")
      isBroken = true
    } else if count > 0 {
      ring.write(chunk, frames: count, backwards: isBackwards)
      place += isBackwards ? -count : count
      return true
    }
    ring.finish()
    isAtEnd = true
    return false
  }
}
