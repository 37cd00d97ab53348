import CMoKernels

/// The Fourier transform of complex values, with the signs and the scale of NumPy's `fft` and `ifft`.
///
/// `forward` sums x[j] e^(−2πijk/size) over j. `inverse` sums X[k] e^(+2πijk/size) over k and divides by `size`. `cfft`
/// has the signs and the scale of the original MoMu's transform. With the scratch of a smaller transform, the program
/// stops with a message.
///
/// - Thread: any number of threads at the same time, each with its own scratch.
/// - Real-time safe: yes, except `init` and `makeScratch`.
public final class ComplexFFT: Sendable {
  /// The number of complex values of a transform.
  public let size: Int
  let plan: FFTPlan

  /// Creates a transform of `size` complex values, a power of two from 4 to 65,536.
  ///
  /// - Throws: ``FFTError/size(_:)`` for any other size.
  /// - Real-time safe: no.
  public convenience init(size: Int) throws(FFTError) {
    guard FFTPlan.holds(size), let plan = FFTPlan(points: size, isReal: false, lanes: 0) else {
      throw .size(size)
    }
    self.init(size: size, plan: plan)
  }

  /// Creates a transform that uses SIMD vectors of `lanes` floats.
  ///
  /// The result is nil if the processor lacks such vectors, or if `size` is too small for them.
  package convenience init?(size: Int, lanes: Int) {
    guard let plan = FFTPlan(points: size, isReal: false, lanes: lanes) else { return nil }
    self.init(size: size, plan: plan)
  }

  private init(size: Int, plan: FFTPlan) {
    self.size = size
    self.plan = plan
  }

  /// Creates working memory (scratch) for calls of this transform; calls at the same time need separate scratches.
  ///
  /// - Real-time safe: no.
  public func makeScratch() -> FFTScratch { FFTScratch(count: plan.scratchCount) }

  /// Replaces the values (a signal) by their spectrum, without scaling.
  ///
  /// If there are not `size` values, the program stops with a message.
  public func forward(_ values: inout MutableSpan<Complex>, scratch: FFTScratch) {
    precondition(values.count == size, "the values must be as many as the FFT's size")
    let scratch = scratch.memory(for: plan)
    values.withFloats { momu_fft_complex(plan.kernels, $0, $0, scratch) }
  }

  /// Replaces the values (a spectrum) by their signal, divided by `size`: the inverse of `forward`.
  ///
  /// If there are not `size` values, the program stops with a message.
  public func inverse(_ values: inout MutableSpan<Complex>, scratch: FFTScratch) {
    sumBack(&values, scale: 1 / Float(size), scratch: scratch)
  }

  /// Replaces the values (a signal) by their spectrum, without scaling.
  ///
  /// If there are not `size` values, the program stops with a message.
  public func forward(_ values: inout [Complex], scratch: FFTScratch) {
    var values = values.mutableSpan
    forward(&values, scratch: scratch)
  }

  /// Replaces the values (a spectrum) by their signal, divided by `size`: the inverse of `forward`.
  ///
  /// If there are not `size` values, the program stops with a message.
  public func inverse(_ values: inout [Complex], scratch: FFTScratch) {
    var values = values.mutableSpan
    inverse(&values, scratch: scratch)
  }

  func sumBack(_ values: inout MutableSpan<Complex>, scale: Float, scratch: FFTScratch) {
    precondition(values.count == size, "the values must be as many as the FFT's size")
    let scratch = scratch.memory(for: plan)
    values.withFloats { momu_fft_complex_inverse(plan.kernels, $0, $0, scratch, scale) }
  }
}
