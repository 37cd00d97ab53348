import Glibc

/// A stereo reverb of eight delay lines with common feedback.
///
/// Four all-pass filters spread each click of the input into many clicks. Their output enters eight delay lines of 31
/// to 89 ms. The outputs of the delay lines return to the inputs of the delay lines. A Hadamard matrix mixes these
/// signals without loss or gain of energy. Low-pass filters in this feedback set the decay times of low and high
/// frequencies. After the end of the input, the reverb decays to exactly 0.
///
/// <!-- with: var voice = Sine() -->
///
/// ```swift
/// var reverb = Reverb(seconds: 2)
/// let (left, right) = reverb.tick(voice.tick())  // for every sample
/// ```
///
/// - Source: J.-M. Jot, A. Chaigne, *Digital delay networks for designing artificial reverberators*, AES 90
///   (1991); M. R. Schroeder (1962) for the all-passes.
/// - Thread: one owner; the audio thread during play. A copy gets memory of its own when it is first used.
/// - Real-time safe: `tick` and `process`, yes, except the first call on a copy.
@frozen
public struct Reverb: Voice, Sendable {
  /// The time in which low frequencies fall by 60 dB, in seconds, clamped to 0.05 … 60.
  public let seconds: Double
  /// The time in which the highest frequencies fall by 60 dB, in seconds, clamped to 0.02 … `seconds`.
  ///
  /// If this time is below a tenth of a second, all audible frequencies fall faster than in `seconds`.
  public let highSeconds: Double
  /// The share of the reverb in the output, 0 (only the input) … 1 (only the reverb); NaN counts as 0.
  public var mix: Float

  /// The stored samples of the eight delay lines, with a lane for each delay line.
  ///
  /// Lane n of the element that was written `delays[n]` samples ago is the output of delay line n.
  @usableFromInline var lines: [SIMD8<Float>] = []
  @usableFromInline var now = 0
  @usableFromInline var delays = SIMD8<Int>.zero
  @usableFromInline var low = SIMD8<Float>.zero
  @usableFromInline var hold = SIMD8<Float>.zero
  @usableFromInline var pass = SIMD8<Float>.zero
  @usableFromInline var smear1 = Diffuser(delay: 1, gain: 0)
  @usableFromInline var smear2 = Diffuser(delay: 1, gain: 0)
  @usableFromInline var smear3 = Diffuser(delay: 1, gain: 0)
  @usableFromInline var smear4 = Diffuser(delay: 1, gain: 0)

  /// Creates a reverb without past sound; NaN as a time counts as the shortest allowed time.
  public init(
    seconds: Double = 1.8, highSeconds: Double = 0.6, mix: Float = 0.3, sampleRate: Double = 48_000
  ) {
    self.seconds = max(0.05, min(seconds, 60))
    self.highSeconds = max(0.02, min(highSeconds, self.seconds))
    self.mix = mix
    prepare(sampleRate: sampleRate)
  }

  /// Adapts the reverb to a sample rate, and clears the past sound.
  public mutating func prepare(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate must be above 0 Hz")
    // Primes at 48 kHz, about evenly spaced in pitch: echoes of two lines seldom coincide.
    let lengths = SIMD8<Double>(1493, 1741, 2011, 2333, 2707, 3137, 3671, 4253) * (sampleRate / 48_000)
    for lane in 0..<8 {
      delays[lane] = max(1, Int(lengths[lane].rounded()))
      let lowGain = pow(10, -3 * Double(delays[lane]) / (seconds * sampleRate))
      let highGain = pow(10, -3 * Double(delays[lane]) / (highSeconds * sampleRate))
      // A one-pole with the low gain at 0 Hz and the high gain at half the sample rate. It includes the matrix's 1/√8.
      let pole = (lowGain - highGain) / (lowGain + highGain)
      // A pole nearer to 1 would hold its last value for minutes, or forever, and would make its gain inexact.
      hold[lane] = Float(min(pole, 0.999))
      pass[lane] = Float(lowGain * (1 - Double(hold[lane])) / 8.0.squareRoot())
    }
    lines = Array(repeating: .zero, count: 1 << (Int.bitWidth - delays[7].leadingZeroBitCount))
    func smear(_ samples: Double, _ gain: Float) -> Diffuser {
      Diffuser(delay: max(1, Int((samples * sampleRate / 48_000).rounded())), gain: gain)
    }
    (smear1, smear2, smear3, smear4) = (
      smear(229, 0.75), smear(173, 0.75), smear(613, 0.625), smear(449, 0.625)
    )
    (now, low) = (0, .zero)
  }

  /// Returns the stereo output for one mono sample; `mix` is the share of the reverb in this output.
  @inlinable
  public mutating func tick(_ input: Float) -> (left: Float, right: Float) { tick(input, input) }

  /// Returns the output for one stereo frame; `mix` is the share of the reverb in this output.
  ///
  /// NaN and magnitudes of 10²⁰ or more in the input count as 0.
  @inlinable
  public mutating func tick(_ left: Float, _ right: Float) -> (left: Float, right: Float) {
    let (left, right) = (abs(left) < 1e20 ? left : 0, abs(right) < 1e20 ? right : 0)
    let smeared = smear4.tick(smear3.tick(smear2.tick(smear1.tick(0.5 * (left + right)))))
    let delays = delays
    var (low, now) = (low, now)
    let (hold, pass) = (hold, pass)
    lines.withUnsafeMutableBufferPointer { lines in
      let mask = lines.count &- 1
      var past = SIMD8<Float>.zero
      for lane in 0..<8 { past[lane] = lines[(now &- delays[lane]) & mask][lane] }
      low = hold * low + pass * past
      low.replace(with: 0, where: (low .< 1e-20) .& (low .> -1e-20))
      lines[now & mask] = Self.hadamard(low) + smeared * SIMD8(1, -1, 1, 1, -1, 1, -1, -1)
      now = (now &+ 1) & mask
    }
    (self.low, self.now) = (low, now)
    // Two uncorrelated rows; the gain makes a long reverb about as loud as its input.
    let (even, odd) = (low.evenHalf, low.oddHalf)
    let (wetLeft, wetRight) = ((even * Self.signs).sum(), (odd * Self.signs).sum())
    let mix = max(0, min(mix, 1))
    return (left + mix * (wetLeft - left), right + mix * (wetRight - right))
  }

  @inlinable static var signs: SIMD4<Float> { SIMD4(1, -1, 1, -1) }

  /// Returns the product of a Hadamard matrix of order 8 and a vector: √8 times a rotation or reflection.
  ///
  /// Three rounds of sums and differences compute the product.
  @inlinable
  static func hadamard(_ value: SIMD8<Float>) -> SIMD8<Float> {
    var value = value
    for _ in 0..<3 {
      let (even, odd) = (value.evenHalf, value.oddHalf)
      value = SIMD8(lowHalf: even + odd, highHalf: even - odd)
    }
    return value
  }

  /// Adds reverb to a block of two interleaved channels, in place; an incomplete last frame is not changed.
  @inlinable
  public mutating func process(interleaved samples: inout MutableSpan<Float>) {
    for frame in 0..<samples.count / 2 {
      let sound = tick(samples[unchecked: 2 &* frame], samples[unchecked: 2 &* frame &+ 1])
      samples[unchecked: 2 &* frame] = sound.left
      samples[unchecked: 2 &* frame &+ 1] = sound.right
    }
  }
}

/// An all-pass filter that spreads a click into many clicks, and keeps the level of every frequency.
///
/// - Source: M. R. Schroeder, *Natural sounding artificial reverberation*, JAES 10(3) (1962).
@frozen
@usableFromInline
struct Diffuser: Sendable {
  @usableFromInline var line: DelayLine
  @usableFromInline let delay: Int
  @usableFromInline let gain: Float

  @usableFromInline
  init(delay: Int, gain: Float) {
    (self.delay, self.gain) = (delay, gain)
    line = DelayLine(longest: delay)
  }

  @inlinable
  mutating func tick(_ input: Float) -> Float {
    let past = line.at(delay &- 1)
    let inner = input - gain * past
    line.write(inner)
    return past + gain * inner
  }
}
