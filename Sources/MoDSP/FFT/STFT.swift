/// The short-time Fourier transform: a running signal as overlapping spectra, and back.
///
/// Every `hop` samples the last `size` are windowed and transformed; what the program makes of the spectrum is
/// transformed back, windowed again and added to its neighbours. A spectrum left alone gives back the signal,
/// `latency` samples late.
///
/// ```swift
/// let stft = try STFT(size: 1024)
/// try MoAudio.start(stft, inputs: 1) { stft, block in
///   for frame in block.frames {
///     block[frame] = stft.tick(block.input(frame)) { bins in
///       for k in 40..<bins.count { bins[k] *= 0 }
///     }
///   }
/// }
/// ```
/// - Source: D. W. Griffin and J. S. Lim, *Signal estimation from modified short-time Fourier transform*, IEEE
///   Trans. ASSP 32(2) (1984): the second window is the first divided by the sum of its squares over all frames.
/// - Thread: one owner; the audio thread once playing.
/// - Real-time safe: yes, but for `init`. The work of a whole frame falls on every `hop`th sample.
public final class STFT {
  /// The transform of each frame.
  public let fft: MoFFT
  /// Samples from one frame to the next.
  public let hop: Int
  /// How many samples later the output is than the input: `size`.
  public var latency: Int { fft.size }

  private let scratch: FFTScratch
  private let analysis: [Float]
  private let synthesis: [Float]
  private var bins: [Complex]
  private var frame: [Float]
  /// The newest `size` samples, of which the last `hop` are being filled.
  @usableFromInline final var heard: [Float]
  /// The frames so far, added up; the first `hop` are complete and going out.
  @usableFromInline final var sum: [Float]
  /// How many of the next frame's new samples are here.
  @usableFromInline final var filled = 0
  @usableFromInline let newest: Int

  /// An analysis of silence.
  ///
  /// - Parameters:
  ///   - size: samples a frame, a power of two from 4 to 65,536.
  ///   - hop: samples from frame to frame, at most half of `size`; nil for a quarter. The more frames
  ///     overlap, the more rounding adds up: with over a hundred it passes −120 dB.
  ///   - window: the first window, periodic.
  /// - Throws: ``FFTError``.
  public init(size: Int, hop: Int? = nil, window: FFTWindow = .hann) throws(FFTError) {
    fft = try MoFFT(size: size)
    let hop = hop ?? size / 4
    guard hop >= 1, hop <= size / 2 else { throw .hop(hop, size: size) }
    self.hop = hop
    newest = size - hop
    scratch = fft.makeScratch()
    bins = fft.makeBins()
    let analysis = window.samples(size)
    var synthesis = analysis
    for index in 0..<hop {
      var squares = 0.0
      for n in stride(from: index, to: size, by: hop) { squares += Double(analysis[n]) * Double(analysis[n]) }
      for n in stride(from: index, to: size, by: hop) { synthesis[n] = Float(Double(analysis[n]) / squares) }
    }
    self.analysis = analysis
    self.synthesis = synthesis
    frame = [Float](repeating: 0, count: size)
    heard = frame
    sum = frame
  }

  /// One sample in, one sample out; every `hop`th time, the new spectrum goes through `change` first.
  @inlinable
  public func tick(_ input: Float, _ change: (inout MutableSpan<Complex>) -> Void) -> Float {
    let output = sum[filled]
    heard[newest &+ filled] = input
    filled &+= 1
    if filled == hop { turn(change) }
    return output
  }

  /// Puts a stretch of signal through, in place.
  public func process(
    _ samples: inout MutableSpan<Float>, _ change: (inout MutableSpan<Complex>) -> Void
  ) {
    for index in samples.indices { samples[index] = tick(samples[index], change) }
  }

  /// Puts a stretch of signal through, in place.
  public func process(_ samples: inout [Float], _ change: (inout MutableSpan<Complex>) -> Void) {
    var samples = samples.mutableSpan
    process(&samples, change)
  }

  /// Forgets all that was heard.
  public func clear() {
    for index in heard.indices {
      heard[index] = 0
      sum[index] = 0
    }
    filled = 0
  }

  /// Takes a frame apart and puts it together again.
  @usableFromInline
  func turn(_ change: (inout MutableSpan<Complex>) -> Void) {
    filled = 0
    for index in frame.indices { frame[index] = heard[index] * analysis[index] }
    fft.forward(frame, into: &bins, scratch: scratch)
    var span = bins.mutableSpan
    change(&span)
    fft.inverse(bins, into: &frame, scratch: scratch)
    for index in 0..<newest {
      heard[index] = heard[index &+ hop]
      sum[index] = sum[index &+ hop]
    }
    for index in newest..<sum.count { sum[index] = 0 }
    for index in frame.indices { sum[index] += frame[index] * synthesis[index] }
  }
}
