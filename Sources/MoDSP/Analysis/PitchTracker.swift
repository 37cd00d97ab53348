import Glibc

/// An estimate of the pitch of a sound, with its confidence.
@frozen
public struct Pitch: Equatable, Sendable, BitwiseCopyable {
  /// The frequency at which the waveform repeats, in Hz; 0 if no pitch was detected.
  public var frequency: Float
  /// How exactly the waveform repeats: 1 for a perfect tone, below about 0.8 for noise.
  public var confidence: Float

  /// Creates a pitch from its frequency and confidence.
  @inlinable
  public init(frequency: Float, confidence: Float) {
    self.frequency = frequency
    self.confidence = confidence
  }

  /// The estimate for silence: no pitch was detected.
  @inlinable
  public static var none: Pitch { Pitch(frequency: 0, confidence: 0) }

  /// The frequency in Hz if the confidence is 0.8 or more, else nil.
  @inlinable
  public var clear: Float? { confidence >= 0.8 ? frequency : nil }
}

/// A tracker of the pitch of a monophonic sound: an instrument, a singer, a hummed tune.
///
/// ```swift
/// try MoAudio.start(PitchTracker(), inputs: 1) { tracker, block in
///   for frame in block.frames { tracker.tick(block.input(frame)) }
///   if let frequency = tracker.pitch.clear { … }
/// }
/// ```
///
/// A new estimate comes every 11 ms. It is computed from sound of at least two periods of `lowest`; the newest sample
/// of this sound is then 11 ms old. The work is spread evenly over the samples, and the result does not depend on the
/// block length. A steady tone is measured to within 2 cents. The pitch of a tone without a fundamental is detected
/// like any other.
///
/// - Source: A. de Cheveigné, H. Kawahara, *YIN, a fundamental frequency estimator for speech and music*, JASA
///   111(4) (2002), steps 1 to 5; a short period is then measured more exactly, over several periods.
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: `tick` and `process`, yes; `init` and `prepare` allocate.
public final class PitchTracker: Voice {
  /// The lowest pitch to detect, in Hz.
  public let lowest: Double
  /// The highest pitch to detect, in Hz.
  public let highest: Double
  /// The latest estimate of the pitch.
  public private(set) var pitch = Pitch.none
  /// The number of estimates since the tracker was created or last prepared.
  public private(set) var estimates = 0

  private var periods: PeriodFinder
  private var lowPass: PitchLowPass
  private var rate: Double
  /// The number of input samples for each analysed sample, such as 2 at 96 kHz.
  ///
  /// A sample rate far above 44.1 kHz does not improve the estimate.
  private var spacing: Int
  private var skipped = 0

  /// Creates a tracker whose first `pitch` is `Pitch.none`.
  ///
  /// - Parameters:
  ///   - lowest: the lowest pitch, in Hz, clamped to 20 … 2,000. An estimate needs two of its periods, so the tracker
  ///     reacts slowly if the value is low.
  ///   - highest: the highest pitch, in Hz, clamped to 2 · `lowest` … 5,000.
  ///   - sampleRate: frames per second, above 0; `MoAudio.start` sets the device's rate.
  public init(lowest: Double = 40, highest: Double = 2000, sampleRate: Double = 48_000) {
    self.lowest = max(20, min(2000, lowest))
    self.highest = max(2 * self.lowest, min(5000, highest))
    (rate, spacing) = PitchTracker.rates(sampleRate)
    periods = PeriodFinder(longest: rate / self.lowest, shortest: rate / self.highest, rate: rate)
    lowPass = PitchLowPass(frequency: 1.5 * self.highest, sampleRate: sampleRate)
  }

  /// Adapts the tracker to a sample rate and resets it.
  public func prepare(sampleRate: Double) {
    (rate, spacing) = PitchTracker.rates(sampleRate)
    periods = PeriodFinder(longest: rate / lowest, shortest: rate / highest, rate: rate)
    lowPass = PitchLowPass(frequency: 1.5 * highest, sampleRate: sampleRate)
    pitch = .none
    (estimates, skipped) = (0, 0)
  }

  private static func rates(_ sampleRate: Double) -> (rate: Double, spacing: Int) {
    precondition(sampleRate > 0, "a sample rate must be above 0 Hz")
    let spacing = max(1, Int(sampleRate / 44_100))
    return (sampleRate / Double(spacing), spacing)
  }

  /// Processes one sample and returns whether there is a new estimate.
  ///
  /// NaN and magnitudes of 10⁶ or more count as silence.
  @discardableResult
  public func tick(_ sample: Float) -> Bool {
    // A larger sample would exceed the range of the filter, which then returns NaN forever.
    let smooth = lowPass.tick(abs(sample) < 1e6 ? sample : 0)
    skipped += 1
    guard skipped >= spacing else { return false }
    skipped = 0
    guard periods.add(smooth) else { return false }
    let found = periods.found
    pitch =
      found.period > 0 ? Pitch(frequency: Float(rate) / found.period, confidence: found.likeness) : .none
    estimates += 1
    return true
  }

  /// Processes a block of one channel and returns whether there is a new estimate.
  @discardableResult
  public func process(_ samples: Span<Float>) -> Bool {
    let before = estimates
    for index in samples.indices { tick(samples[index]) }
    return estimates != before
  }
}

/// A second-order Butterworth low-pass that removes high overtones, since they make periods harder to compare.
struct PitchLowPass {
  private var gain: Float
  private var feedback1: Float
  private var feedback2: Float
  private var state1: Float = 0
  private var state2: Float = 0

  init(frequency: Double, sampleRate: Double) {
    let warped = tan(.pi * min(frequency / sampleRate, 0.4))
    let norm = 1 / (1 + 2.0.squareRoot() * warped + warped * warped)
    gain = Float(warped * warped * norm)
    feedback1 = Float(2 * (warped * warped - 1) * norm)
    feedback2 = Float((1 - 2.0.squareRoot() * warped + warped * warped) * norm)
  }

  mutating func tick(_ sample: Float) -> Float {
    // Far below audibility, but it avoids slow denormal numbers in the filter during silence.
    let input = gain * (sample + 1e-15)
    let output = input + state1
    state1 = 2 * input - feedback1 * output + state2
    state2 = input - feedback2 * output
    return output
  }
}
