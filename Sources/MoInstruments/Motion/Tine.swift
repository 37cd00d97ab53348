import Glibc
import MoDSP

/// The tine of an electric piano: a sine that a second sine modulates.
///
/// A harder strike is louder and brighter. The output stays within ±0.6. After a strike, it is exactly 0 again within
/// 1.7 times `decay` plus 0.1 s.
///
/// - Source: J. M. Chowning, *The synthesis of complex audio spectra by means of frequency modulation*, JAES 21(7)
///   (1973).
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: all but `init`.
@frozen
public struct Tine: Voice, Sendable {
  @usableFromInline var body: Sine
  @usableFromInline var bend: Sine
  @usableFromInline var level: Float = 0
  @usableFromInline var coming: Float = 0
  @usableFromInline var depth: Float = 0
  @usableFromInline var deepening: Float = 0
  @usableFromInline var fade: Float = 0
  @usableFromInline var dull: Float = 0
  @usableFromInline var attack: Float = 0
  // Every strike swings in the same direction first, so many strikes would add up to an offset.
  @usableFromInline var mean: Float = 0
  @usableFromInline var meanPull: Float = 0
  @usableFromInline var sampleRate: Double
  @usableFromInline let ratio: Double

  /// Creates a tine at rest.
  ///
  /// - Parameters:
  ///   - ratio: the modulator's frequency relative to the pitch, above 0. 1 gives all harmonics; 3 leaves out the
  ///     harmonics 3, 6, 9 and so on. Other numbers stop the program.
  ///   - sampleRate: frames per second.
  public init(ratio: Double = 1, sampleRate: Double = 48_000) {
    precondition(ratio > 0, "a ratio is above 0")
    self.ratio = ratio
    self.sampleRate = sampleRate
    body = Sine(sampleRate: sampleRate)
    bend = Sine(sampleRate: sampleRate)
    prepare(sampleRate: sampleRate)
  }

  /// Resets the tine and prepares it for a sample rate.
  public mutating func prepare(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate must be above 0 Hz")
    self.sampleRate = sampleRate
    body.prepare(sampleRate: sampleRate)
    bend.prepare(sampleRate: sampleRate)
    attack = Float(1 - exp(-1 / (0.0008 * sampleRate)))
    meanPull = Float(1 - exp(-2 * .pi * 20 / sampleRate))
    rest()
  }

  /// Whether the tine sounds.
  @inlinable
  public var isSounding: Bool { level != 0 || coming != 0 || mean != 0 }

  /// Strikes the tine now; a tine that already rings at this pitch continues without a click.
  ///
  /// - Parameters:
  ///   - frequency: in Hz.
  ///   - force: 0 (no strike) … 1; more counts as 1, NaN as 0.
  ///   - brightness: 0 (nearly a sine) … 1 (many overtones).
  ///   - decay: the time in which the tone falls by 60 dB, in seconds, at least 0.02.
  public mutating func strike(_ frequency: Double, force: Float, brightness: Float, decay: Double) {
    guard force > 0 else { return }
    let force = min(force, 1)
    if !isSounding { (body.phase, bend.phase) = (0, 0) }
    tune(frequency)
    coming = max(0, 0.45 * force - level)
    // The modulation index in turns; high notes alias sooner, so they get less.
    let room = Float(min(1, 0.04 * sampleRate / max(frequency * ratio, 1)))
    deepening = (0.02 + 0.4 * max(0, min(brightness, 1)) * (0.3 + 0.7 * force)) * room - depth
    fade = Float(exp(-6.9078 / (max(0.02, decay) * sampleRate)))
    dull = Float(exp(-6.9078 / (max(0.02, decay) * 0.5 * sampleRate)))
  }

  /// Strikes the tine now, from `Float` values.
  @inlinable @_disfavoredOverload
  public mutating func strike(_ frequency: Float, force: Float, brightness: Float, decay: Float) {
    strike(Double(frequency), force: force, brightness: brightness, decay: Double(decay))
  }

  /// Changes the frequency, in Hz, without a click, also while the tine rings.
  public mutating func tune(_ frequency: Double) {
    body.frequency = frequency
    bend.frequency = ratio * frequency
  }

  /// Changes the frequency without a click, to a `Float` in Hz.
  @inlinable @_disfavoredOverload
  public mutating func tune(_ frequency: Float) { tune(Double(frequency)) }

  /// Makes the tine fall silent within the given number of seconds.
  public mutating func damp(within seconds: Double) {
    fade = min(fade, Float(exp(-11.5 / (max(0.005, seconds) * sampleRate))))
  }

  /// Makes the tine fall silent within the given number of seconds, which is a `Float`.
  @inlinable @_disfavoredOverload
  public mutating func damp(within seconds: Float) { damp(within: Double(seconds)) }

  /// Returns the next sample.
  @inlinable
  public mutating func tick() -> Float {
    guard isSounding else { return 0 }
    let arriving = coming * attack
    coming = coming < 1e-6 ? 0 : coming - arriving
    level = level * fade + arriving
    let bending = deepening * attack
    deepening = abs(deepening) < 1e-6 ? 0 : deepening - bending
    depth = depth * dull + bending
    if depth < 1e-9 { depth = 0 }
    let sound = level * body.tick(shiftedBy: depth * bend.tick())
    mean += meanPull * (sound - mean)
    let heard = sound - mean
    if level < 1e-5 && coming == 0 && abs(mean) < 1e-5 { rest() }
    return heard
  }

  /// Resets the tine to exact silence.
  @inlinable
  public mutating func rest() { (level, coming, depth, deepening, mean) = (0, 0, 0, 0, 0) }
}

// A literal frequency selects the form for `Float` values, since a type's member wins over that of an extension of its
// protocol.
extension Voice where Self == Tine {
  /// Strikes the tine now; the frequency is a `Double`, such as `Note.frequency`, the decay a `Float`.
  @inlinable @_disfavoredOverload
  public mutating func strike(_ frequency: Double, force: Float, brightness: Float, decay: Float) {
    strike(frequency, force: force, brightness: brightness, decay: Double(decay))
  }
}

/// A voice that plays one note of the arpeggio.
struct TineVoice: NoteVoice {
  /// The brightness of the next note, 0 … 1.
  var brightness: Float = 0.4
  /// The time in which the next note falls by 60 dB, in seconds.
  var decay: Float = 1
  private var tine = Tine()
  private var pitch: Float = 60
  private var bent: Float = 0

  var isSounding: Bool { tine.isSounding }
  var level: Float { tine.level }
  /// The pan position, −0.5 … 0.5: low notes to the left, high notes to the right.
  var pan: Float { max(-0.5, min((pitch - 64) / 30, 0.5)) }

  mutating func prepare(sampleRate: Double) { tine.prepare(sampleRate: sampleRate) }

  mutating func start(_ note: Note) {
    pitch = note.pitch
    let frequency = MoFun.midiToHz(Double(pitch + bent))
    tine.strike(frequency, force: note.velocity, brightness: brightness, decay: decay)
  }

  mutating func release(_ note: Note) { tine.damp(within: 0.3) }

  mutating func bend(_ semitones: Float) {
    bent = semitones
    tine.tune(MoFun.midiToHz(Double(pitch + bent)))
  }

  mutating func rest() { tine.rest() }

  mutating func tick(_ setting: Void) -> Float { tine.tick() }
}
