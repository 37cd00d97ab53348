import CMoKernels

/// The Fourier transform of real samples: sound, or any signal.
///
/// A `MoFFT` holds the tables for one size; create it once. Each thread needs working memory of its own
/// (`makeScratch`). Bin k of the spectrum, for k from 0 to size / 2, is the sum over j of x[j] e^(−2πijk/size). This is
/// the convention of NumPy and FFTW. A cosine of amplitude 1 at the centre frequency of a bin gives this bin the value
/// size / 2. In the first and the last bin, the value is size. `inverse` restores the input, because it divides by
/// size, as NumPy does and FFTW does not. `rfft` returns its bins in the order and with the scale of the original
/// MoMu's transform.
///
/// <!-- with: let samples = [Float](repeating: 0, count: 1024) -->
///
/// ```swift
/// let fft = try MoFFT(size: 1024)
/// let scratch = fft.makeScratch()
/// var bins = fft.makeBins()
/// fft.forward(samples, into: &bins, scratch: scratch)
/// ```
///
/// If a call gets a wrong number of samples or bins, or the scratch of a smaller transform, the program stops with a
/// message.
///
/// - Thread: any number of threads at the same time, each with its own scratch.
/// - Real-time safe: yes, except `init`, `makeScratch` and `makeBins`.
public final class MoFFT: Sendable {
  /// The number of samples of a transform.
  public let size: Int
  let plan: FFTPlan

  /// Creates a transform of `size` samples, a power of two from 4 to 65,536.
  ///
  /// - Throws: ``FFTError/size(_:)`` for any other size.
  /// - Real-time safe: no.
  public convenience init(size: Int) throws(FFTError) {
    guard FFTPlan.holds(size), let plan = FFTPlan(points: size / 2, isReal: true, lanes: 0) else {
      throw .size(size)
    }
    self.init(size: size, plan: plan)
  }

  /// Creates a transform that uses SIMD vectors of `lanes` floats.
  ///
  /// The result is nil if the processor lacks such vectors, or if `size` is too small for them.
  package convenience init?(size: Int, lanes: Int) {
    guard let plan = FFTPlan(points: size / 2, isReal: true, lanes: lanes) else { return nil }
    self.init(size: size, plan: plan)
  }

  private init(size: Int, plan: FFTPlan) {
    self.size = size
    self.plan = plan
  }

  /// The number of bins of a spectrum: size / 2 + 1, from 0 Hz to half the sample rate.
  public var binCount: Int { size / 2 + 1 }

  /// Creates working memory (scratch) for calls of this transform; calls at the same time need separate scratches.
  ///
  /// - Real-time safe: no.
  public func makeScratch() -> FFTScratch { FFTScratch(count: plan.scratchCount) }

  /// Creates a spectrum of zeros, for the result of `forward`.
  ///
  /// - Real-time safe: no.
  public func makeBins() -> [Complex] { [Complex](repeating: Complex(0), count: binCount) }

  /// Computes the spectrum of `size` samples, as `binCount` bins, without scaling.
  ///
  /// If a count is wrong, the program stops with a message.
  public func forward(_ samples: Span<Float>, into bins: inout MutableSpan<Complex>, scratch: FFTScratch) {
    precondition(samples.count == size, "the samples must be as many as the FFT's size")
    precondition(bins.count == binCount, "the output must have room for size / 2 + 1 bins")
    let scratch = scratch.memory(for: plan)
    samples.withUnsafeBufferPointer { samples in
      bins.withFloats { momu_fft_real(plan.kernels, samples.baseAddress, $0, scratch) }
    }
  }

  /// Computes `size` samples from the `binCount` bins of their spectrum, divided by `size`: the inverse of `forward`.
  ///
  /// The first and the last bin of a real signal are real; their imaginary parts count as 0. If a count is
  /// wrong, the program stops with a message.
  public func inverse(_ bins: Span<Complex>, into samples: inout MutableSpan<Float>, scratch: FFTScratch) {
    precondition(bins.count == binCount, "the input must have size / 2 + 1 bins")
    precondition(samples.count == size, "the output must have room for as many samples as the FFT's size")
    let scratch = scratch.memory(for: plan)
    bins.withFloats { bins in
      samples.withUnsafeMutableBufferPointer { samples in
        momu_fft_real_inverse(plan.kernels, bins, samples.baseAddress, scratch, 1 / Float(size))
      }
    }
  }

  /// Computes the spectrum of `size` samples, as `binCount` bins, without scaling.
  ///
  /// If a count is wrong, the program stops with a message.
  public func forward(_ samples: [Float], into bins: inout [Complex], scratch: FFTScratch) {
    var bins = bins.mutableSpan
    forward(samples.span, into: &bins, scratch: scratch)
  }

  /// Computes `size` samples from the `binCount` bins of their spectrum, divided by `size`: the inverse of `forward`.
  ///
  /// The imaginary parts of the first and the last bin count as 0. If a count is wrong, the program stops
  /// with a message.
  public func inverse(_ bins: [Complex], into samples: inout [Float], scratch: FFTScratch) {
    var samples = samples.mutableSpan
    inverse(bins.span, into: &samples, scratch: scratch)
  }
}

extension MoFFT {
  /// Returns the centre frequency of a bin, in Hz.
  ///
  /// - Real-time safe: yes.
  public func frequency(ofBin bin: Int, sampleRate: Double) -> Double {
    Double(bin) * sampleRate / Double(size)
  }

  /// Returns the index of the bin nearest to a frequency in Hz, clamped to 0 … size / 2.
  ///
  /// - Real-time safe: yes.
  public func bin(nearest frequency: Double, sampleRate: Double) -> Int {
    Int(max(0, min(Double(size / 2), (frequency * Double(size) / sampleRate).rounded())))
  }

  /// Computes the magnitude of every bin; `magnitudes` must be as long as `bins`.
  ///
  /// - Real-time safe: yes.
  public static func magnitudes(of bins: Span<Complex>, into magnitudes: inout MutableSpan<Float>) {
    read(bins, into: &magnitudes) { $0.magnitude }
  }

  /// Computes the magnitude of every bin; `magnitudes` must be as long as `bins`.
  ///
  /// - Real-time safe: yes.
  public static func magnitudes(of bins: [Complex], into magnitudes: inout [Float]) {
    var values = magnitudes.mutableSpan
    read(bins.span, into: &values) { $0.magnitude }
  }

  /// Computes the squared magnitude of every bin; `powers` must be as long as `bins`.
  ///
  /// - Real-time safe: yes.
  public static func powers(of bins: Span<Complex>, into powers: inout MutableSpan<Float>) {
    read(bins, into: &powers) { $0.power }
  }

  /// Computes the squared magnitude of every bin; `powers` must be as long as `bins`.
  ///
  /// - Real-time safe: yes.
  public static func powers(of bins: [Complex], into powers: inout [Float]) {
    var values = powers.mutableSpan
    read(bins.span, into: &values) { $0.power }
  }

  /// Computes the angle of every bin in radians, −π … π; `phases` must be as long as `bins`.
  ///
  /// - Real-time safe: yes.
  public static func phases(of bins: Span<Complex>, into phases: inout MutableSpan<Float>) {
    read(bins, into: &phases) { $0.phase }
  }

  /// Computes the angle of every bin in radians, −π … π; `phases` must be as long as `bins`.
  ///
  /// - Real-time safe: yes.
  public static func phases(of bins: [Complex], into phases: inout [Float]) {
    var values = phases.mutableSpan
    read(bins.span, into: &values) { $0.phase }
  }

  @inline(__always)
  private static func read(
    _ bins: Span<Complex>, into values: inout MutableSpan<Float>, _ part: (Complex) -> Float
  ) {
    precondition(values.count == bins.count, "the output must have room for a value for each bin")
    for k in bins.indices { values[k] = part(bins[k]) }
  }
}

extension Span<Complex> {
  /// Calls a closure with the bins as floats: real and imaginary parts alternate, as the C kernels expect.
  func withFloats(_ body: (UnsafePointer<Float>?) -> Void) {
    withUnsafeBytes { body($0.assumingMemoryBound(to: Float.self).baseAddress) }
  }
}

extension MutableSpan<Complex> {
  /// Calls a closure with the bins as floats: real and imaginary parts alternate, as the C kernels expect.
  mutating func withFloats(_ body: (UnsafeMutablePointer<Float>?) -> Void) {
    withUnsafeMutableBytes { body($0.assumingMemoryBound(to: Float.self).baseAddress) }
  }
}
