import MoDSPCore

/// A sound in a file at another rate, converted stretch by stretch as it is read.
///
/// The same samples as `Resampler` makes of the whole sound, from any place on: so a stream may seek, turn round and go
/// round, and sounds as the same file does in memory.
///
/// - Thread: one at a time; reading waits for the disk.
final class ResampledSource: SoundSource {
  let source: any SoundSource
  private let resampler: Resampler
  /// What is read of the file, and one channel of it.
  private var samples: [Float] = []
  private var line: [Float] = []

  /// - Parameter sampleRate: frames a second of what comes out, at most 1000 times the file's, and at least a 1000th.
  init(_ source: any SoundSource, to sampleRate: Double) {
    self.source = source
    resampler = Resampler(from: source.sampleRate, to: sampleRate)
  }

  /// The source at a rate; itself where it has that, or where the two are too far apart.
  static func source(_ source: any SoundSource, at sampleRate: Double) -> any SoundSource {
    let ratio = source.sampleRate / sampleRate
    guard ratio != 1, ratio <= 1000, ratio >= 0.001 else { return source }
    return ResampledSource(source, to: sampleRate)
  }

  var path: String { source.path }
  var channels: Int { source.channels }
  var sampleRate: Double { resampler.outputRate }
  var frames: Int { resampler.outputFrames(for: source.frames) }

  func read(at frame: Int, count: Int, into target: UnsafeMutablePointer<Float>) -> Int {
    guard count > 0 else { return 0 }
    let wanted = resampler.input(for: frame..<frame + count)
    let there = wanted.clamped(to: 0..<source.frames)
    samples.removeAll(keepingCapacity: true)
    samples.append(contentsOf: repeatElement(0, count: wanted.count * channels))
    let got = samples.withUnsafeMutableBufferPointer { samples in
      guard !there.isEmpty, let start = samples.baseAddress else { return 0 }
      let place = start + (there.lowerBound - wanted.lowerBound) * channels
      return source.read(at: there.lowerBound, count: there.count, into: place)
    }
    // Where the file cannot be read on, the frames end that are made of what was read.
    let end = there.lowerBound + got
    let whole = got == there.count ? count : self.count(of: frame..<frame + count, before: end)
    for channel in 0..<channels {
      line.removeAll(keepingCapacity: true)
      for index in 0..<wanted.count { line.append(samples[index &* channels &+ channel]) }
      line.withUnsafeBufferPointer {
        resampler.convert(
          frame..<frame + whole, of: $0, from: wanted.lowerBound, into: target + channel, stride: channels)
      }
    }
    return whole
  }

  /// How many frames of a stretch need nothing from a frame of the file on.
  private func count(of frames: Range<Int>, before end: Int) -> Int {
    var count = frames.count
    while count > 0, resampler.input(for: frames.prefix(count)).upperBound > end { count -= 1 }
    return count
  }
}
