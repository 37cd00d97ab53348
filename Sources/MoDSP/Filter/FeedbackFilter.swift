import CMoKernels

/// A filter with feedback: it must end its sound once it has decayed, and must clear NaN and infinity from its state.
@usableFromInline
protocol FeedbackFilter: MoFilter {
  /// Filters one sample without checks.
  mutating func step(_ input: Float) -> Float

  /// Clears a decayed or invalid state; called if `FilterLimits.isSounding` is false for the last output.
  mutating func settle()

  /// The number of past inputs and past outputs that the filter uses.
  static var order: (zeros: Int32, poles: Int32) { get }

  /// The past samples; 0 for unused ones.
  var memory: FilterMemory { get set }
}

/// Two inputs and two outputs, the newer first.
@usableFromInline typealias FilterMemory = (x1: Double, x2: Double, y1: Double, y2: Double)

extension FeedbackFilter {
  /// Filters one sample, and clears a decayed or invalid state.
  @inlinable @inline(__always)
  mutating func guardedStep(_ input: Float) -> Float {
    let output = step(input)
    if FilterLimits.isSounding(output) { return output }
    settle()
    return lastOut
  }

  /// Filters a block, with the same result as `guardedStep` for each sample.
  ///
  /// A test after each sample would cost a quarter of the time. The kernel therefore filters four samples without
  /// tests, and then checks the four. If a check fails, the kernel restores the four samples, and `guardedStep` filters
  /// them.
  mutating func guardedProcess(_ samples: inout MutableSpan<Float>) {
    let (equation, gain) = (coefficients, self.gain)
    var filter = self
    samples.withUnsafeMutableBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      var index = 0
      while index < samples.count {
        let past = filter.memory
        var kernel = momu_filter(
          b0: equation.b0, b1: equation.b1, b2: equation.b2, a1: equation.a1, a2: equation.a2, gain: gain,
          x1: past.x1, x2: past.x2, y1: past.y1, y2: past.y2)
        index &+= momu_filter_run(
          &kernel, Self.order.zeros, Self.order.poles, FilterLimits.least, FilterLimits.most, start + index,
          samples.count &- index)
        filter.memory = (kernel.x1, kernel.x2, kernel.y1, kernel.y2)
        for _ in 0..<min(4, samples.count &- index) {
          samples[index] = filter.guardedStep(samples[index])
          index &+= 1
        }
      }
    }
    self = filter
  }
}
