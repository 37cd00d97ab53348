import Glibc
import MoCore
import MoDSP

/// A plucked string: a wave that travels up and down the string and loses a little at each end.
///
/// A harder pluck is louder and brighter. A pluck on a ringing string adds to its sound. Changing the pitch is free
/// of clicks only while the string is at rest. The output stays within ±0.9. After the last pluck, it is exactly 0
/// again within twice `decay`.
///
/// - Source: D. A. Jaffe, J. O. Smith, *Extensions of the Karplus-Strong plucked-string algorithm*, CMJ
///   7(2) (1983): tuning by an all-pass, dynamics by a low-pass, the plucking position by a comb. The filter
///   for the loss delays every frequency by one sample (a mean of three samples), so that the overtones stay
///   in tune.
/// - Thread: one owner; the audio thread during play. A copy gets its own memory when it is first written to.
/// - Real-time safe: `frequency`, `decay`, `brightness`, `pluck`, `damp`, `tick` and `add`, yes.
@frozen
public struct PluckedString: Voice, Sendable {
  /// The pitch in Hz, clamped to 20 Hz … a tenth of the sample rate; NaN counts as 20.
  public var frequency: Double { didSet { tune() } }
  /// The time in which the lowest partial falls by 60 dB, in seconds, clamped to 0.02 … 30.
  ///
  /// The highest strings ring for a shorter time.
  public var decay: Double {
    get { seconds }
    set {
      seconds = newValue
      tune()
    }
  }
  /// The brightness, 0 (a damped gut string) … 1 (new steel): at a higher brightness, high partials ring longer.
  public var brightness: Double {
    get { shine }
    set {
      shine = newValue
      tune()
    }
  }
  /// The plucking position, as a fraction of the length, clamped to 0.02 … 0.5; near the end, the string sounds thin.
  public var place: Double { didSet { tune() } }

  @usableFromInline var seconds: Double
  @usableFromInline var shine: Double
  @usableFromInline var sampleRate: Double
  @usableFromInline var ring: [Float] = []
  @usableFromInline var now = 0
  @usableFromInline var pluckNoise: Noise
  @usableFromInline var loss = StringLoss()
  @usableFromInline var wave = Wave()
  @usableFromInline var isDamped = false

  /// The state that changes with every sample.
  @frozen
  @usableFromInline
  struct Wave: Sendable {
    /// The number of samples for which the finger's noise still lasts.
    @usableFromInline var rubbing = 0
    /// The level of the finger's noise.
    @usableFromInline var rub: Float = 0
    /// The level of the thump in the first sample of a pluck; 0 after this sample.
    @usableFromInline var thump: Float = 0
    /// The coefficient of the low-pass for noise and thump: the sharper the finger, the more high partials pass.
    @usableFromInline var sharpness: Float = 0
    /// The last output of the finger's low-pass.
    @usableFromInline var finger: Float = 0
    /// The last input of the all-pass.
    @usableFromInline var x1: Float = 0
    /// The last output of the all-pass, which is also the last input of the loss filter.
    @usableFromInline var y1: Float = 0
    /// The output of the all-pass before `y1`.
    @usableFromInline var y2: Float = 0
    /// The number of silent samples in a row; negative at rest.
    @usableFromInline var quiet = -1

    @usableFromInline init() {}
  }

  /// Creates a string at rest.
  ///
  /// - Parameters:
  ///   - frequency: the pitch in Hz.
  ///   - decay: the time in which the lowest partial falls by 60 dB, in seconds.
  ///   - brightness: how long high partials ring, 0 (a damped gut string) … 1 (new steel).
  ///   - place: the plucking position, as a fraction of the length.
  ///   - sampleRate: frames per second; `MoAudio.start` sets the rate of the device.
  ///   - seed: the seed of the finger's noise; nil for the next seed of `SeedSource`.
  public init(
    frequency: Double = 220, decay: Double = 4, brightness: Double = 0.5, place: Double = 0.19,
    sampleRate: Double = 48_000, seed: UInt64? = nil
  ) {
    (self.frequency, seconds, shine, self.place) = (frequency, decay, brightness, place)
    self.sampleRate = sampleRate
    pluckNoise = Noise(seed: seed)
    prepare(sampleRate: sampleRate)
  }

  /// Resets the string and prepares it for a sample rate.
  public mutating func prepare(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate must be above 0 Hz")
    self.sampleRate = sampleRate
    let longest = Int(sampleRate / StringLoss.lowest) + 2
    ring = Array(repeating: 0, count: 1 << (Int.bitWidth - longest.leadingZeroBitCount))
    rest()
    tune()
  }

  /// Whether the string sounds.
  @inlinable
  public var isSounding: Bool { wave.quiet >= 0 }

  /// Plucks the string now.
  ///
  /// - Parameter force: 0 (no pluck) … 1; more counts as 1, NaN as 0.
  public mutating func pluck(_ force: Float) {
    guard force > 0 else { return }
    if isDamped {
      isDamped = false
      tune()
    }
    if !isSounding { clear() }
    let force = min(force, 1)
    let pole = fingerPole(force)
    wave.sharpness = Float(1 - pole)
    // The low-pass reduces noise as much as a thump of the same energy. Half of the loss in decibels is
    // restored, so that a soft pluck is dull but still audible.
    let (here, hardest) = ((1 + pole) / (1 - pole), (1 + fingerPole(1)) / (1 - fingerPole(1)))
    let level = Self.fullLevel * force * Float((here * hardest).squareRoot().squareRoot())
    wave.rubbing = Int(loss.period)
    wave.rub = 1.35 * level
    wave.thump = 0.55 * level * Float(loss.period.squareRoot())
    wave.quiet = 0
  }

  /// Returns the pole of the finger's low-pass: a soft fingertip passes two partials, a hard nail thirty.
  private func fingerPole(_ force: Float) -> Double {
    let edge = loss.frequency * Double(1.5 + 28 * force * force)
    return exp(-2 * .pi * min(edge / sampleRate, 0.25))
  }

  /// The root mean square of the wave of the hardest pluck, relative to full scale.
  static let fullLevel: Float = 0.07

  /// Damps the string, as with a hand: it falls silent within a quarter of a second.
  ///
  /// The next pluck ends the damping.
  public mutating func damp() {
    guard isSounding, !isDamped else { return }
    isDamped = true
    tune()
  }

  /// Returns the next sample.
  @inlinable
  public mutating func tick() -> Float {
    guard isSounding else { return 0 }
    var (wave, now, noise) = (self.wave, self.now, self.pluckNoise)
    let loss = loss
    var line = ring.mutableSpan
    let heard = Self.step(&line, &now, &wave, &noise, loss)
    (self.wave, self.now, self.pluckNoise) = (wave, now, noise)
    return heard
  }

  /// Adds the string's next samples to the given samples; the result is the same as with a call of `tick` for each
  /// sample.
  @inlinable
  public mutating func add(to samples: inout MutableSpan<Float>) {
    guard isSounding else { return }
    var (wave, now, noise) = (self.wave, self.now, self.pluckNoise)
    let loss = loss
    var line = ring.mutableSpan
    for index in samples.indices {
      guard wave.quiet >= 0 else { break }
      samples[unchecked: index] += Self.step(&line, &now, &wave, &noise, loss)
    }
    (self.wave, self.now, self.pluckNoise) = (wave, now, noise)
  }

  @inlinable @inline(__always)
  static func step(
    _ line: inout MutableSpan<Float>, _ now: inout Int, _ wave: inout Wave, _ noise: inout Noise,
    _ loss: StringLoss
  ) -> Float {
    let mask = line.count &- 1
    now = (now &+ 1) & mask
    let x0 = line[unchecked: (now &- loss.whole) & mask]
    let y0 = loss.allpass * x0 + wave.x1 - loss.allpass * wave.y1
    var sound = loss.middle * wave.y1 + loss.side * (y0 + wave.y2)
    (wave.x1, wave.y2, wave.y1) = (x0, wave.y1, y0)
    if wave.rubbing > 0 || wave.finger != 0 { sound += Self.touch(&wave, &noise) }
    if abs(sound) < 1e-15 { sound = 0 }
    line[unchecked: now] = sound
    // The plucking position filters each partial as a second pluck does that is inverted and delayed by
    // this much.
    let heard = sound - line[unchecked: (now &- loss.pick) & mask]
    wave.quiet = abs(heard) < 1e-5 ? wave.quiet &+ 1 : 0
    if wave.quiet > loss.framesUntilRest { wave.quiet = -1 }
    return heard
  }

  /// Returns the finger's force on the string for the next sample; 0 after the finger has left the string.
  @inlinable
  static func touch(_ wave: inout Wave, _ noise: inout Noise) -> Float {
    if wave.rubbing > 0 {
      wave.rubbing &-= 1
      wave.finger += wave.sharpness * (wave.rub * noise.tick() + wave.thump - wave.finger)
      wave.thump = 0
    } else {
      wave.finger -= wave.sharpness * wave.finger
      if abs(wave.finger) < 1e-9 { wave.finger = 0 }
    }
    return wave.finger
  }

  /// Sets decay, brightness and plucking position together; see the properties.
  public mutating func set(decay: Double, brightness: Double, place: Double) {
    // Setting the last of the three recalculates all of them.
    (seconds, shine) = (decay, brightness)
    self.place = place
  }

  /// Sets decay, brightness and plucking position together, from `Float` values.
  @inlinable @_disfavoredOverload
  public mutating func set(decay: Float, brightness: Float, place: Float) {
    set(decay: Double(decay), brightness: Double(brightness), place: Double(place))
  }

  /// Resets the string to exact silence, so that every pluck begins in the same way.
  public mutating func rest() {
    wave.quiet = -1
    isDamped = false
  }

  mutating func clear() {
    for index in ring.indices { ring[index] = 0 }
    wave = Wave()
  }

  mutating func tune() {
    loss = StringLoss(
      frequency: frequency, decay: isDamped ? min(seconds, 0.12) : seconds, brightness: isDamped ? 0 : shine,
      place: place, sampleRate: sampleRate)
  }
}

// A type cannot have two properties with one name; an extension of its protocol can have the second property.
extension Voice where Self == PluckedString {
  /// The pitch in Hz as a `Float`, the type of parameters and readings.
  @inlinable @_disfavoredOverload
  public var frequency: Float {
    get { Float(frequency as Double) }
    set { frequency = Double(newValue) as Double }
  }
}
