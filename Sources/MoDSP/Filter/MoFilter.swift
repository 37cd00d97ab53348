/// A filter of at most second order: a value that holds its coefficients and what it remembers of the sound.
///
/// It computes in double precision, so that low frequencies and high resonances stay true. Whatever decays ends
/// in exactly 0, without the slowness of denormal numbers; a NaN or an infinity in the input is forgotten within
/// three samples. The sample rate is asked for where a frequency is set, and kept nowhere.
///
/// - Thread: one owner; the audio thread once playing.
/// - Real-time safe: yes, all of it; what is set may be set between any two samples.
public protocol MoFilter: Sendable {
  /// The difference equation, without `gain`.
  var coefficients: FilterCoefficients { get }

  /// What the input is multiplied by; 1 at first.
  var gain: Double { get set }

  /// The last output.
  var lastOut: Float { get }

  /// Filters one sample.
  mutating func tick(_ input: Float) -> Float

  /// Filters a block in place; the same as `tick` on each of its samples.
  mutating func process(_ samples: inout MutableSpan<Float>)

  /// Forgets the sound so far; coefficients and gain stay.
  mutating func clear()
}

extension MoFilter {
  /// Filters a block in place; the same as `tick` on each of its samples.
  @inlinable
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    var filter = self  // in registers
    for index in samples.indices { samples[unchecked: index] = filter.tick(samples[unchecked: index]) }
    self = filter
  }

  /// What the filter, gain included, does to a steady sine.
  ///
  /// - Parameters:
  ///   - frequency: of the sine, in Hz.
  ///   - sampleRate: samples a second.
  public func response(at frequency: Double, sampleRate: Double) -> FilterResponse {
    let response = coefficients.response(at: frequency, sampleRate: sampleRate)
    return FilterResponse(real: gain * response.real, imaginary: gain * response.imaginary)
  }
}
