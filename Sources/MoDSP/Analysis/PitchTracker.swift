import Glibc

/// What was heard of a pitch.
@frozen
public struct Pitch: Equatable, Sendable, BitwiseCopyable {
  /// How often the sound repeats, in Hz; 0 where nothing was heard.
  public var frequency: Float
  /// How exactly it repeats: 1 for a perfect tone, below about 0.8 for noise.
  public var confidence: Float

  /// A pitch and how sure it is.
  @inlinable
  public init(frequency: Float, confidence: Float) {
    self.frequency = frequency
    self.confidence = confidence
  }

  /// Silence.
  @inlinable
  public static var none: Pitch { Pitch(frequency: 0, confidence: 0) }

  /// The frequency where it is one to rely on (confidence 0.8 or more), else nil.
  @inlinable
  public var clear: Float? { confidence >= 0.8 ? frequency : nil }
}

/// Follows the pitch of one voice: an instrument, a singer, a hummed tune.
///
/// ```swift
/// try MoAudio.start(PitchTracker(), inputs: 1) { tracker, block in
///   for frame in block.frames { tracker.tick(block.input(frame)) }
///   if let frequency = tracker.pitch.clear { … }
/// }
/// ```
///
/// There is a new estimate every 11 ms, of the sound up to that moment less another 11 ms, and back as far as two
/// of the lowest periods. The work is spread evenly over the samples; what comes out does not depend on the size of
/// the blocks. A steady tone is measured to within 2 cents; a missing fundamental is heard like any other.
///
/// - Source: A. de Cheveigné, H. Kawahara, *YIN, a fundamental frequency estimator for speech and music*, JASA
///   111(4) (2002), steps 1 to 5; refined over several periods where they are short.
/// - Thread: one owner; the audio thread once playing.
/// - Real-time safe: `tick` and `process`, yes; making and `prepare` allocate.
public final class PitchTracker: Voice {
  /// The lowest pitch that is looked for, in Hz.
  public let lowest: Double
  /// The highest pitch that is looked for, in Hz.
  public let highest: Double
  /// What was heard last.
  public private(set) var pitch = Pitch.none
  /// How many estimates there have been.
  public private(set) var estimates = 0

  private var periods: PeriodFinder
  private var lowPass: PitchLowPass
  private var rate: Double
  /// Every how many samples one is looked at: a high sample rate tells no more about pitch.
  private var spacing: Int
  private var skipped = 0

  /// A tracker that has heard nothing.
  ///
  /// - Parameters:
  ///   - lowest: in Hz, kept within 20 … 2,000. Two of its periods must be heard, so a low one is slow to follow.
  ///   - highest: in Hz, kept within an octave above `lowest` … 5,000.
  ///   - sampleRate: frames a second, above 0; `MoAudio.start` sets the device's own.
  public init(lowest: Double = 40, highest: Double = 2000, sampleRate: Double = 48_000) {
    self.lowest = max(20, min(2000, lowest))
    self.highest = max(2 * self.lowest, min(5000, highest))
    (rate, spacing) = PitchTracker.rates(sampleRate)
    periods = PeriodFinder(longest: rate / self.lowest, shortest: rate / self.highest, rate: rate)
    lowPass = PitchLowPass(frequency: 1.5 * self.highest, sampleRate: sampleRate)
  }

  /// Fits the tracker to a sample rate; it has heard nothing then.
  public func prepare(sampleRate: Double) {
    (rate, spacing) = PitchTracker.rates(sampleRate)
    periods = PeriodFinder(longest: rate / lowest, shortest: rate / highest, rate: rate)
    lowPass = PitchLowPass(frequency: 1.5 * highest, sampleRate: sampleRate)
    pitch = .none
    (estimates, skipped) = (0, 0)
  }

  private static func rates(_ sampleRate: Double) -> (rate: Double, spacing: Int) {
    precondition(sampleRate > 0, "a sample rate is above 0 Hz")
    let spacing = max(1, Int(sampleRate / 44_100))
    return (sampleRate / Double(spacing), spacing)
  }

  /// Hears one sample; whether there is a new estimate.
  ///
  /// What is no number counts as silence.
  @discardableResult
  public func tick(_ sample: Float) -> Bool {
    let smooth = lowPass.tick(sample.isFinite ? sample : 0)
    skipped += 1
    guard skipped >= spacing else { return false }
    skipped = 0
    guard periods.take(smooth) else { return false }
    let found = periods.found
    pitch =
      found.period > 0 ? Pitch(frequency: Float(rate) / found.period, confidence: found.likeness) : .none
    estimates += 1
    return true
  }

  /// Hears a block of one channel; whether there is a new estimate.
  @discardableResult
  public func process(_ samples: Span<Float>) -> Bool {
    let before = estimates
    for index in samples.indices { tick(samples[index]) }
    return estimates != before
  }
}

/// A second-order Butterworth low-pass: overtones far above the highest pitch only make periods harder to compare.
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
    // Far below hearing, but it keeps the state of a filter in silence out of the slow denormal numbers.
    let input = gain * (sample + 1e-15)
    let output = input + state1
    state1 = 2 * input - feedback1 * output + state2
    state2 = input - feedback2 * output
    return output
  }
}
