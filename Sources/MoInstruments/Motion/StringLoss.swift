import Glibc
import MoDSP

/// The delay and the loss of a wave on its way along a string and back; calculated only when a property of the string
/// changes.
@frozen
@usableFromInline
struct StringLoss: Sendable, BitwiseCopyable {
  /// The frequency of the lowest possible string, in Hz.
  @inlinable static var lowest: Double { 20 }

  /// The pitch in Hz.
  @usableFromInline var frequency = lowest
  /// The time of a round trip along the string, in samples.
  @usableFromInline var period = 1.0
  /// The delay of the delay line, in whole samples.
  @usableFromInline var whole = 1
  /// The coefficient of the all-pass, which delays by another 0.5 to 1.5 samples.
  @usableFromInline var allpass: Float = 0
  /// The middle coefficient of the loss filter, which has three coefficients.
  @usableFromInline var middle: Float = 0
  /// The first and the last coefficient of the loss filter, which are equal.
  @usableFromInline var side: Float = 0
  /// The time of the round trip from the near end of the string to the plucking position and back, in samples.
  @usableFromInline var pick = 1
  /// The number of silent samples after which the string is at rest.
  @usableFromInline var framesUntilRest = 0

  @usableFromInline
  init() {}

  init(frequency: Double, decay: Double, brightness: Double, place: Double, sampleRate: Double) {
    let pitch = max(Self.lowest, min(frequency, sampleRate / 10))
    let turn = 2 * .pi * pitch / sampleRate
    self.frequency = pitch
    period = sampleRate / pitch
    // The loss filter delays by 1 sample, the all-pass by 0.5 … 1.5, the range in which it settles fastest.
    whole = Int(period - 1.5)
    let rest = period - 1 - Double(whole)
    // Equation 16 of Jaffe and Smith: the delay is exact at the pitch itself.
    allpass = Float(sin((1 - rest) * turn / 2) / sin((1 + rest) * turn / 2))
    pick = max(1, Int(period * max(0.02, min(place, 0.5))))
    framesUntilRest = 2 * Int(period)
    lose(
      decay: max(0.02, min(decay, 30)), brightness: max(0, min(brightness, 1)), turn: turn,
      sampleRate: sampleRate)
  }

  /// Calculates the coefficients of the loss filter from the decay times of the lowest partial and of a high partial.
  private mutating func lose(decay: Double, brightness: Double, turn: Double, sampleRate: Double) {
    func gain(fallingIn seconds: Double) -> Double { exp(-6.9078 * period / (seconds * sampleRate)) }
    let low = gain(fallingIn: decay)
    let bright = min(max(3000, 4 * frequency), 0.45 * sampleRate)
    let high = min(gain(fallingIn: decay * (0.04 + 0.36 * brightness * brightness)), low)
    let (lowBow, highBow) = (1 - cos(turn), 1 - cos(2 * .pi * bright / sampleRate))
    let bow = max(0, min((1 - high / low) / (highBow - high / low * lowBow), 0.5))
    // The gain is limited so that 0 Hz also decays, in at most twice the time.
    let whole = min(low / (1 - bow * lowBow), low.squareRoot())
    middle = Float(whole * (1 - bow))
    side = Float(whole * bow / 2)
  }
}
