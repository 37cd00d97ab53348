/// What a bar is made of: where its modes lie, how strong they are, and how long they ring.
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
@frozen
public struct BarMaterial: Equatable, Sendable, BitwiseCopyable {
  /// Each mode's frequency, by that of the lowest.
  public var ratios: SIMD4<Double>
  /// How strong each is when struck by a mallet hard enough.
  public var levels: SIMD4<Double>
  /// Seconds in which the lowest mode of a bar of 440 Hz falls by 60 dB; lower bars ring longer.
  public var seconds: Double
  /// How much shorter each mode rings than one an octave below it: 0 not at all, 1 half as long.
  public var loss: Double

  /// A material of one's own.
  public init(ratios: SIMD4<Double>, levels: SIMD4<Double>, seconds: Double, loss: Double) {
    (self.ratios, self.levels, self.seconds, self.loss) = (ratios, levels, seconds, loss)
  }

  /// Seconds in which a mode of a bar falls by 60 dB.
  func decay(_ mode: Int, at frequency: Double) -> Double {
    let length = max(0.4, min((440 / frequency).squareRoot(), 2.5))
    return max(0.03, seconds * length / (1 + loss * (ratios[mode] - 1)))
  }

  /// A marimba's: wood, whose second mode is tuned two octaves above the first.
  ///
  /// - Source: N. H. Fletcher, T. D. Rossing, *The Physics of Musical Instruments* (1998), ch. 19.
  public static let rosewood = BarMaterial(
    ratios: SIMD4(1, 3.9, 9.2, 16.2), levels: SIMD4(1, 0.7, 0.45, 0.25), seconds: 1.1, loss: 1.1)
  /// A vibraphone's: metal, tuned alike; it rings for seconds.
  ///
  /// - Source: as `rosewood` has; the ratios are those of a bar tuned 1 : 4 with what that makes of the others, as G.
  ///   Essl and P. R. Cook have them (*Banded waveguides*, ICMC (1999)).
  public static let aluminium = BarMaterial(
    ratios: SIMD4(1, 4.0198, 10.7185, 18.0697), levels: SIMD4(1, 0.6, 0.4, 0.2), seconds: 5, loss: 0.35)
  /// A wine glass's.
  ///
  /// - Source: G. Essl, P. R. Cook, *Banded waveguides: towards physical modeling of bowed bar percussion
  ///   instruments*, ICMC (1999).
  public static let glass = BarMaterial(
    ratios: SIMD4(1, 2.32, 4.25, 6.63), levels: SIMD4(1, 0.8, 0.7, 0.5), seconds: 3, loss: 0.45)
  /// A glockenspiel's: a bar of even thickness, free at both ends.
  ///
  /// - Source: the Euler-Bernoulli bar; L. E. Kinsler, A. R. Frey, *Fundamentals of Acoustics* (1962), ch. 3.
  public static let steel = BarMaterial(
    ratios: SIMD4(1, 2.756, 5.404, 8.933), levels: SIMD4(1, 0.8, 0.6, 0.5), seconds: 4, loss: 0.3)
}
