/// A filter of second order whose frequency may change at every sample: it stays stable, without clicks.
///
/// - Source: A. Simper, *Solving the continuous SVF equations using trapezoidal integration and equivalent
///   currents* (Cytomic, 2013); V. Zavalishin, *The Art of VA Filter Design* (2012), ch. 4.
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: yes, `set` included.
@frozen
public struct StateVariable: MoFilter {
  /// The choice of the output that `tick` returns.
  @frozen
  public enum Kind: Sendable {
    /// The sound below the filter's frequency; above this frequency, the level falls by 12 dB per octave.
    case lowPass
    /// The band around the filter's frequency, with a peak gain of 1.
    case bandPass
    /// The sound above the filter's frequency; below this frequency, the level falls by 12 dB per octave.
    case highPass
    /// The whole sound except a band around the filter's frequency.
    case notch
    /// The whole sound at an unchanged level, with its phase shifted.
    case allPass
  }

  /// The low-pass, band-pass and high-pass outputs for one sample.
  @frozen
  public struct Outputs: Equatable, Sendable, BitwiseCopyable {
    /// The low-pass output: the sound below the filter's frequency.
    public var low: Float
    /// The band-pass output: the band around the filter's frequency, with a peak gain of 1.
    public var band: Float
    /// The high-pass output: the sound above the filter's frequency.
    public var high: Float

    @inlinable
    init(low: Float, band: Float, high: Float) { (self.low, self.band, self.high) = (low, band, high) }
  }

  /// The kind of output that `tick` returns.
  public var kind: Kind
  /// The gain that is applied to the input before the filter.
  public var gain = 1.0
  @usableFromInline var g = 1.0
  @usableFromInline var k = 1.0
  // Factors of the old band, and of the input on the band and on the low output.
  @usableFromInline var bandHold = 1.0
  @usableFromInline var bandPull = 1.0
  @usableFromInline var lowPull = 1.0
  @usableFromInline var state1 = 0.0
  @usableFromInline var state2 = 0.0
  @usableFromInline var out: Float = 0

  /// Creates a filter at rest; frequency and Q have the limits of `set`.
  @inlinable
  public init(_ kind: Kind, frequency: Double, q: Double = 0.5.squareRoot(), sampleRate: Double) {
    self.kind = kind
    set(frequency: frequency, q: q, sampleRate: sampleRate)
  }

  /// Sets the frequency and Q, without an interruption of the sound.
  ///
  /// - Parameters:
  ///   - frequency: in Hz, clamped to 1e-6 … 0.4999 of the sample rate; the true frequency differs from this value by
  ///     at most 0.02 cents.
  ///   - q: clamped to 0.01 … 10,000; 0.707 is the flattest, and a higher value rings. NaN counts as 0.01.
  ///   - sampleRate: samples per second.
  @inlinable
  public mutating func set(frequency: Double, q: Double, sampleRate: Double) {
    k = 1 / FilterLimits.q(q)
    g = Self.tangent(.pi * FilterLimits.turn(frequency, sampleRate))
    bandHold = 1 / (1 + g * (g + k))
    bandPull = g * bandHold
    lowPull = g * bandPull
  }

  /// Sets the frequency and Q from `Float` values, the type of instrument parameters and sensor readings.
  @inlinable @_disfavoredOverload
  public mutating func set(frequency: Float, q: Float, sampleRate: Double) {
    set(frequency: Double(frequency), q: Double(q), sampleRate: sampleRate)
  }

  /// Returns the tangent of an angle of 0 … π/2 radians, by the fourth convergent of Lambert's continued fraction.
  @inlinable
  static func tangent(_ angle: Double) -> Double {
    let square = angle * angle
    return angle * (945 - square * (105 - square)) / (945 - square * (420 - 15 * square))
  }

  /// Returns the low-pass, band-pass and high-pass outputs for one input sample; `kind` has no effect here.
  @inlinable
  public mutating func outputs(_ input: Float) -> Outputs {
    let (low, band, x0) = step(input)
    return Outputs(low: Float(low), band: Float(k * band), high: Float(x0 - k * band - low))
  }

  /// Returns the output that `kind` selects, for one input sample.
  @inlinable
  public mutating func tick(_ input: Float) -> Float {
    let (low, band, x0) = step(input)
    let chosen =
      switch kind {
      case .lowPass: low
      case .bandPass: k * band
      case .highPass: x0 - k * band - low
      case .notch: x0 - k * band
      case .allPass: x0 - 2 * k * band
      }
    out = Float(chosen)
    return out
  }

  @inlinable @inline(__always)
  mutating func step(_ input: Float) -> (low: Double, band: Double, x0: Double) {
    let x0 = gain * Double(input)
    // Simper's equations, solved for the states, so that few operations depend on one another.
    let pull = x0 - state2
    let band = bandHold * state1 + bandPull * pull
    let rise = bandPull * state1 + lowPull * pull
    let low = state2 + rise
    state1 = 2 * band - state1
    state2 += 2 * rise
    if !FilterLimits.isSounding(Float(state1)) {
      (state1, state2) = FilterLimits.clearIfSilent(state1, state2)
    }
    return (low, band, x0)
  }

  /// The most recent output of `tick`; 0 at first, and after `clear`.
  ///
  /// The method `outputs` does not change this value.
  @inlinable
  public var lastOut: Float { out }

  /// The coefficients of the difference equation for the output that `kind` selects, while the frequency is constant.
  public var coefficients: FilterCoefficients {
    let (a0, a1, a2) = (1 + g * (g + k), 2 * (g * g - 1), 1 + g * (g - k))
    let (b0, b1, b2) =
      switch kind {
      case .lowPass: (g * g, 2 * g * g, g * g)
      case .bandPass: (k * g, 0, -k * g)
      case .highPass: (1, -2, 1)
      case .notch: (1 + g * g, a1, 1 + g * g)
      case .allPass: (a2, a1, a0)
      }
    return FilterCoefficients(b0: b0 / a0, b1: b1 / a0, b2: b2 / a0, a1: a1 / a0, a2: a2 / a0)
  }

  /// Clears the past sound; frequency, Q and kind stay.
  @inlinable
  public mutating func clear() { (state1, state2, out) = (0, 0, 0) }
}

// A literal frequency selects the form for `Float` values, since a type's member wins over that of an extension of its
// protocol.
extension MoFilter where Self == StateVariable {
  /// Sets the frequency from a `Double`, such as `Note.frequency`, and Q from a `Float`, such as a parameter.
  @inlinable @_disfavoredOverload
  public mutating func set(frequency: Double, q: Float, sampleRate: Double) {
    set(frequency: frequency, q: Double(q), sampleRate: sampleRate)
  }
}
