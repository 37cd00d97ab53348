import Glibc
import MoCore
import MoDSP

/// A blown reed pipe: a tone of odd partials that grows louder and brighter with the breath.
///
/// Very little breath gives only noise. With more breath, the reed oscillates. You can change the pitch at any time
/// without a click; the breath does not change the pitch. The output stays within ±0.7. After the breath has ended,
/// the output is exactly 0 again within 0.6 s.
///
/// - Source: J. O. Smith, *Efficient simulation of the reed-bore and bow-string mechanisms*, ICMC (1986).
///   The reed is a reflection that grows linearly with the pressure across it, as in P. R. Cook and G. P.
///   Scavone, *The Synthesis ToolKit*, ICMC (1999). The bell's filter delays every frequency by one sample,
///   so that the partials are in tune.
/// - Thread: one owner; the audio thread during play. A copy gets its own memory when it is first written to.
/// - Real-time safe: `set`, `leap` and `tick`, yes.
@frozen
public struct Reed: Voice, Sendable {
  /// The pitch in Hz, clamped to 30 Hz … a sixteenth of the sample rate; NaN counts as 30.
  public private(set) var frequency: Double
  /// The brightness of the tone, 0 … 1: the share of high partials that the pipe's bell reflects and radiates.
  public private(set) var brightness: Float

  @usableFromInline var sampleRate: Double
  @usableFromInline var bore = DelayLine(longest: 4)
  @usableFromInline var noise: Noise
  /// The delay of a round trip along the bore; after a leap of the pitch, the old sound cross-fades into the new sound.
  @usableFromInline var reach = BoreReach()
  /// The delay of a round trip along the bore before the last leap of the pitch.
  @usableFromInline var oldReach = BoreReach()
  /// The gain of the old sound, which has the delay `oldReach`, during a cross-fade.
  ///
  /// A leap of the pitch sets the gain to 1. The gain then falls; at 0 or below, the cross-fade has ended.
  @usableFromInline var old: Float = 0
  /// The amount by which `old` falls per sample.
  @usableFromInline var oldFade: Float = 0
  /// Whether another leap waits until the last leap's cross-fade has ended.
  @usableFromInline var leapsAgain = false
  @usableFromInline var bell: Float = 0.2
  /// The last sample that reached the bell.
  @usableFromInline var end1: Float = 0
  /// The sample that reached the bell before `end1`.
  @usableFromInline var end2: Float = 0
  /// The smoothed strength of the breath, 0 … 1.
  @usableFromInline var effort: Float = 0
  /// The low-passed noise of the breath.
  @usableFromInline var air: Float = 0
  /// The coefficient of the low-pass that smooths the strength of the breath.
  @usableFromInline var follow: Float = 0
  /// The low partials of the sound: the output of a low-pass.
  @usableFromInline var low: Float = 0
  /// The running mean of the sound, which is removed before the sound is radiated.
  @usableFromInline var mean: Float = 0
  /// The coefficient of the low-pass whose output is `low`.
  @usableFromInline var lowPull: Float = 0
  /// The coefficient of the low-pass whose output is `mean`.
  @usableFromInline var meanPull: Float = 0
  /// The number of silent samples in a row; negative at rest.
  @usableFromInline var quiet = -1

  /// Creates a pipe at rest.
  ///
  /// - Parameters:
  ///   - frequency: the pitch in Hz.
  ///   - brightness: the brightness of the tone, 0 … 1.
  ///   - sampleRate: frames per second; `MoAudio.start` sets the rate of the device.
  ///   - seed: the seed of the breath's noise; nil for the next seed of `SeedSource`.
  public init(
    frequency: Double = 220, brightness: Float = 0.5, sampleRate: Double = 48_000, seed: UInt64? = nil
  ) {
    (self.frequency, self.brightness) = (frequency, max(0, min(brightness, 1)))
    self.sampleRate = sampleRate
    noise = Noise(seed: seed)
    prepare(sampleRate: sampleRate)
  }

  /// Resets the pipe and prepares it for a sample rate.
  public mutating func prepare(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate must be above 0 Hz")
    self.sampleRate = sampleRate
    bore = DelayLine(longest: Int(sampleRate / 60) + 4)
    // Fast enough for tonguing, slow enough to avoid clicks.
    follow = Float(1 - exp(-1 / (0.004 * sampleRate)))
    oldFade = Float(1 / (0.006 * sampleRate))
    meanPull = Float(1 - exp(-2 * .pi * 25 / sampleRate))
    tune()
    rest()
  }

  /// Whether the reed sounds.
  @inlinable
  public var isSounding: Bool { quiet >= 0 }

  /// Returns the next sample.
  ///
  /// - Parameter breath: the strength of the breath, 0 (none) … 1; more counts as 1, NaN as 0.
  @inlinable
  public mutating func tick(_ breath: Float) -> Float {
    let breath = max(0, min(breath, 1))
    if breath > 0 { quiet = 0 }
    guard isSounding else { return 0 }
    effort += follow * (breath - effort)
    if effort < 1e-9 { effort = 0 }
    air += 0.4 * (noise.tick() - air)
    let heard = listen(to: blow(min(1, 12 * effort) * (0.54 + 0.16 * effort) * (1 + 0.1 * air)))
    quiet = abs(heard) < 1e-5 ? quiet &+ 1 : 0
    if quiet > bore.longest && breath == 0 { rest() }
    return heard
  }

  /// Computes the sample that enters the bore for a given pressure in the mouth, writes it to the bore and returns it.
  @inlinable @inline(__always)
  mutating func blow(_ pressure: Float) -> Float {
    var end = reach.end(of: bore)
    if old > 0 {
      end += old * (oldReach.end(of: bore) - end)
      old -= oldFade
      if leapsAgain, old <= 0 { leapAgain() }
    }
    // The bell inverts the pressure.
    let back = -0.95 * ((1 - 2 * bell) * end1 + bell * (end + end2))
    (end2, end1) = (end1, end)
    let across = back - pressure
    let sound = pressure + across * max(-1, min(0.7 - 0.4 * across, 1))
    bore.write(sound)
    return sound
  }

  /// Returns the sound that leaves the pipe; with more breath it is louder, especially its high partials.
  @inlinable @inline(__always)
  mutating func listen(to sound: Float) -> Float {
    mean += meanPull * (sound - mean)
    let swing = sound - mean
    low += lowPull * (swing - low)
    let open = 0.1 + 0.9 * effort
    return 0.85 * (0.2 + 0.8 * effort) * (low + open * brightness * (swing - low))
  }

  /// Resets the reed to exact silence, so that every breath begins in the same way.
  @inlinable
  public mutating func rest() {
    bore.clear()
    (end1, end2, effort, air, low, mean, old) = (0, 0, 0, 0, 0, 0, 0)
    quiet = -1
    if leapsAgain {
      leapsAgain = false
      tune()
    }
  }

  /// Changes the pitch and the brightness, also while the reed sounds.
  ///
  /// - Parameters:
  ///   - frequency: in Hz, clamped to 30 Hz … a sixteenth of the sample rate; NaN counts as 30.
  ///   - brightness: 0 … 1; clamped; NaN counts as 0.
  public mutating func set(frequency: Double, brightness: Float) {
    (self.frequency, self.brightness) = (frequency, max(0, min(brightness, 1)))
    tune()
  }

  /// Changes the pitch and the brightness, from a frequency that is a `Float`.
  @inlinable @_disfavoredOverload
  public mutating func set(frequency: Float, brightness: Float) {
    set(frequency: Double(frequency), brightness: brightness)
  }

  /// Changes the pitch immediately, without a glide, as if the player opened other holes of the pipe.
  ///
  /// The old tone cross-fades into the new tone in 6 ms. If a leap is requested during another leap, it begins when
  /// the first leap has ended. Of several waiting leaps, only the last takes place.
  public mutating func leap(to frequency: Double) {
    if isSounding && old > 0 {
      leapsAgain = true
    } else {
      (oldReach, old) = (reach, isSounding ? 1 : 0)
    }
    set(frequency: frequency, brightness: brightness)
  }

  /// Changes the pitch immediately, without a glide, to a frequency that is a `Float`.
  @inlinable @_disfavoredOverload
  public mutating func leap(to frequency: Float) { leap(to: Double(frequency)) }

  /// Begins the waiting leap.
  @usableFromInline
  mutating func leapAgain() {
    leapsAgain = false
    (oldReach, old) = (reach, 1)
    tune()
  }

  @usableFromInline
  mutating func tune() {
    let pitch = max(30, min(frequency, sampleRate / 16))
    // The round trip in a pipe closed at the reed is half a wavelength. The bell and the loop each delay by
    // one sample.
    if !leapsAgain { reach = BoreReach(sampleRate / (2 * pitch) - 2) }
    bell = 0.25 - 0.17 * brightness
    lowPull = Float(1 - exp(-2 * .pi * min(2.5 * pitch + 500, 0.4 * sampleRate) / sampleRate))
  }
}

/// A position in the delay line of a pipe (the bore), usually between two samples; the bore is read at this position by
/// Lagrange interpolation of four samples.
@frozen
@usableFromInline
struct BoreReach: Sendable, BitwiseCopyable {
  @usableFromInline var whole = 1
  @usableFromInline var weights = SIMD4<Float>(0, 1, 0, 0)

  @usableFromInline
  init() {}

  /// Creates the position at a delay of at least 1 sample; the delay may have a fraction.
  init(_ delay: Double) {
    whole = Int(delay)
    let x = Float(delay - Double(whole))
    let (before, after, far) = (x - 1, x + 1, x - 2)
    weights = SIMD4(-x * before * far, 3 * after * before * far, -3 * x * after * far, x * after * before) / 6
  }

  /// Returns the interpolated sample of the bore at this position.
  @inlinable @inline(__always)
  func end(of bore: DelayLine) -> Float {
    (weights * SIMD4(bore[whole &- 1], bore[whole], bore[whole &+ 1], bore[whole &+ 2])).sum()
  }
}
