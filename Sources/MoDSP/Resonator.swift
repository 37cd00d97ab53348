import Glibc

/// A two-pole resonance with zeros at 0 Hz and at half the sample rate: peak gain 1, nothing at the ends.
///
/// - Source: K. Steiglitz, *A note on constant-gain digital resonators*, CMJ 18(4) (1994).
@frozen
@usableFromInline
struct Resonator: Sendable {
  @usableFromInline var gain: Float = 0
  @usableFromInline var feedback1: Float = 0
  @usableFromInline var feedback2: Float = 0
  @usableFromInline var input1: Float = 0
  @usableFromInline var input2: Float = 0
  @usableFromInline var output1: Float = 0
  @usableFromInline var output2: Float = 0

  /// A resonance at rest.
  ///
  /// - Parameters:
  ///   - frequency: its centre in Hz; kept below 0.45 of the sample rate.
  ///   - bandwidth: between the −3 dB points, in Hz.
  @usableFromInline
  init(frequency: Double, bandwidth: Double, sampleRate: Double) {
    let radius = exp(-.pi * bandwidth / sampleRate)
    let angle = 2 * .pi * min(frequency, 0.45 * sampleRate) / sampleRate
    gain = Float((1 - radius * radius) / 2)
    feedback1 = Float(2 * radius * cos(angle))
    feedback2 = Float(-radius * radius)
  }

  @inlinable
  mutating func tick(_ input: Float) -> Float {
    let output = gain * (input - input2) + feedback1 * output1 + feedback2 * output2
    (input2, input1) = (input1, input)
    (output2, output1) = (output1, output)
    return output
  }

  /// Whether what still rings is below −120 dB.
  @inlinable
  var isQuiet: Bool { abs(output1) < 1e-6 && abs(output2) < 1e-6 && input1 == 0 && input2 == 0 }

  @inlinable
  mutating func clear() { (input1, input2, output1, output2) = (0, 0, 0, 0) }
}
