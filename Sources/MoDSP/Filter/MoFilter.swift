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
