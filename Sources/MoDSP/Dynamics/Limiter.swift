import Glibc

/// A limiter that keeps two channels under a ceiling; it looks ahead, so peaks are not distorted.
///
/// As long as the input stays below the ceiling, it passes bit for bit, `latency` samples late. No output sample
/// exceeds the ceiling. The continuous curve through the samples may exceed the ceiling slightly between two samples.
///
/// The limiter takes the lowest gain that any sample within the look-ahead needs, and smooths this gain by a running
/// mean over the time of the look-ahead. So the gain reaches the value for a peak exactly when that peak is output.
/// After a peak, the gain stays low for the time `hold` before it recovers. If `hold` is longer than half a period of a
/// steady tone, the tone keeps its waveform and only becomes softer.
///
/// - Source: the sliding minimum: D. Lemire, *Streaming maximum-minimum filter using no more than three
///   comparisons per element*, Nordic Journal of Computing 13 (2006).
/// - Thread: one owner; the audio thread during play. A copy gets memory of its own when it is first used.
/// - Real-time safe: `tick` and `process`, yes, except the first call on a copy.
@frozen
public struct Limiter: Voice, Sendable {
  /// The largest output magnitude, above 0.
  public let ceiling: Float
  /// The look-ahead in seconds, 0 … 1: with a longer look-ahead, the gain is smoother and the delay is longer.
  public let lookAhead: Double
  /// Seconds in which the gain covers 63 % of its way back to 1.
  ///
  /// With 0 or below, or NaN, the gain recovers within the look-ahead.
  public let release: Double
  /// Seconds for which the gain stays low after a peak, before it begins to recover.
  ///
  /// A new peak restarts this time, unless the peak allows a gain that is at least 2 % higher than the present gain.
  public let hold: Double
  /// The delay from input to output, in samples.
  public private(set) var latency = 0

  /// An element of the array that holds two circular buffers: the past frames, and the queue of the sliding minimum.
  ///
  /// The past frames use `sound` and `least`; the queue uses `need` and `time`.
  @usableFromInline
  struct Slot: Sendable {
    /// A past input frame.
    @usableFromInline var sound = SIMD2<Float>.zero
    /// The lowest of the gains that this frame and each frame of the look-ahead before it need.
    @usableFromInline var least = Limiter.unity
    /// The gain that the frame with the number `time` needs; the gains rise from the queue's first element to the last.
    @usableFromInline var need = Limiter.unity
    /// The number of the frame that needs the gain `need`.
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
  /// The duration of `hold` in samples.
  @usableFromInline var holdSamples = 0
  /// The number of samples for which the gain still stays low after the last peak.
  @usableFromInline var holding = 0
  @usableFromInline var recovery = 1.0

  /// The gain 1 as an integer (fixed point).
  ///
  /// With integers, the running sum of gains stays exact, however long the limiter runs.
  @inlinable static var unity: Int { 1 << 30 }

  /// Creates a limiter at rest.
  ///
  /// - Parameters:
  ///   - ceiling: the largest output magnitude; 0, a negative value or NaN counts as 1e-6.
  ///   - lookAhead: the look-ahead in seconds, clamped to 0 … 1.
  ///   - release: seconds in which the gain covers 63 % of its way back to 1.
  ///   - hold: seconds for which the gain stays low after a peak, before it begins to recover; clamped to 0 … 1.
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

  /// Processes one sample, and returns the limited sample of `latency` samples ago; NaN and infinity count as 0.
  @inlinable
  public mutating func tick(_ input: Float) -> Float { tick(SIMD2(input, input)).x }

  /// Processes one stereo frame, and returns the limited frame of `latency` frames ago.
  ///
  /// Both channels get the same gain. NaN and infinity count as 0.
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

  /// Applies the limiter to a block of one channel, in place.
  @inlinable
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    for index in samples.indices { samples[unchecked: index] = tick(samples[unchecked: index]) }
  }

  /// Applies the limiter to a block of two interleaved channels, in place; an incomplete last frame is not changed.
  @inlinable
  public mutating func process(interleaved samples: inout MutableSpan<Float>) {
    for frame in 0..<samples.count / 2 {
      let sound = tick(SIMD2(samples[unchecked: 2 &* frame], samples[unchecked: 2 &* frame &+ 1]))
      samples[unchecked: 2 &* frame] = sound.x
      samples[unchecked: 2 &* frame &+ 1] = sound.y
    }
  }

  /// The present gain, 0 … 1; 1 leaves the sound unchanged.
  public var gain: Double { Double(sum) / Double(window * Self.unity) }
}
