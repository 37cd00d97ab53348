import CMoKernels

/// A filter with feedback, which clears its state when the sound has decayed, or when the state is invalid.
///
/// A state is invalid if it contains NaN, infinity or a magnitude of 1e20 or more.
@usableFromInline
protocol FeedbackFilter: MoFilter {
  /// Returns the output for one input sample, without the check whether the state has decayed or is invalid.
  mutating func step(_ input: Float) -> Float

  /// Clears the state if it has decayed or is invalid.
  ///
  /// Called when `FilterLimits.isSounding` is false for the last output. The output is then NaN, its magnitude is below
  /// 1e-20, or its magnitude is 1e20 or more.
  mutating func settle()

  /// The number of past inputs (zeros) and the number of past outputs (poles) that the filter uses.
  static var order: (zeros: Int32, poles: Int32) { get }

  /// The past inputs and outputs; 0 for the values that the filter does not use.
  var memory: FilterMemory { get set }
}

/// The last two inputs and the last two outputs of a filter; `x1` and `y1` are the newer values.
@usableFromInline typealias FilterMemory = (x1: Double, x2: Double, y1: Double, y2: Double)

extension FeedbackFilter {
  /// Returns the output for one input sample, and clears a decayed or invalid state.
  @inlinable @inline(__always)
  mutating func guardedStep(_ input: Float) -> Float {
    let output = step(input)
    if FilterLimits.isSounding(output) { return output }
    settle()
    return lastOut
  }

  /// Filters a block, with the same result as `guardedStep` for each sample.
  ///
  /// A check after each sample would take a quarter of the computing time. The C kernel therefore filters four samples
  /// without a check, and then checks all four outputs. If a check fails, the kernel returns to the state before the
  /// four samples, and `guardedStep` filters these samples.
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
