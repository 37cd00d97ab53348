import CMoKernels

/// The tables of the C kernels for one size of transform, and the size of a call's working memory, in floats.
final class FFTPlan: Sendable {
  // Never changed after `init`, and freed with the last reference: any thread may read it.
  nonisolated(unsafe) let kernels: OpaquePointer
  let scratchCount: Int

  /// Returns whether a size is valid: a power of two from 4 to 65,536.
  static func holds(_ size: Int) -> Bool { size >= 4 && size <= 65536 && size & (size - 1) == 0 }

  /// Creates a plan for `points` complex values, with SIMD vectors of `lanes` floats; 0 selects the fastest vectors.
  ///
  /// The result is nil if the processor lacks such vectors, or if `points` is too small for them.
  init?(points: Int, isReal: Bool, lanes: Int) {
    guard let kernels = momu_fft_make(Int32(points), isReal, Int32(lanes)) else { return nil }
    self.kernels = kernels
    // `rfft` stores a spectrum after the memory of the kernels.
    scratchCount = momu_fft_scratch(kernels) + (isReal ? 2 * points + 2 : 0)
  }

  deinit { momu_fft_free(kernels) }
}

/// The working memory of a transform, allocated in advance so that the audio thread need not allocate it.
///
/// A scratch made by a `MoFFT` serves every `MoFFT` of the same or a smaller size. A scratch made by a `ComplexFFT`
/// serves every `ComplexFFT` and `MoFFT` of the same or a smaller size. A scratch serves one call at a time.
///
/// - Thread: one owner. Threads may share a `MoFFT` or `ComplexFFT`, but each thread needs its own scratch.
public final class FFTScratch {
  let memory: UnsafeMutablePointer<Float>
  let count: Int

  init(count: Int) {
    self.count = count
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
  }

  deinit { memory.deallocate() }

  func memory(for plan: FFTPlan) -> UnsafeMutablePointer<Float> {
    precondition(count >= plan.scratchCount, "the scratch must be of an FFT of this size or a larger one")
    return memory
  }
}

/// An error in the set-up of a transform: a wrong size, or a wrong hop.
public enum FFTError: Error, Equatable, CustomStringConvertible {
  /// The size is not a power of two from 4 to 65,536.
  case size(Int)
  /// The hop, in samples, is outside 1 … size / 2.
  ///
  /// With a longer hop, the transformed sections of `size` samples would overlap by less than half.
  case hop(Int, size: Int)

  /// The error text: the fault, and a value to use instead.
  public var description: String {
    switch self {
    case .size(let size):
      "the size of an FFT is \(size), but must be a power of two from 4 to 65536, such as \(nearest(size))"
    case .hop(let hop, let size):
      "frames of \(size) samples every \(hop) do not overlap by half: the hop must be 1 to \(size / 2), such as \(size / 4)"
    }
  }

  /// Returns the nearest valid size.
  private func nearest(_ size: Int) -> Int {
    var power = 4
    while power < 65536, size - power > 2 * power - size { power *= 2 }
    return power
  }
}
