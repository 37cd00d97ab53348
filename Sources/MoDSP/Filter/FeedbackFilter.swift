import CMoKernels

/// A filter whose output comes back into it, so that a sound that decays must be ended, and nonsense forgotten.
@usableFromInline
protocol FeedbackFilter: MoFilter {
  /// Filters one sample, whatever comes of it.
  mutating func step(_ input: Float) -> Float

  /// Ends what has decayed or makes no sense: called where the last output is not worth keeping.
  mutating func settle()

  /// How many samples of the past count: inputs, and outputs.
  static var order: (zeros: Int32, poles: Int32) { get }

  /// Those samples; 0 where they do not count.
  var memory: FilterMemory { get set }
}

/// Two inputs and two outputs, the newer first.
@usableFromInline typealias FilterMemory = (x1: Double, x2: Double, y1: Double, y2: Double)

extension FeedbackFilter {
  /// Filters one sample, and ends what has decayed.
  @inlinable @inline(__always)
  mutating func guardedStep(_ input: Float) -> Float {
    let output = step(input)
    if FilterLimits.isSounding(output) { return output }
    settle()
    return lastOut
  }

  /// Filters a block as `guardedStep` filters its samples.
  ///
  /// A test between samples would cost a fourth of the time. The kernel therefore filters four samples as if all
  /// were well, and then looks at them; what is not well is left as it was and filtered here.
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
