import Glibc

/// A limiter that keeps two channels under a ceiling; it looks ahead, so peaks are not distorted.
///
/// Sound below the ceiling passes bit for bit, `latency` samples late. No output sample exceeds the ceiling. The
/// continuous curve through the samples may exceed the ceiling slightly between two samples.
///
/// The limiter takes the lowest gain that any sample within the look-ahead needs, and smooths this gain by a running
/// mean over the same time. So the gain reaches the value for a peak exactly when that peak is output. After a peak,
/// the gain stays low for the time `hold` before it recovers. If `hold` is longer than half a period of a steady
/// tone, the tone keeps its waveform and only becomes softer.
///
/// - Source: the sliding minimum: D. Lemire, *Streaming maximum-minimum filter using no more than three
///   comparisons per element*, Nordic Journal of Computing 13 (2006).
/// - Thread: one owner; the audio thread during play. A copy gets memory of its own when it is first used.
/// - Real-time safe: `tick` and `process`, yes.
@frozen
public struct Limiter: Voice, Sendable {
  /// The largest output magnitude, above 0.
  public let ceiling: Float
  /// The look-ahead in seconds, 0 … 1: with a longer look-ahead, the gain is smoother and the delay is longer.
  public let lookAhead: Double
  /// Seconds in which the gain recovers by 63 %.
  public let release: Double
  /// Seconds for which the gain stays low after a peak, before it begins to recover.
  ///
  /// A new peak restarts this time if it is higher than the last peak, or at most 2 % lower.
  public let hold: Double
  /// The delay of the output, in samples.
  public private(set) var latency = 0

  /// A place in a ring of past input, and in a queue of rising gains within the look-ahead.
  @usableFromInline
  struct Slot: Sendable {
    @usableFromInline var sound = SIMD2<Float>.zero
    @usableFromInline var least = Limiter.unity
    @usableFromInline var need = Limiter.unity
    @usableFromInline var time = 0

    @usableFromInline init() {}
  }

  @usableFromInline var slots: [Slot] = []
  @usableFromInline var window = 1
  @usableFromInline var time = 0
  @usableFromInline var first = 0
  @usableFromInline var end = 0
  @usableFromInline var sum = 0
  @usableFromInline var held = 1.0
  /// The number of samples for which the gain is held, and the number that remains of them.
  @usableFromInline var holdSamples = 0
  @usableFromInline var holding = 0
  @usableFromInline var recovery = 1.0

  /// A gain of 1 as an integer: the sum of many stays exact for any time.
  @inlinable static var unity: Int { 1 << 30 }

  /// Creates a limiter at rest.
  ///
  /// - Parameters:
  ///   - ceiling: the largest output magnitude; 0, a negative value or NaN counts as 1e-6.
  ///   - lookAhead: the look-ahead in seconds, clamped to 0 … 1.
  ///   - release: seconds in which the gain recovers by 63 %.
  ///   - hold: seconds after a peak before the gain recovers, clamped to 0 … 1.
  ///   - sampleRate: frames per second; `MoAudio.start` sets the device's rate.
  public init(
    ceiling: Float = 1, lookAhead: Double = 0.002, release: Double = 0.1, hold: Double = 0,
    sampleRate: Double = 48_000
  ) {
    self.ceiling = max(1e-6, min(ceiling, .greatestFiniteMagnitude))
    self.lookAhead = max(0, min(lookAhead, 1))
    self.release = release
    self.hold = max(0, min(hold, 1))
    prepare(sampleRate: sampleRate)
  }

  /// Adapts the limiter to a sample rate and resets it.
  public mutating func prepare(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate must be above 0 Hz")
    window = Int(lookAhead * sampleRate) + 1
    holdSamples = Int(hold * sampleRate)
    latency = window - 1
    recovery = release > 0 ? -expm1(-1 / (release * sampleRate)) : 1
    slots = Array(repeating: Slot(), count: 1 << (Int.bitWidth - window.leadingZeroBitCount))
    (time, first, end, sum, held, holding) = (0, 0, 0, window * Self.unity, 1, 0)
  }

  /// Limits one sample.
  @inlinable
  public mutating func tick(_ input: Float) -> Float { tick(SIMD2(input, input)).x }

  /// Limits one stereo frame with the same gain for both channels; NaN and infinity count as 0.
  @inlinable
  public mutating func tick(_ input: SIMD2<Float>) -> SIMD2<Float> {
    var sound = input
    if !(abs(sound.x) < .infinity) { sound.x = 0 }
    if !(abs(sound.y) < .infinity) { sound.y = 0 }
    let peak = max(abs(sound.x), abs(sound.y))
    if holding > 0 {
      holding &-= 1
    } else {
      held += (1 - held) * recovery
      if held > 0.999_999 { held = 1 }
    }
    if peak > ceiling {
      let least = Double(ceiling / peak)
      if least < 1.02 * held { holding = holdSamples }
      held = min(held, least)
    }
    let need = Int(held * Double(Self.unity))

    let (time, window) = (time, window)
    self.time = time &+ 1
    var (first, end) = (first, end)
    let heard: SIMD2<Float> = slots.withUnsafeMutableBufferPointer { slots in
      let mask = slots.count &- 1
      while end > first, slots[(end &- 1) & mask].need >= need { end &-= 1 }
      slots[end & mask].need = need
      slots[end & mask].time = time
      end &+= 1
      if slots[first & mask].time <= time &- window { first &+= 1 }
      let least = slots[first & mask].need
      sum &+= least &- slots[(time &- window) & mask].least
      slots[time & mask].least = least
      slots[time & mask].sound = sound
      return slots[(time &- window &+ 1) & mask].sound
    }
    (self.first, self.end) = (first, end)
    if sum == window &* Self.unity { return heard }
    let gain = Float(Double(sum) / Double(window &* Self.unity))
    // Rounding may raise the product by its last bit.
    return (heard * gain).clamped(
      lowerBound: SIMD2(repeating: -ceiling), upperBound: SIMD2(repeating: ceiling))
  }

  /// Limits a block of one channel in place.
  @inlinable
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    for index in samples.indices { samples[unchecked: index] = tick(samples[unchecked: index]) }
  }

  /// Limits a block of two interleaved channels in place; an incomplete last frame is not changed.
  @inlinable
  public mutating func process(interleaved samples: inout MutableSpan<Float>) {
    for frame in 0..<samples.count / 2 {
      let sound = tick(SIMD2(samples[unchecked: 2 &* frame], samples[unchecked: 2 &* frame &+ 1]))
      samples[unchecked: 2 &* frame] = sound.x
      samples[unchecked: 2 &* frame &+ 1] = sound.y
    }
  }

  /// The present gain, 0 … 1.
  public var gain: Double { Double(sum) / Double(window * Self.unity) }
}
