import CMoKernels

/// The prepared tables of the C kernels for one size of transform, and the size of the scratch that a call needs.
final class FFTPlan: Sendable {
  // Never changed after `init`, and freed with the last reference: any thread may read it.
  nonisolated(unsafe) let kernels: OpaquePointer
  let scratchCount: Int

  /// Returns whether a size is valid.
  static func holds(_ size: Int) -> Bool { size >= 4 && size <= 65536 && size & (size - 1) == 0 }

  /// Creates a plan with vectors of `lanes` floats, or the fastest if `lanes` is 0; nil if the processor lacks them.
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
/// A scratch of a `MoFFT` serves every `MoFFT` of its size or a smaller size, for one call at a time. A scratch
/// of a `ComplexFFT` serves both types in this way.
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
