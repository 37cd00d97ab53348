import Glibc

/// Holds two channels under a ceiling, looking ahead, so that it turns peaks down without bending them.
///
/// What stays below the ceiling passes bit for bit, `latency` samples late. No sample that comes out is above it;
/// a curve drawn through the samples may be, by a little, between them.
///
/// The gain is the least that any sample within the look-ahead needs, smoothed by a mean of the same length: so it
/// has come down to what a peak needs just when that peak comes out. It may hold before it recovers: where that is
/// longer than half a period, a steady tone is turned down as a whole, and its waveform stays as it was.
///
/// - Source: the sliding minimum: D. Lemire, *Streaming maximum-minimum filter using no more than three
///   comparisons per element*, Nordic Journal of Computing 13 (2006).
/// - Thread: one owner; the audio thread once playing. A copy gets memory of its own when it is first used.
/// - Real-time safe: `tick` and `process`, yes.
@frozen
public struct Limiter: Voice, Sendable {
  /// The largest magnitude to come out, above 0.
  public let ceiling: Float
  /// Seconds to look ahead, 0 … 1: longer is smoother and later.
  public let lookAhead: Double
  /// Seconds in which the gain recovers by 63 %.
  public let release: Double
  /// Seconds after a peak before the gain recovers; a peak within 2 % of the last renews them.
  public let hold: Double
  /// How many samples late the sound comes out.
  public private(set) var latency = 0

  /// A ring of what was heard, and a queue of ever greater needs within the look-ahead, in one memory.
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
  /// Samples of holding, and those still to come.
  @usableFromInline var holdSamples = 0
  @usableFromInline var holding = 0
  @usableFromInline var recovery = 1.0

  /// A gain of 1 as a whole number: the sum of many is exact, however long it is kept.
  @inlinable static var unity: Int { 1 << 30 }

  /// A limiter at rest.
  ///
  /// - Parameters:
  ///   - ceiling: the largest magnitude to come out; at 0 or below, or no number, it counts as 1e-6.
  ///   - lookAhead: seconds, kept within 0 … 1.
  ///   - release: seconds in which the gain recovers by 63 %.
  ///   - hold: seconds after a peak before it recovers, kept within 0 … 1.
  ///   - sampleRate: frames a second; `MoAudio.start` sets the device's own.
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

  /// Fits it to a sample rate, at rest.
  public mutating func prepare(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate is above 0 Hz")
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

  /// Limits one frame of two channels, turning both down alike; what is no finite number counts as 0.
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
    // The rounding of the product may lift it by its last bit.
    return (heard * gain).clamped(
      lowerBound: SIMD2(repeating: -ceiling), upperBound: SIMD2(repeating: ceiling))
  }

  /// Limits a block of one channel in place.
  @inlinable
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    for index in samples.indices { samples[unchecked: index] = tick(samples[unchecked: index]) }
  }

  /// Limits a block of two interleaved channels in place; a last half frame stays as it is.
  @inlinable
  public mutating func process(interleaved samples: inout MutableSpan<Float>) {
    for frame in 0..<samples.count / 2 {
      let sound = tick(SIMD2(samples[unchecked: 2 &* frame], samples[unchecked: 2 &* frame &+ 1]))
      samples[unchecked: 2 &* frame] = sound.x
      samples[unchecked: 2 &* frame &+ 1] = sound.y
    }
  }

  /// What the gain is now, 0 … 1.
  public var gain: Double { Double(sum) / Double(window * Self.unity) }
}
