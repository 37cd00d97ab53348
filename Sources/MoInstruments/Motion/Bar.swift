import Glibc
import MoDSP

/// A struck bar, plate or glass, as four partials (modes) that ring and decay separately.
///
/// A harder strike is louder and brighter, because the mallet touches the bar for a shorter time. A strike on a
/// ringing bar adds to its sound. The output stays within ±0.9. After the last strike, it is exactly 0 again within
/// 1.7 times the decay time of the lowest mode.
///
/// - Source: J.-M. Adrien, *The missing link: modal synthesis*, in Representations of Musical Signals, MIT
///   Press (1991). Each mode is a complex number that turns and shrinks, so that decay does not change its
///   pitch (M. Mathews, J. O. Smith, *Methods for synthesizing very high Q parametrically well behaved two pole
///   filters*, SMAC (2003)).
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: `set`, `strike`, `damp`, `tick` and `add`, yes.
@frozen
public struct Bar: Voice, Sendable {
  /// The material of the bar.
  public private(set) var material: BarMaterial
  /// The frequency of the lowest mode, in Hz.
  public private(set) var frequency: Double
  /// The hardness of the mallet, 0 (wool) … 1 (brass); a new value applies from the next strike on.
  public var hardness: Double
  /// The striking position, 0 (the middle) … 1 (the end); a new value applies from the next strike on.
  public var place: Double

  @usableFromInline var sampleRate: Double
  /// The real part of the factor by which each mode is multiplied per sample, a rotation and a decay.
  @usableFromInline var turn = SIMD4<Float>.zero
  /// The imaginary part of the factor whose real part is `turn`.
  @usableFromInline var lift = SIMD4<Float>.zero
  /// The share of the mallet's force that reaches each mode.
  @usableFromInline var reach = SIMD4<Float>.zero
  @usableFromInline var real = SIMD4<Float>.zero
  @usableFromInline var imaginary = SIMD4<Float>.zero
  @usableFromInline var mallet = Mallet()
  @usableFromInline var quiet = -1
  @usableFromInline var framesUntilRest = 0

  /// Creates a bar at rest.
  ///
  /// - Parameters:
  ///   - material: the material of the bar.
  ///   - frequency: the frequency of the lowest mode in Hz, clamped to 20 Hz … a fifth of the sample rate.
  ///   - hardness: the hardness of the mallet, 0 … 1.
  ///   - place: the striking position, 0 (the middle) … 1 (the end).
  ///   - sampleRate: frames per second; `MoAudio.start` sets the rate of the device.
  public init(
    _ material: BarMaterial = .rosewood, frequency: Double = 440, hardness: Double = 0.5, place: Double = 0.3,
    sampleRate: Double = 48_000
  ) {
    (self.material, self.frequency, self.hardness, self.place) = (material, frequency, hardness, place)
    self.sampleRate = sampleRate
    prepare(sampleRate: sampleRate)
  }

  /// Resets the bar and prepares it for a sample rate.
  public mutating func prepare(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate must be above 0 Hz")
    self.sampleRate = sampleRate
    set(material, frequency: frequency)
  }

  /// Replaces the bar by another bar, which is at rest.
  ///
  /// - Parameters:
  ///   - material: the material of the bar.
  ///   - frequency: the frequency of the lowest mode in Hz, clamped to 20 Hz … a fifth of the sample rate;
  ///     NaN counts as 20.
  ///   - decay: a factor on the material's decay time, clamped to 0.05 … 4.
  public mutating func set(_ material: BarMaterial, frequency: Double, decay: Double = 1) {
    self.material = material
    self.frequency = max(20, min(frequency, sampleRate / 5))
    fade(by: max(0.05, min(decay, 4)))
    framesUntilRest = Int(sampleRate / self.frequency) + 1
    rest()
  }

  /// Replaces the bar by another bar, which is at rest, from `Float` values.
  @inlinable @_disfavoredOverload
  public mutating func set(_ material: BarMaterial, frequency: Float, decay: Float = 1) {
    set(material, frequency: Double(frequency), decay: Double(decay))
  }

  private mutating func fade(by decay: Double) {
    for mode in 0..<4 {
      let pitch = frequency * material.ratios[mode]
      // Modes that would alias are left out.
      let isHeard = pitch < 0.45 * sampleRate
      let angle = 2 * .pi * pitch / sampleRate
      let radius = exp(-6.9078 / (material.decay(mode, at: frequency) * decay * sampleRate))
      turn[mode] = isHeard ? Float(radius * cos(angle)) : 0
      lift[mode] = isHeard ? Float(radius * sin(angle)) : 0
    }
  }

  /// Whether the bar sounds.
  @inlinable
  public var isSounding: Bool { quiet >= 0 }

  /// Strikes the bar now.
  ///
  /// - Parameter force: 0 (no strike) … 1; more counts as 1, NaN as 0.
  public mutating func strike(_ force: Float) {
    guard force > 0 else { return }
    let force = min(force, 1)
    let stiff = max(0, min(hardness, 1)) * 0.75 + 0.25 * Double(force)
    // A wool mallet touches for two fifths of a period or more; a brass one leaves almost immediately.
    let contact = max((0.4 - 0.37 * stiff) / frequency, 0.00012 + 0.0008 * (1 - stiff) * (1 - stiff))
    mallet.strike(force, frames: max(4, contact * sampleRate))
    // The modes of a free bar: between the middle and the end, the odd ones move most.
    let spot = max(0, min(place, 1)) * .pi / 2
    var loudest = 0.0
    for mode in 0..<4 {
      let shape = abs(cos(spot * Double(mode + 1))) * 0.8 + 0.2
      let size = material.levels[mode] * shape
      loudest += size
      reach[mode] = turn[mode] == 0 && lift[mode] == 0 ? 0 : Float(size)
    }
    reach *= loudest > 0 ? Self.fullLevel / Float(loudest) : 0
    quiet = 0
  }

  /// The peak amplitude of the hardest strike, relative to full scale.
  static let fullLevel: Float = 0.4

  /// Damps the bar, as with a hand: it falls silent within a tenth of a second.
  public mutating func damp() {
    guard isSounding else { return }
    let radius = Float(exp(-6.9078 / (0.06 * sampleRate)))
    for mode in 0..<4 {
      let size = (turn[mode] * turn[mode] + lift[mode] * lift[mode]).squareRoot()
      guard size > radius else { continue }
      turn[mode] *= radius / size
      lift[mode] *= radius / size
    }
  }

  /// Returns the next sample.
  @inlinable
  public mutating func tick() -> Float {
    guard isSounding else { return 0 }
    return step()
  }

  /// Adds the bar's next samples to the given samples; the result is the same as with a call of `tick` for each sample.
  @inlinable
  public mutating func add(to samples: inout MutableSpan<Float>) {
    var bar = self
    for index in samples.indices {
      guard bar.isSounding else { break }
      samples[unchecked: index] += bar.step()
    }
    self = bar
  }

  @inlinable @inline(__always)
  mutating func step() -> Float {
    let push = reach * mallet.tick()
    let before = real
    real = turn * before - lift * imaginary + push
    imaginary = lift * before + turn * imaginary
    let heard = imaginary.sum()
    if abs(heard) < 1e-5 { listen() } else { quiet = 0 }
    return heard
  }

  @inlinable
  mutating func listen() {
    quiet &+= 1
    if quiet > framesUntilRest && !mallet.isTouching { rest() }
  }

  /// Resets the bar to exact silence, so that every strike begins in the same way.
  @inlinable
  public mutating func rest() {
    (real, imaginary) = (.zero, .zero)
    mallet = Mallet()
    quiet = -1
  }
}

// A literal frequency selects the form for `Float` values, since a type's member wins over that of an extension of its
// protocol.
extension Voice where Self == Bar {
  /// Replaces the bar by another bar; the frequency is a `Double`, such as `Note.frequency`, the decay a `Float`.
  @inlinable @_disfavoredOverload
  public mutating func set(_ material: BarMaterial, frequency: Double, decay: Float) {
    set(material, frequency: frequency, decay: Double(decay))
  }
}

/// A mallet's force on the bar during the contact: a smooth pulse whose samples add up to the force of the strike.
///
/// The longer the contact, the less of the force reaches the high modes.
@frozen
@usableFromInline
struct Mallet: Sendable, BitwiseCopyable {
  /// The number of frames until the contact ends.
  @usableFromInline var left: Float = 0
  /// The reciprocal of the length of the whole contact in frames.
  @usableFromInline var pace: Float = 0
  @usableFromInline var height: Float = 0

  @inlinable
  init() {}

  @inlinable
  var isTouching: Bool { left > 0 }

  mutating func strike(_ force: Float, frames: Double) {
    pace = 1 / Float(frames)
    // The squared parabola in `tick` has a mean of 8/15.
    height = force * pace * 15 / 8
    left = Float(frames)
  }

  @inlinable @inline(__always)
  mutating func tick() -> Float {
    guard left > 0 else { return 0 }
    let place = left * pace
    left -= 1
    // 16 place² (1 − place)², which has zero value and zero slope at both ends. The offset gives the first
    // frame a small value.
    let bow = 4 * place * (1 - place)
    return height * (bow * bow + 1e-3)
  }
}
