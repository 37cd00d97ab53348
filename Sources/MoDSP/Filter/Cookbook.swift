import Glibc

/// The filters of R. Bristow-Johnson's audio EQ cookbook.
///
/// `frequency` is the edge of a low-pass or high-pass, the middle of a shelf's slope, or the centre of any other
/// filter. At the edge of a low-pass or high-pass, the gain is `q`, so −3 dB with the default of 0.707.
///
/// - Source: R. Bristow-Johnson, *Cookbook formulae for audio EQ biquad filter coefficients* (W3C Note, 2021).
/// - Real-time safe: yes; each function takes about as long as the filtering of 30 samples.
extension FilterCoefficients {
  /// Returns a low-pass; its gain falls by 12 dB per octave above `frequency`.
  ///
  /// - Parameters:
  ///   - frequency: the edge, at which the gain is `q`, in Hz, clamped to 1e-6 … 0.4999 of the sample rate.
  ///   - q: clamped to 0.01 … 10,000; 0.707 is the flattest, and a higher value rings.
  ///   - sampleRate: frames per second.
  public static func lowPass(frequency: Double, q: Double = 0.5.squareRoot(), sampleRate: Double) -> Self {
    let w = Warp(frequency, q, sampleRate)
    return w.over(w.fromTop / 2, w.fromTop, w.fromTop / 2)
  }

  /// Returns a high-pass; its gain falls by 12 dB per octave below `frequency`.
  ///
  /// - Parameters:
  ///   - frequency: the edge, at which the gain is `q`, in Hz, clamped to 1e-6 … 0.4999 of the sample rate.
  ///   - q: clamped to 0.01 … 10,000; 0.707 is the flattest, and a higher value rings.
  ///   - sampleRate: frames per second.
  public static func highPass(frequency: Double, q: Double = 0.5.squareRoot(), sampleRate: Double) -> Self {
    let w = Warp(frequency, q, sampleRate)
    return w.over(w.fromBottom / 2, -w.fromBottom, w.fromBottom / 2)
  }

  /// Returns a band-pass with a peak gain of 1; `q` is `frequency` divided by the −3 dB bandwidth in Hz.
  ///
  /// - Parameters:
  ///   - frequency: the centre, in Hz, clamped to 1e-6 … 0.4999 of the sample rate.
  ///   - q: clamped to 0.01 … 10,000.
  ///   - sampleRate: frames per second.
  public static func bandPass(frequency: Double, q: Double, sampleRate: Double) -> Self {
    let w = Warp(frequency, q, sampleRate)
    return w.over(w.alpha, 0, -w.alpha)
  }

  /// Returns a band-pass with a peak gain of `q`; far from `frequency`, the gain is the same for every `q`.
  ///
  /// - Parameters:
  ///   - frequency: the centre, in Hz, clamped to 1e-6 … 0.4999 of the sample rate.
  ///   - q: clamped to 0.01 … 10,000.
  ///   - sampleRate: frames per second.
  public static func resonantBandPass(frequency: Double, q: Double, sampleRate: Double) -> Self {
    let w = Warp(frequency, q, sampleRate)
    return w.over(w.sine / 2, 0, -w.sine / 2)
  }

  /// Returns a notch, which silences `frequency`; a higher `q` gives a narrower notch.
  ///
  /// - Parameters:
  ///   - frequency: the centre, in Hz, clamped to 1e-6 … 0.4999 of the sample rate.
  ///   - q: clamped to 0.01 … 10,000.
  ///   - sampleRate: frames per second.
  public static func notch(frequency: Double, q: Double, sampleRate: Double) -> Self {
    let w = Warp(frequency, q, sampleRate)
    return w.over(1, -2 * w.cosine, 1)
  }

  /// Returns an all-pass, which keeps the level of every frequency, and shifts the phase by half a turn at `frequency`.
  ///
  /// - Parameters:
  ///   - frequency: the centre, in Hz, clamped to 1e-6 … 0.4999 of the sample rate.
  ///   - q: clamped to 0.01 … 10,000.
  ///   - sampleRate: frames per second.
  public static func allPass(frequency: Double, q: Double = 0.5.squareRoot(), sampleRate: Double) -> Self {
    let w = Warp(frequency, q, sampleRate)
    return w.over(1 - w.alpha, -2 * w.cosine, 1 + w.alpha)
  }

  /// Returns a filter that changes the level of a band around `frequency` by `decibels`; a higher `q` narrows the band.
  ///
  /// - Parameters:
  ///   - frequency: the centre, in Hz, clamped to 1e-6 … 0.4999 of the sample rate.
  ///   - q: clamped to 0.01 … 10,000.
  ///   - decibels: the change of level, clamped to ±120 dB.
  ///   - sampleRate: frames per second.
  public static func peak(frequency: Double, q: Double, decibels: Double, sampleRate: Double) -> Self {
    let w = Warp(frequency, q, sampleRate)
    let a = amplitudeRoot(decibels)
    return scaled(
      1 + w.alpha * a, -2 * w.cosine, 1 - w.alpha * a, over: 1 + w.alpha / a, -2 * w.cosine, 1 - w.alpha / a)
  }

  /// Returns a filter that changes the level below `frequency` by `decibels`, and at `frequency` by half of `decibels`.
  ///
  /// - Parameters:
  ///   - frequency: the middle of the slope, in Hz, clamped to 1e-6 … 0.4999 of the sample rate.
  ///   - q: clamped to 0.01 … 10,000; 0.707 is the flattest, and a higher value rings.
  ///   - decibels: the change of level, clamped to ±120 dB.
  ///   - sampleRate: frames per second.
  public static func lowShelf(
    frequency: Double, q: Double = 0.5.squareRoot(), decibels: Double, sampleRate: Double
  ) -> Self {
    let w = Warp(frequency, q, sampleRate)
    let a = amplitudeRoot(decibels)
    let (more, less, slope) = (a + 1, a - 1, 2 * a.squareRoot() * w.alpha)
    return scaled(
      a * (more - less * w.cosine + slope), 2 * a * (less - more * w.cosine),
      a * (more - less * w.cosine - slope), over: more + less * w.cosine + slope,
      -2 * (less + more * w.cosine), more + less * w.cosine - slope)
  }

  /// Returns a filter that changes the level above `frequency` by `decibels`, and at `frequency` by half of `decibels`.
  ///
  /// - Parameters:
  ///   - frequency: the middle of the slope, in Hz, clamped to 1e-6 … 0.4999 of the sample rate.
  ///   - q: clamped to 0.01 … 10,000; 0.707 is the flattest, and a higher value rings.
  ///   - decibels: the change of level, clamped to ±120 dB.
  ///   - sampleRate: frames per second.
  public static func highShelf(
    frequency: Double, q: Double = 0.5.squareRoot(), decibels: Double, sampleRate: Double
  ) -> Self {
    let w = Warp(frequency, q, sampleRate)
    let a = amplitudeRoot(decibels)
    let (more, less, slope) = (a + 1, a - 1, 2 * a.squareRoot() * w.alpha)
    return scaled(
      a * (more + less * w.cosine + slope), -2 * a * (less + more * w.cosine),
      a * (more + less * w.cosine - slope), over: more - less * w.cosine + slope,
      2 * (less - more * w.cosine), more - less * w.cosine - slope)
  }

  /// Returns the square root of the amplitude that a gain in dB gives, with the gain clamped to ±120 dB.
  ///
  /// In the formulae, the numerator and the denominator each contribute half of the decibels.
  private static func amplitudeRoot(_ decibels: Double) -> Double {
    pow(10, max(-120, min(decibels, 120)) / 40)
  }

  /// Returns a filter with all coefficients divided by `a0`, the coefficient of the present output.
  fileprivate static func scaled(
    _ b0: Double, _ b1: Double, _ b2: Double, over a0: Double, _ a1: Double, _ a2: Double
  ) -> Self {
    let scale = 1 / a0
    return Self(b0: b0 * scale, b1: b1 * scale, b2: b2 * scale, a1: a1 * scale, a2: a2 * scale)
  }
}

/// The same filters from `Float` values, the type of instrument parameters and sensor readings.
///
/// - Real-time safe: yes.
extension FilterCoefficients {
  /// Returns a low-pass, from `Float` values.
  @inlinable @_disfavoredOverload
  public static func lowPass(
    frequency: Float, q: Float = Float(0.5).squareRoot(), sampleRate: Double
  ) -> Self {
    lowPass(frequency: Double(frequency), q: Double(q), sampleRate: sampleRate)
  }

  /// Returns a high-pass, from `Float` values.
  @inlinable @_disfavoredOverload
  public static func highPass(
    frequency: Float, q: Float = Float(0.5).squareRoot(), sampleRate: Double
  ) -> Self {
    highPass(frequency: Double(frequency), q: Double(q), sampleRate: sampleRate)
  }

  /// Returns a band-pass with a peak gain of 1, from `Float` values.
  @inlinable @_disfavoredOverload
  public static func bandPass(frequency: Float, q: Float, sampleRate: Double) -> Self {
    bandPass(frequency: Double(frequency), q: Double(q), sampleRate: sampleRate)
  }

  /// Returns a band-pass with a peak gain of `q`, from `Float` values.
  @inlinable @_disfavoredOverload
  public static func resonantBandPass(frequency: Float, q: Float, sampleRate: Double) -> Self {
    resonantBandPass(frequency: Double(frequency), q: Double(q), sampleRate: sampleRate)
  }

  /// Returns a notch, from `Float` values.
  @inlinable @_disfavoredOverload
  public static func notch(frequency: Float, q: Float, sampleRate: Double) -> Self {
    notch(frequency: Double(frequency), q: Double(q), sampleRate: sampleRate)
  }

  /// Returns an all-pass, from `Float` values.
  @inlinable @_disfavoredOverload
  public static func allPass(
    frequency: Float, q: Float = Float(0.5).squareRoot(), sampleRate: Double
  ) -> Self {
    allPass(frequency: Double(frequency), q: Double(q), sampleRate: sampleRate)
  }

  /// Returns a filter that changes the level of a band, from `Float` values.
  @inlinable @_disfavoredOverload
  public static func peak(frequency: Float, q: Float, decibels: Float, sampleRate: Double) -> Self {
    peak(frequency: Double(frequency), q: Double(q), decibels: Double(decibels), sampleRate: sampleRate)
  }

  /// Returns a filter that changes the level below `frequency`, from `Float` values.
  @inlinable @_disfavoredOverload
  public static func lowShelf(
    frequency: Float, q: Float = Float(0.5).squareRoot(), decibels: Float, sampleRate: Double
  ) -> Self {
    lowShelf(frequency: Double(frequency), q: Double(q), decibels: Double(decibels), sampleRate: sampleRate)
  }

  /// Returns a filter that changes the level above `frequency`, from `Float` values.
  @inlinable @_disfavoredOverload
  public static func highShelf(
    frequency: Float, q: Float = Float(0.5).squareRoot(), decibels: Float, sampleRate: Double
  ) -> Self {
    highShelf(frequency: Double(frequency), q: Double(q), decibels: Double(decibels), sampleRate: sampleRate)
  }
}

/// The common terms of the cookbook's formulae: sine and cosine of the frequency's angle, and alpha, sine / (2 · Q).
private struct Warp {
  let cosine: Double
  let sine: Double
  let alpha: Double
  /// The term 1 − `cosine`, without loss of precision at low frequencies.
  let fromTop: Double
  /// The term 1 + `cosine`, without loss of precision near half the sample rate.
  let fromBottom: Double

  init(_ frequency: Double, _ q: Double, _ sampleRate: Double) {
    let half = .pi * FilterLimits.turn(frequency, sampleRate)
    let (s, c) = (sin(half), cos(half))
    (fromTop, fromBottom) = (2 * s * s, 2 * c * c)
    (sine, cosine) = (2 * s * c, c * c - s * s)
    alpha = sine / (2 * FilterLimits.q(q))
  }

  /// Returns a filter of any kind except peak and shelf, from the coefficients of its numerator.
  ///
  /// The denominator of such a filter depends only on the frequency and Q.
  func over(_ b0: Double, _ b1: Double, _ b2: Double) -> FilterCoefficients {
    .scaled(b0, b1, b2, over: 1 + alpha, -2 * cosine, 1 - alpha)
  }
}
