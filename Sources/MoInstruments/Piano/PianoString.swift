import Glibc

/// The strings, the hammer and the damper of one key of a grand piano.
///
/// The values are fitted to published measurements and smoothed over the keyboard. Decay rates are in 1/s:
/// 1 is 8.7 dB per second.
///
/// - Source: inharmonicity: F. Rigaud, B. David, L. Daudet, *A parametric model and estimation techniques for the
///   inharmonicity and tuning of the piano*, JASA 133(5) (2013). Losses: J. Bensa et al., *The simulation of piano
///   string vibration: from physical models to finite difference schemes and digital waveguides*, JASA 114(2) (2003).
///   Hammer: A. Askenfelt and E. Jansson, *From touch to string vibrations II*, JASA 90(5) (1991).
struct PianoString {
  /// The key, 0 (the lowest A) … 87 (the highest C).
  let key: Int
  /// Whether the wire is as stiff as in a real piano.
  var isStiff = false
  /// The MIDI note number.
  var pitch: Double { Double(key + 21) }
  /// The height above middle C, in octaves.
  var height: Double { (pitch - 60) / 12 }
  /// The frequency in equal temperament, in Hz.
  var frequency: Double { 440 * exp2((pitch - 69) / 12) }

  /// Whether the key has a damper; the 18 highest keys have none.
  var isDamped: Bool { key < 70 }
  /// Whether the key has a single string, as the ten lowest keys do.
  ///
  /// The two directions in which a single string swings take the place of the two coupled motions.
  var isSingle: Bool { key < 10 }

  /// The inharmonicity B, by which partials are sharp: f(n) = n f √(1 + B n²), for partial n of a string tuned to the
  /// frequency f.
  ///
  /// If `isStiff`, B is that of real wire. Otherwise B is about a third of the real value, and less in the bass and at
  /// the top, so that the notes agree with instruments whose partials are harmonic.
  var inharmonicity: Double {
    let (treble, bass) = (exp(0.0926 * pitch - 13.64), exp(-0.0847 * pitch - 5.82))
    if isStiff { return treble / (1 + treble / 8e-3) + bass }
    return 0.3 * treble / (1 + 0.3 * treble / 5e-4) + 0.07 * bass
  }

  /// Returns the ratio of the frequency of a partial, counted from 1, to the frequency of the harmonic with the same
  /// number.
  func stiffening(_ partial: Int) -> Double { (1 + inharmonicity * Double(partial * partial)).squareRoot() }

  /// The number of cents by which the lowest partial is tuned below the nominal pitch of the key, because the partials
  /// above are a little sharp.
  var lowering: Double { 1.5 + 0.6 * max(0, min((45 - pitch) / 9, 1)) }

  /// Returns the decay rate of a partial, in 1/s, from losses in the string alone: air and internal friction.
  func loss(at frequency: Double) -> Double {
    0.4 * bridgeLoss + 1.05e-7 * exp(0.3 * max(0, height)) * frequency * frequency
  }

  /// The rate in 1/s at which the strings pass their motion to the bridge, if all strings move in phase.
  var bridgeLoss: Double { max(0.3, 0.85 * exp(0.5 * height)) }

  /// Returns the difference in frequency between two strings of the key at a partial (1 is the lowest), as a fraction
  /// of the partial's frequency.
  ///
  /// The difference is about a cent at the lowest partial, and less in the treble. For a key with a single string, it
  /// is about half a cent between the two directions in which the string swings. The higher the partial, the smaller
  /// the fraction: the frequency of a high partial depends as much on the direction in which a string swings as on the
  /// string's tuning.
  func mistuning(_ partial: Int) -> Double {
    (isSingle ? 0.5 : 0.95 - 0.08 * max(0, height)) * 5.78e-4 / Double(partial).squareRoot()
  }

  /// The position at which the hammer strikes the string, as a fraction of the string's length.
  var strikingPoint: Double { 0.122 - 0.012 * max(0, height) }

  /// Returns the frequency in Hz above which a blow with a force of 0 … 1 excites partials only a little.
  ///
  /// A hard blow stiffens the felt of the hammer, and shortens the contact of the felt with the strings.
  func hammerCorner(force: Double) -> Double { 1900 * exp2(0.46 * height) * exp2(2.6 * (force - 0.65)) }

  /// Returns the decay rate, in 1/s, that the damper adds to a partial, counted from 1.
  func damping(_ partial: Int) -> Double { 24 * exp2(0.3 * height) * min(3, 1 + 0.06 * Double(partial - 1)) }
}
