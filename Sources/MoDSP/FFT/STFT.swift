/// The short-time Fourier transform: it turns a running signal into overlapping spectra, and back into a signal.
///
/// Every `hop` samples, the last `size` samples (a section) are multiplied by a window and transformed. Your closure
/// may change the spectrum. The spectrum is then transformed back, multiplied by a second window, and added to the
/// output of the sections that overlap this section. Without a change, the output is the input, `latency` samples
/// later.
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
///   Trans. ASSP 32(2) (1984): the second window is the first window divided by the sum, over all sections, of
///   the squares of the first.
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: yes, except `init`. At every `hop`th sample, `tick` transforms a whole section.
public final class STFT {
  /// The Fourier transform of each section; `fft.size` is the length of a section in samples.
  public let fft: MoFFT
  /// Samples from one transform to the next.
  public let hop: Int
  /// The delay from input to output, in samples: the length of a section, `fft.size`.
  public var latency: Int { fft.size }

  private let scratch: FFTScratch
  private let bins: UnsafeMutableBufferPointer<Complex>
  private let frame: UnsafeMutablePointer<Float>
  private let analysis: UnsafeMutablePointer<Float>
  private let synthesis: UnsafeMutablePointer<Float>
  /// The input of the next transform: `size` − `hop` samples from before the last transform, then `hop` new samples.
  @usableFromInline let heard: UnsafeMutablePointer<Float>
  /// The sum of the overlapping output sections so far; the first `hop` samples are complete, and are output next.
  @usableFromInline let sum: UnsafeMutablePointer<Float>
  /// The number of input samples since the last transform, 0 ..< `hop`.
  @usableFromInline final var filled = 0
  @usableFromInline let newest: Int

  /// Creates a transform without past sound.
  ///
  /// - Parameters:
  ///   - size: samples per transform, a power of two from 4 to 65,536.
  ///   - hop: samples from one transform to the next, at most half of `size`; nil for a quarter of `size`. Rounding
  ///     errors grow with the overlap: they exceed −120 dB, relative to the signal, if more than a hundred transforms
  ///     overlap.
  ///   - window: the window by which each section is multiplied before its transform, in its periodic form
  ///     (`isSymmetric` false).
  /// - Throws: ``FFTError``.
  public init(size: Int, hop: Int? = nil, window: FFTWindow = .hann) throws(FFTError) {
    fft = try MoFFT(size: size)
    let hop = hop ?? size / 4
    guard hop >= 1, hop <= size / 2 else { throw .hop(hop, size: size) }
    self.hop = hop
    newest = size - hop
    scratch = fft.makeScratch()
    bins = .allocate(capacity: fft.binCount)
    bins.initialize(repeating: Complex(0))
    frame = .allocate(capacity: 5 * size)
    frame.initialize(repeating: 0, count: 5 * size)
    heard = frame + size
    sum = heard + size
    analysis = sum + size
    synthesis = analysis + size
    setWindows(window.samples(size))
  }

  deinit {
    frame.deallocate()
    bins.deallocate()
  }

  private func setWindows(_ window: [Float]) {
    for start in 0..<hop {
      var squares = 0.0
      var index = start
      while index < window.count {
        squares += Double(window[index]) * Double(window[index])
        index += hop
      }
      index = start
      while index < window.count {
        analysis[index] = window[index]
        synthesis[index] = Float(Double(window[index]) / squares)
        index += hop
      }
    }
  }

  /// Takes one input sample, and returns one output sample; every `hop` samples, it calls `change` with a new spectrum.
  @inlinable
  public func tick(_ input: Float, _ change: (inout MutableSpan<Complex>) -> Void) -> Float {
    let output = sum[filled]
    heard[newest &+ filled] = input
    filled &+= 1
    if filled == hop { turn(change) }
    return output
  }

  /// Processes samples in place, with the same result as `tick` on each sample.
  public func process(
    _ samples: inout MutableSpan<Float>, _ change: (inout MutableSpan<Complex>) -> Void
  ) {
    for index in samples.indices { samples[index] = tick(samples[index], change) }
  }

  /// Processes samples in place, with the same result as `tick` on each sample.
  public func process(_ samples: inout [Float], _ change: (inout MutableSpan<Complex>) -> Void) {
    var samples = samples.mutableSpan
    process(&samples, change)
  }

  /// Clears all stored sound.
  public func clear() {
    for index in 0..<fft.size {
      heard[index] = 0
      sum[index] = 0
    }
    filled = 0
  }

  /// Computes the spectrum of the last `size` samples, calls `change`, and adds the resulting signal to `sum`.
  @usableFromInline
  func turn(_ change: (inout MutableSpan<Complex>) -> Void) {
    let size = fft.size
    filled = 0
    for index in 0..<size { frame[index] = heard[index] * analysis[index] }
    var spectrum = bins.mutableSpan
    fft.forward(UnsafeBufferPointer(start: frame, count: size).span, into: &spectrum, scratch: scratch)
    change(&spectrum)
    var signal = UnsafeMutableBufferPointer(start: frame, count: size).mutableSpan
    fft.inverse(spectrum.span, into: &signal, scratch: scratch)
    for index in 0..<newest {
      heard[index] = heard[index &+ hop]
      sum[index] = sum[index &+ hop]
    }
    for index in newest..<size { sum[index] = 0 }
    for index in 0..<size { sum[index] += frame[index] * synthesis[index] }
  }
}
