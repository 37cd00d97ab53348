/// The material of a bar: the frequencies, levels and decay times of its partials (modes).
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
@frozen
public struct BarMaterial: Equatable, Sendable, BitwiseCopyable {
  /// The frequency of each mode, as a multiple of the lowest mode's frequency.
  public var ratios: SIMD4<Double>
  /// The relative strength of each mode if the mallet is hard enough to excite it.
  public var levels: SIMD4<Double>
  /// The time in which the lowest mode of a 440 Hz bar falls by 60 dB, in seconds; lower bars ring longer.
  public var seconds: Double
  /// How much faster high modes decay: at 0, a mode an octave above the lowest mode rings as long as the lowest mode;
  /// at 1, half as long.
  public var loss: Double

  /// Creates a material.
  public init(ratios: SIMD4<Double>, levels: SIMD4<Double>, seconds: Double, loss: Double) {
    (self.ratios, self.levels, self.seconds, self.loss) = (ratios, levels, seconds, loss)
  }

  /// Returns the time in seconds in which a mode of a bar falls by 60 dB.
  ///
  /// - Parameters:
  ///   - mode: the mode, 0 (the lowest) … 3.
  ///   - frequency: the frequency of the bar's lowest mode, in Hz.
  func decay(_ mode: Int, at frequency: Double) -> Double {
    let length = max(0.4, min((440 / frequency).squareRoot(), 2.5))
    return max(0.03, seconds * length / (1 + loss * (ratios[mode] - 1)))
  }

  /// The material of marimba bars: wood, with the second mode tuned two octaves above the first.
  ///
  /// - Source: N. H. Fletcher, T. D. Rossing, *The Physics of Musical Instruments* (1998), ch. 19.
  public static let rosewood = BarMaterial(
    ratios: SIMD4(1, 3.9, 9.2, 16.2), levels: SIMD4(1, 0.7, 0.45, 0.25), seconds: 1.1, loss: 1.1)
  /// The material of vibraphone bars: metal that rings for seconds, with the second mode tuned two octaves above the
  /// first.
  ///
  /// - Source: see `rosewood`. The second mode is tuned to 1 : 4, and the other ratios result from this tuning
  ///   (G. Essl, P. R. Cook, *Banded waveguides*, ICMC (1999)).
  public static let aluminium = BarMaterial(
    ratios: SIMD4(1, 4.0198, 10.7185, 18.0697), levels: SIMD4(1, 0.6, 0.4, 0.2), seconds: 5, loss: 0.35)
  /// The material of a wine glass.
  ///
  /// - Source: G. Essl, P. R. Cook, *Banded waveguides: towards physical modeling of bowed bar percussion
  ///   instruments*, ICMC (1999).
  public static let glass = BarMaterial(
    ratios: SIMD4(1, 2.32, 4.25, 6.63), levels: SIMD4(1, 0.8, 0.7, 0.5), seconds: 3, loss: 0.45)
  /// The material of glockenspiel bars: steel of even thickness, free at both ends.
  ///
  /// - Source: the Euler-Bernoulli bar; L. E. Kinsler, A. R. Frey, *Fundamentals of Acoustics* (1962), ch. 3.
  public static let steel = BarMaterial(
    ratios: SIMD4(1, 2.756, 5.404, 8.933), levels: SIMD4(1, 0.8, 0.6, 0.5), seconds: 4, loss: 0.3)
}
