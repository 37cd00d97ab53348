import CMoKernels

/// A plan of the kernels', and the memory that one call of it needs.
final class FFTPlan: Sendable {
  // Never changed once made, and freed with the last that holds it: any thread may read it.
  nonisolated(unsafe) let kernels: OpaquePointer
  let scratchCount: Int

  /// The sizes there are.
  static func holds(_ size: Int) -> Bool { size >= 4 && size <= 65536 && size & (size - 1) == 0 }

  /// For so many complex points; nil where this processor has no vectors of so many `lanes`, 0 being the fastest.
  init?(points: Int, isReal: Bool, lanes: Int) {
    guard let kernels = momu_fft_make(Int32(points), isReal, Int32(lanes)) else { return nil }
    self.kernels = kernels
    // For `rfft`, a spectrum after what the kernels use.
    scratchCount = momu_fft_scratch(kernels) + (isReal ? 2 * points + 2 : 0)
  }

  deinit { momu_fft_free(kernels) }
}

/// Memory that a transform works in, made ahead so that the audio thread need not.
///
/// One serves any number of plans of its size or smaller, one call at a time.
///
/// - Thread: one owner. The plan may be shared by threads; each has a scratch of its own.
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
    precondition(count >= plan.scratchCount, "the scratch was made by an FFT of this size or a larger one")
    return memory
  }
}
