import Glibc

/// Two strings of nearly one pitch on a bridge that yields: neither sounds alone, but two motions of both do.
///
/// In the first the strings move together and pull the bridge along, which soon takes their energy: the loud beginning
/// of a note. In the second they move against each other, the bridge stays nearly still, and it lasts: the aftersound.
///
/// - Source: G. Weinreich, *Coupled piano strings*, JASA 62(6) (1977).
struct CoupledStrings {
  /// One motion of both strings.
  ///
  /// What it adds to the angular frequency and to the rate of decay, both in 1/s, and how much of it a blow makes
  /// heard.
  struct Motion {
    var shift: Double
    var decay: Double
    var part: Phasor
  }

  let first: Motion
  let second: Motion

  /// - Parameters:
  ///   - mistuning: half of what lies between the strings, in radians a second.
  ///   - bridge: the rate at which the bridge takes motion from both in step, in 1/s.
  ///   - springiness: how much of the bridge's answer is a spring's rather than a loss, as an angle in radians.
  ///   - unevenness: how far the hammer, worn by the strings, strikes one of them harder: −1 … 1.
  init(mistuning: Double, bridge: Double, springiness: Double, unevenness: Double) {
    // Strings in step and against: d/dt (a, b) = i M (a, b), with M = [[2ζ, δ], [δ, 0]].
    let coupling = Phasor(bridge / 2 * tan(springiness), bridge / 2)
    let split = (coupling * coupling + Phasor(mistuning * mistuning, 0)).squareRoot
    let (plus, minus) = (coupling + split, coupling - split)
    let double = split + split
    // What both in step make is kept at the pitch that the strings were tuned to.
    let tuned = 2 * coupling.re
    let uneven = Phasor(unevenness * mistuning, 0)
    first = Motion(shift: plus.re - tuned, decay: plus.im, part: (plus + uneven) / double)
    second = Motion(shift: minus.re - tuned, decay: minus.im, part: Phasor(0, 0) - (minus + uneven) / double)
  }
}

/// A complex number, with what two coupled strings need.
struct Phasor {
  var re: Double
  var im: Double

  init(_ re: Double, _ im: Double) { (self.re, self.im) = (re, im) }

  static func + (a: Phasor, b: Phasor) -> Phasor { Phasor(a.re + b.re, a.im + b.im) }
  static func - (a: Phasor, b: Phasor) -> Phasor { Phasor(a.re - b.re, a.im - b.im) }
  static func * (a: Phasor, b: Phasor) -> Phasor {
    Phasor(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
  }
  static func / (a: Phasor, b: Phasor) -> Phasor {
    let size = b.re * b.re + b.im * b.im
    return Phasor((a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size)
  }
  /// The root whose imaginary part is not below 0.
  var squareRoot: Phasor {
    let size = (re * re + im * im).squareRoot()
    let root = Phasor(max(0, (size + re) / 2).squareRoot(), max(0, (size - re) / 2).squareRoot())
    return im < 0 ? Phasor(-root.re, root.im) : root
  }
}
