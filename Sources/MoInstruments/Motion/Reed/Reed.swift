import Glibc
import MoCore
import MoDSP

/// A pipe with a reed that is blown: a tone of odd partials that swells and brightens with the breath.
///
/// A trace of breath only hisses; with a little more, the reed speaks. The pitch may be moved at any time without a
/// click, and stays the same at any breath. Within ±0.7; silence is exactly 0, at the latest 0.6 s after the breath
/// has ended.
///
/// - Source: J. O. Smith, *Efficient simulation of the reed-bore and bow-string mechanisms*, ICMC (1986); the reed as
///   a reflection that grows on a straight line with the pressure across it, as P. R. Cook and G. P. Scavone have it
///   (*The Synthesis ToolKit*, ICMC (1999)). The bell's loss has one sample of delay at every frequency, so that the
///   partials are in tune with one another.
/// - Thread: one owner; the audio thread once playing. A copy gets memory of its own when it is first written to.
/// - Real-time safe: `set`, `leap` and `tick`, yes.
@frozen
public struct Reed: Voice, Sendable {
  /// Its pitch in Hz, kept within 30 Hz and a sixteenth of the sample rate; no number counts as 30.
  public private(set) var frequency: Double
  /// How much of the high partials the bell sends back and lets out, 0 … 1.
  public private(set) var brightness: Float

  @usableFromInline var sampleRate: Double
  @usableFromInline var bore = DelayLine(longest: 4)
  @usableFromInline var noise: Noise
  /// How far along the bore and back; and how far before the last leap, while that fades.
  @usableFromInline var reach = BoreReach()
  @usableFromInline var oldReach = BoreReach()
  @usableFromInline var old: Float = 0
  @usableFromInline var oldFade: Float = 0
  /// Whether another leap waits until the last has faded.
  @usableFromInline var leapsAgain = false
  @usableFromInline var bell: Float = 0.2
  /// What has reached the bell: the last two samples.
  @usableFromInline var end1: Float = 0
  @usableFromInline var end2: Float = 0
  /// The breath, as it follows what is asked for, its noise, and how quickly it follows.
  @usableFromInline var effort: Float = 0
  @usableFromInline var air: Float = 0
  @usableFromInline var follow: Float = 0
  /// The sound's low partials and its mean, and how quickly they follow.
  @usableFromInline var low: Float = 0
  @usableFromInline var mean: Float = 0
  @usableFromInline var lowPull: Float = 0
  @usableFromInline var meanPull: Float = 0
  /// Samples for which nothing was heard; negative at rest.
  @usableFromInline var quiet = -1

  /// A pipe at rest.
  ///
  /// - Parameters:
  ///   - frequency: its pitch in Hz.
  ///   - brightness: how much of the high partials the bell sends back and lets out, 0 … 1.
  ///   - sampleRate: frames a second; `MoAudio.start` sets the device's own.
  ///   - seed: of the breath's noise; by default the next of `SeedSource`.
  public init(
    frequency: Double = 220, brightness: Float = 0.5, sampleRate: Double = 48_000, seed: UInt64? = nil
  ) {
    (self.frequency, self.brightness) = (frequency, max(0, min(brightness, 1)))
    self.sampleRate = sampleRate
    noise = Noise(seed: seed)
    prepare(sampleRate: sampleRate)
  }

  /// Fits the pipe to a sample rate, at rest.
  public mutating func prepare(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate is above 0 Hz")
    self.sampleRate = sampleRate
    bore = DelayLine(longest: Int(sampleRate / 60) + 4)
    // Quick enough for the tongue, slow enough not to click.
    follow = Float(1 - exp(-1 / (0.004 * sampleRate)))
    oldFade = Float(1 / (0.006 * sampleRate))
    meanPull = Float(1 - exp(-2 * .pi * 25 / sampleRate))
    tune()
    rest()
  }

  /// Whether it is not at rest.
  @inlinable
  public var isSounding: Bool { quiet >= 0 }

  /// The next sample.
  ///
  /// - Parameter breath: how hard it is blown, 0 (not at all) … 1; beyond counts as 1, no number as 0.
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

  /// What goes into the bore, at so much pressure in the mouth.
  @inlinable @inline(__always)
  mutating func blow(_ pressure: Float) -> Float {
    var end = reach.end(of: bore)
    if old > 0 {
      end += old * (oldReach.end(of: bore) - end)
      old -= oldFade
      if leapsAgain, old <= 0 { leapAgain() }
    }
    // The bell turns pressure over.
    let back = -0.95 * ((1 - 2 * bell) * end1 + bell * (end + end2))
    (end2, end1) = (end1, end)
    let across = back - pressure
    let sound = pressure + across * max(-1, min(0.7 - 0.4 * across, 1))
    bore.write(sound)
    return sound
  }

  /// What is heard of it: more, and more of what is high, the harder it is blown.
  @inlinable @inline(__always)
  mutating func listen(to sound: Float) -> Float {
    mean += meanPull * (sound - mean)
    let swing = sound - mean
    low += lowPull * (swing - low)
    let open = 0.1 + 0.9 * effort
    return 0.85 * (0.2 + 0.8 * effort) * (low + open * brightness * (swing - low))
  }

  /// Exact silence, from which every breath begins alike.
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

  /// Moves the pitch and the brightness, while it sounds.
  ///
  /// - Parameters:
  ///   - frequency: in Hz, kept within 30 Hz and a sixteenth of the sample rate; no number counts as 30.
  ///   - brightness: 0 … 1; beyond counts as the nearer end, no number as 0.
  public mutating func set(frequency: Double, brightness: Float) {
    (self.frequency, self.brightness) = (frequency, max(0, min(brightness, 1)))
    tune()
  }

  /// Leaps to another pitch, as with other holes opened: the old tone fades into the new one within 6 ms.
  ///
  /// A leap during a leap begins when that has faded; of several the last counts.
  public mutating func leap(to frequency: Double) {
    if isSounding && old > 0 {
      leapsAgain = true
    } else {
      (oldReach, old) = (reach, isSounding ? 1 : 0)
    }
    set(frequency: frequency, brightness: brightness)
  }

  /// Begins the leap that has waited.
  @usableFromInline
  mutating func leapAgain() {
    leapsAgain = false
    (oldReach, old) = (reach, 1)
    tune()
  }

  @usableFromInline
  mutating func tune() {
    let pitch = max(30, min(frequency, sampleRate / 16))
    // A pipe closed at the reed holds half a wave's way there and back; the bell and the loop delay by 1 each.
    if !leapsAgain { reach = BoreReach(sampleRate / (2 * pitch) - 2) }
    bell = 0.25 - 0.17 * brightness
    lowPull = Float(1 - exp(-2 * .pi * min(2.5 * pitch + 500, 0.4 * sampleRate) / sampleRate))
  }
}
