import MoCore
import MoDSPCore
import MoRuntime

/// Reads a sound file ahead of its player, at the player's rate.
///
/// - Thread: the disk thread alone; offline the player's own.
final class SoundDisk: @unchecked Sendable {
  // Unchecked: but for the ring, which both sides may use, only the disk thread touches it once it runs.
  let ring: FrameRing
  private let original: any SoundSource
  /// The same at the rate that the player wants.
  private var source: any SoundSource
  private var rate: Double
  private var place = 0
  private var isBackwards = false
  private var isAtEnd = false
  private var isBroken = false
  private let chunk: UnsafeMutablePointer<Float>

  private static let chunkFrames = 2048

  /// - Parameters:
  ///   - sampleRate: frames a second that the player wants.
  ///   - seconds: how much is read ahead.
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

  /// How many frames a second, and in all, come at a rate of the player; any thread may ask.
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

  /// Does what was asked for and fills the ring.
  func fill() {
    repeat {
      if let request = ring.request(), ring.room > 0 {
        (place, isBackwards, isAtEnd) = (request.frame, request.backwards, false)
        if request.sampleRate != rate {
          rate = request.sampleRate
          source = ResampledSource.source(original, at: rate)
        }
        ring.serve(request.number)
        // The interpolation looks one frame back.
        writeFrame(before: place)
      }
      if isAtEnd, goesRound {
        isAtEnd = false
        ring.resume()
      }
    } while !isAtEnd && ring.room >= SoundDisk.chunkFrames && writeChunk()
  }

  /// Whether the sound begins again at its end.
  private var goesRound: Bool { !isBroken && source.frames > 0 && ring.isLooping.load(ordering: .relaxed) }

  /// Writes the frame that sounds before a place: silence at the beginning, unless the sound goes round.
  private func writeFrame(before place: Int) {
    var frame = isBackwards ? place + 1 : place - 1
    if ring.isLooping.load(ordering: .relaxed), source.frames > 0 {
      frame = (frame + source.frames) % source.frames
    }
    let isThere = frame >= 0 && frame < source.frames && source.read(at: frame, count: 1, into: chunk) == 1
    if !isThere { chunk.update(repeating: 0, count: source.channels) }
    ring.write(chunk, frames: 1, backwards: false)
  }

  /// Writes some frames; false when there are none left.
  private func writeChunk() -> Bool {
    if isBackwards ? place < 0 : place >= source.frames, goesRound {
      place = isBackwards ? source.frames - 1 : 0
    }
    let count = min(isBackwards ? place + 1 : source.frames - place, SoundDisk.chunkFrames)
    let first = isBackwards ? place - count + 1 : place
    let got = count > 0 ? source.read(at: first, count: count, into: chunk) : 0
    if got < count {
      let frame = Int(Double(first + got) * original.sampleRate / source.sampleRate)
      MoLog.log(.warning, "\(source.path) cannot be read on at frame \(frame): it ends there")
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
