import CMoKernels

/// A filter of first or second order: it uses the present input, and at most two past inputs and two past outputs.
///
/// It computes in double precision, so low frequencies and high resonances stay exact. Every decay ends in exactly 0,
/// before its values become denormal, as processors compute slowly with denormal numbers. A NaN or an infinity in the
/// input is forgotten within three samples. A function that sets a frequency has the sample rate as a parameter, as the
/// filter does not store the rate.
///
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: yes; properties may be set between any two samples.
public protocol MoFilter: Sendable {
  /// The coefficients of the difference equation, without `gain`.
  var coefficients: FilterCoefficients { get }

  /// The gain that is applied to the input before the filter; 1 by default.
  var gain: Double { get set }

  /// The most recent output sample; 0 at first, and after `clear`.
  var lastOut: Float { get }

  /// Returns the output for one input sample.
  mutating func tick(_ input: Float) -> Float

  /// Filters a block in place, with the same result as `tick` on each sample.
  mutating func process(_ samples: inout MutableSpan<Float>)

  /// Clears the past sound; coefficients and gain stay.
  mutating func clear()
}

extension MoFilter {
  /// Filters a block in place, with the same result as `tick` on each sample.
  @inlinable
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    var filter = self  // in registers
    for index in samples.indices { samples[unchecked: index] = filter.tick(samples[unchecked: index]) }
    self = filter
  }

  /// Returns the gain and phase of the filter for a steady sine, with the property `gain` included.
  ///
  /// - Parameters:
  ///   - frequency: the frequency of the sine, in Hz.
  ///   - sampleRate: samples per second.
  public func response(at frequency: Double, sampleRate: Double) -> FilterResponse {
    let response = coefficients.response(at: frequency, sampleRate: sampleRate)
    return FilterResponse(real: gain * response.real, imaginary: gain * response.imaginary)
  }
}

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
  mutating func clearIfSilent()

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
    clearIfSilent()
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
