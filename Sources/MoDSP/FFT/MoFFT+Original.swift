import CMoKernels

/// The direction of `rfft` and `cfft`, the transforms of the original MoMu.
public enum FFTDirection: Sendable {
  /// From signal to spectrum.
  case forward
  /// From spectrum to signal.
  case inverse
}

extension MoFFT {
  /// Performs the transform of the original MoMu in place, with the original order and scale of the bins.
  ///
  /// The direction `.forward` stores the bin of 0 Hz in `x[0]`, and the bin of half the sample rate in `x[1]`; both are
  /// real. For bins k = 1 … size / 2 − 1, it stores the real part in `x[2k]`, and the imaginary part in `x[2k + 1]`. A
  /// cosine of amplitude 1 at the centre frequency of such a bin gives this bin the value 0.5. Each bin is the
  /// conjugate of the bin that the method `forward` computes, divided by size. It is the conjugate because the exponent
  /// is positive: the sum is over x[j] e^(+2πijk/size). The direction `.inverse` reads bins in the same order and
  /// restores the samples. If `x` has not `size` values, the program stops with a message.
  public func rfft(_ x: inout MutableSpan<Float>, _ direction: FFTDirection, scratch: FFTScratch) {
    precondition(x.count == size, "the samples must be as many as the FFT's size")
    let memory = scratch.memory(for: plan)
    let bins = memory + plan.scratchCount - (size + 2)  // not used by the kernels
    let size = size
    let kernels = plan.kernels
    x.withUnsafeMutableBufferPointer { buffer in
      guard let x = buffer.baseAddress else { return }
      switch direction {
      case .forward:
        momu_fft_real(kernels, x, bins, memory)
        let scale = 1 / Float(size)
        for k in stride(from: 0, to: size, by: 2) {
          x[k] = bins[k] * scale
          x[k &+ 1] = bins[k &+ 1] * -scale
        }
        x[1] = bins[size] * scale
      case .inverse:
        for k in stride(from: 0, to: size, by: 2) {
          bins[k] = x[k]
          bins[k &+ 1] = -x[k &+ 1]
        }
        bins[size] = x[1]
        momu_fft_real_inverse(kernels, bins, x, memory, 1)
      }
    }
  }

  /// Performs the transform of the original MoMu on an array, in place.
  ///
  /// The overload for a `MutableSpan` describes the order and the scale of the bins.
  public func rfft(_ x: inout [Float], _ direction: FFTDirection, scratch: FFTScratch) {
    var x = x.mutableSpan
    rfft(&x, direction, scratch: scratch)
  }
}

extension ComplexFFT {
  /// Performs the complex transform of the original MoMu, in place.
  ///
  /// The direction `.forward` sums with e^(+2πijk/size) and divides by 2 × size: the result is half the result of the
  /// method `inverse`. The direction `.inverse` gives twice the result of the method `forward`, so the direction
  /// `.inverse` undoes `.forward`.
  public func cfft(_ values: inout [Complex], _ direction: FFTDirection, scratch: FFTScratch) {
    var values = values.mutableSpan
    switch direction {
    case .forward:
      sumBack(&values, scale: 0.5 / Float(size), scratch: scratch)
    case .inverse:
      forward(&values, scratch: scratch)
      for k in values.indices { values[k] *= 2 }
    }
  }
}
