import Glibc

/// What one key of a grand piano moves: its strings, their hammer and their damper.
///
/// The numbers are fitted to published measurements, smoothed over the keyboard. Rates of decay are in 1/s: 1 is
/// 8.7 dB a second.
///
/// - Source: inharmonicity: F. Rigaud, B. David, L. Daudet, *A parametric model and estimation techniques for the
///   inharmonicity and tuning of the piano*, JASA 133(5) (2013). Losses: J. Bensa et al., *The simulation of piano
///   string vibration: from physical models to finite difference schemes and digital waveguides*, JASA 114(2) (2003).
///   Hammer: A. Askenfelt and E. Jansson, *From touch to string vibrations II*, JASA 90(5) (1991).
struct PianoString {
  /// 0, the lowest A, to 87, the highest C.
  let key: Int
  /// Whether its wire is as stiff as a real piano's.
  var isStiff = false
  /// As MIDI counts.
  var pitch: Double { Double(key + 21) }
  /// How many octaves above middle C.
  var height: Double { (pitch - 60) / 12 }
  /// In equal temperament, in Hz.
  var frequency: Double { 440 * exp2((pitch - 69) / 12) }

  /// The 18 highest keys have no dampers.
  var isDamped: Bool { key < 70 }
  /// The lowest keys have one string, whose second direction of motion then is the second voice.
  var isSingle: Bool { key < 10 }

  /// How much sharper than harmonic its partials are: f(n) = n f √(1 + B n²).
  ///
  /// As stiff as usual, or a third of that, less in the bass and at the top: the notes then agree with instruments
  /// whose partials are harmonic.
  var inharmonicity: Double {
    let (treble, bass) = (exp(0.0926 * pitch - 13.64), exp(-0.0847 * pitch - 5.82))
    if isStiff { return treble / (1 + treble / 8e-3) + bass }
    return 0.3 * treble / (1 + 0.3 * treble / 5e-4) + 0.07 * bass
  }

  /// By what the partial is higher than so many times the frequency.
  func stiffening(_ partial: Int) -> Double { (1 + inharmonicity * Double(partial * partial)).squareRoot() }

  /// Cents by which the lowest partial is tuned low, as those above it are a little high.
  var lowering: Double { 1.5 + 0.6 * max(0, min((45 - pitch) / 9, 1)) }

  /// The rate at which the string alone loses a partial, to the air and to its own friction.
  func loss(at frequency: Double) -> Double {
    0.4 * bridgeLoss + 1.05e-7 * exp(0.3 * max(0, height)) * frequency * frequency
  }

  /// The rate at which it gives its motion to the bridge, all strings in step.
  var bridgeLoss: Double { max(0.3, 0.85 * exp(0.5 * height)) }

  /// How far its strings are apart, as a part of the frequency.
  ///
  /// About a cent at the lowest partial, less in the treble. Of higher partials it is a smaller part, since the
  /// directions in which a string swings count as much as its tuning.
  func mistuning(_ partial: Int) -> Double {
    (isSingle ? 0.5 : 0.95 - 0.08 * max(0, height)) * 5.78e-4 / Double(partial).squareRoot()
  }

  /// Where along the string the hammer strikes.
  var strikingPoint: Double { 0.122 - 0.012 * max(0, height) }

  /// Hz above which a blow of force 0 … 1 sets little in motion: a hard blow makes the felt stiff, and its touch short.
  func hammerCorner(force: Double) -> Double { 1900 * exp2(0.46 * height) * exp2(2.6 * (force - 0.65)) }

  /// The rate that the damper adds.
  func damping(_ partial: Int) -> Double { 24 * exp2(0.3 * height) * min(3, 1 + 0.06 * Double(partial - 1)) }
}
