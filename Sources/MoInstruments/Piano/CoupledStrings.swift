import Glibc

/// Two strings of nearly the same pitch on a common bridge that yields, calculated as two coupled motions.
///
/// In the first motion, the strings move together and move the bridge, which quickly absorbs their energy: this is the
/// loud attack of a note. In the second motion, the strings move in opposite directions and the bridge stays nearly
/// still. So the second motion lasts long: it is the aftersound.
///
/// - Source: G. Weinreich, *Coupled piano strings*, JASA 62(6) (1977).
struct CoupledStrings {
  /// A motion of both strings: a damped oscillation.
  struct Motion {
    /// The angular frequency of the motion minus the angular frequency to which the strings are tuned, in radians per
    /// second.
    var shift: Double
    /// The decay rate, in 1/s.
    var decay: Double
    /// The share of a blow that excites this motion: a complex amplitude, relative to the whole blow.
    var part: Phasor
  }

  let first: Motion
  let second: Motion

  /// - Parameters:
  ///   - mistuning: half of the difference between the angular frequencies of the two strings, in radians per second.
  ///   - bridge: the rate at which the bridge absorbs motion of both strings in phase, in 1/s.
  ///   - springiness: the part of the bridge's response that is elastic rather than lossy, as an angle in
  ///     radians.
  ///   - unevenness: how differently the worn hammer strikes the two strings, −1 … 1: 0 for equal blows; the sign says
  ///     which string gets the harder blow.
  init(mistuning: Double, bridge: Double, springiness: Double, unevenness: Double) {
    // The strings in phase and in opposite phase: d/dt (a, b) = i M (a, b), with M = [[2ζ, δ], [δ, 0]].
    let coupling = Phasor(bridge / 2 * tan(springiness), bridge / 2)
    let split = (coupling * coupling + Phasor(mistuning * mistuning, 0)).squareRoot
    let (plus, minus) = (coupling + split, coupling - split)
    let double = split + split
    // The in-phase motion keeps the pitch to which the strings were tuned.
    let tuned = 2 * coupling.re
    let uneven = Phasor(unevenness * mistuning, 0)
    first = Motion(shift: plus.re - tuned, decay: plus.im, part: (plus + uneven) / double)
    second = Motion(shift: minus.re - tuned, decay: minus.im, part: Phasor(0, 0) - (minus + uneven) / double)
  }
}

/// A complex number, with the operations that coupled strings need.
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
  /// The square root with a non-negative imaginary part.
  var squareRoot: Phasor {
    let size = (re * re + im * im).squareRoot()
    let root = Phasor(max(0, (size + re) / 2).squareRoot(), max(0, (size - re) / 2).squareRoot())
    return im < 0 ? Phasor(-root.re, root.im) : root
  }
}
