import Glibc
import MoCore
import MoDSP

/// A string that is plucked: a wave runs up and down it, and loses a little at each end.
///
/// A harder pluck is louder and brighter. A pluck into a ringing string adds to it; the pitch may only be set anew
/// without a click where the string is at rest. Within ±0.9; silence is exactly 0, at the latest twice `decay` after
/// the last pluck.
///
/// - Source: D. A. Jaffe, J. O. Smith, *Extensions of the Karplus-Strong plucked-string algorithm*, CMJ 7(2) (1983):
///   tuning by an all-pass, dynamics by a low-pass, the place of the pluck by a comb. The loss is a filter of three
///   taps whose delay is one sample at every frequency, so that it does not mistune the overtones.
/// - Thread: one owner; the audio thread once playing. A copy gets memory of its own when it is first written to.
/// - Real-time safe: `frequency`, `decay`, `brightness`, `pluck`, `damp`, `tick` and `add`, yes.
@frozen
public struct PluckedString: Voice, Sendable {
  /// Its pitch in Hz, kept within 20 Hz and a tenth of the sample rate; no number counts as 20.
  public var frequency: Double { didSet { tune() } }
  /// Seconds in which its lowest partial falls by 60 dB, kept within 0.02 … 30; the highest strings ring shorter.
  public var decay: Double {
    get { seconds }
    set {
      seconds = newValue
      tune()
    }
  }
  /// How long the high partials ring on, 0 (a damped gut string) … 1 (new steel).
  public var brightness: Double {
    get { shine }
    set {
      shine = newValue
      tune()
    }
  }
  /// Where it is plucked, as a part of its length, kept within 0.02 … 0.5: near the end it sounds thin.
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

  /// What changes with every sample.
  @frozen
  @usableFromInline
  struct Wave: Sendable {
    /// Samples of noise the finger still makes, how loud, and the thump that begins them.
    @usableFromInline var rubbing = 0
    @usableFromInline var rub: Float = 0
    @usableFromInline var thump: Float = 0
    /// The finger's own low-pass: how much is new in a sample, and where it is.
    @usableFromInline var sharpness: Float = 0
    @usableFromInline var finger: Float = 0
    /// The all-pass and the loss.
    @usableFromInline var x1: Float = 0
    @usableFromInline var y1: Float = 0
    @usableFromInline var y2: Float = 0
    /// Samples for which nothing was heard; negative where the string is at rest.
    @usableFromInline var quiet = -1

    @usableFromInline init() {}
  }

  /// A string at rest.
  ///
  /// - Parameters:
  ///   - frequency: its pitch in Hz.
  ///   - decay: seconds in which its lowest partial falls by 60 dB.
  ///   - brightness: how long its high partials ring on, 0 … 1.
  ///   - place: where it is plucked, as a part of its length.
  ///   - sampleRate: frames a second; `MoAudio.start` sets the device's own.
  ///   - seed: of the finger's noise; by default the next of `SeedSource`.
  public init(
    frequency: Double = 220, decay: Double = 4, brightness: Double = 0.5, place: Double = 0.19,
    sampleRate: Double = 48_000, seed: UInt64? = nil
  ) {
    (self.frequency, seconds, shine, self.place) = (frequency, decay, brightness, place)
    self.sampleRate = sampleRate
    pluckNoise = Noise(seed: seed)
    prepare(sampleRate: sampleRate)
  }

  /// Fits the string to a sample rate, at rest.
  public mutating func prepare(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate is above 0 Hz")
    self.sampleRate = sampleRate
    let longest = Int(sampleRate / StringLoss.lowest) + 2
    ring = Array(repeating: 0, count: 1 << (Int.bitWidth - longest.leadingZeroBitCount))
    rest()
    tune()
  }

  /// Whether it is not at rest.
  @inlinable
  public var isSounding: Bool { wave.quiet >= 0 }

  /// Plucks the string, now.
  ///
  /// - Parameter force: 0 (not at all) … 1; beyond counts as 1, no number as 0.
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
    // The low-pass takes as much from noise as from a thump of the same energy. Of that half the decibels are given
    // back, so that a soft pluck is dull and yet not lost.
    let (here, hardest) = ((1 + pole) / (1 - pole), (1 + fingerPole(1)) / (1 - fingerPole(1)))
    let level = Self.fullLevel * force * Float((here * hardest).squareRoot().squareRoot())
    wave.rubbing = Int(loss.period)
    wave.rub = 1.35 * level
    wave.thump = 0.55 * level * Float(loss.period.squareRoot())
    wave.quiet = 0
  }

  /// The pole of a finger's low-pass: soft, a fingertip passes two partials; hard, a nail thirty.
  private func fingerPole(_ force: Float) -> Double {
    let edge = loss.frequency * Double(1.5 + 28 * force * force)
    return exp(-2 * .pi * min(edge / sampleRate, 0.25))
  }

  /// The root mean square of the hardest pluck's wave.
  static let fullLevel: Float = 0.07

  /// Lays a hand on the string: it falls silent within a quarter of a second, until the next pluck.
  public mutating func damp() {
    guard isSounding, !isDamped else { return }
    isDamped = true
    tune()
  }

  /// The next sample.
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

  /// Adds the next samples to a block: the same as `tick` for each of them.
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
    // What a pluck there does to each partial, a second pluck of the other sign, later by that much, does as well.
    let heard = sound - line[unchecked: (now &- loss.pick) & mask]
    wave.quiet = abs(heard) < 1e-5 ? wave.quiet &+ 1 : 0
    if wave.quiet > loss.patience { wave.quiet = -1 }
    return heard
  }

  /// What the finger does to the string, until it has left it.
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

  /// Sets how long it rings, how brightly and where it is plucked, at once; see the properties.
  public mutating func set(decay: Double, brightness: Double, place: Double) {
    // The last of the three works them all out.
    (seconds, shine) = (decay, brightness)
    self.place = place
  }

  /// Exact silence, from which every pluck begins alike.
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
