import MoDSPCore

/// A sound file that is converted to the output's sample rate, in parts, while it is read.
///
/// At each position, the samples equal those that `Resampler` makes of the whole sound. So a stream that seeks, changes
/// direction or loops sounds like the same file in memory.
///
/// - Thread: any, but one at a time; reading waits for the disk.
final class ResampledSource: SoundSource {
  let source: any SoundSource
  private let resampler: Resampler
  /// The samples of the file that the last `read` needed, interleaved.
  private var samples: [Float] = []
  /// The samples of a single channel from `samples`.
  private var line: [Float] = []

  /// - Parameter sampleRate: frames per second of the output, between 1/1000 and 1000 times the file's rate.
  init(_ source: any SoundSource, to sampleRate: Double) {
    self.source = source
    resampler = Resampler(from: source.sampleRate, to: sampleRate)
  }

  /// Returns the source converted to a rate; the source itself if the rates are equal or differ by more than a factor
  /// of 1000.
  static func source(_ source: any SoundSource, at sampleRate: Double) -> any SoundSource {
    guard Resampler.converts(from: source.sampleRate, to: sampleRate) else { return source }
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
    // If the file cannot be read further, only complete output frames are returned.
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

  /// Returns the number of output frames at the start of the range `frames` that need only frames of the file before
  /// `end`.
  private func count(of frames: Range<Int>, before end: Int) -> Int {
    var count = frames.count
    while count > 0, resampler.input(for: frames.prefix(count)).upperBound > end { count -= 1 }
    return count
  }
}
