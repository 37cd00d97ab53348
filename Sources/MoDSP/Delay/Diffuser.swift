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
