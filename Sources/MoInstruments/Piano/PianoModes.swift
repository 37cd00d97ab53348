import Glibc
import MoMu

/// All damped oscillations (modes) of a piano, for one sample rate.
///
/// Each key has a row of `vectors` × 8 modes. First come the partials of the strings, the lowest first, with one or two
/// modes each, for the motions of coupled strings. Then come the modes of the body, which the hammer's blow excites.
/// The memory layout is that of the C function `momu_modes_add`: for each vector, 8 real parts, then 8 imaginary parts.
struct PianoModes {
  /// The size of a row, in vectors of 8 modes.
  static let vectors = 24
  /// The number of floats in a row.
  static let row = vectors * 16
  /// The number of modes of the body.
  static let bodyModes = 16

  /// The state of a key's damping; for each state, `turns` has a table with the rows of all keys.
  enum Motion: Int {
    case free, damped
    /// Damped quickly, because another note needs the voice, or because the key is struck again.
    case choked

    /// The index in `turns` at which the table of this state begins.
    var start: Int { rawValue * 88 * PianoModes.row }
  }

  /// The complex factor by which each mode is multiplied per frame: a rotation and a decay.
  ///
  /// The tables of all damping states are in one array, so that a voice needs only an index.
  private(set) var turns: [Float]
  /// The amplitude of each mode after a blow with full force, before the hammer weakens the high modes (see `height`).
  private(set) var blow: [Float]
  /// The square of the frequency of each mode of the strings, in kHz²; 0 for modes of the body.
  ///
  /// The higher the value, the less a soft hammer excites the mode. Each value is stored twice: at the index of the
  /// real part and at the index of the imaginary part in `blow`.
  private(set) var height: [Float]
  /// For each key, the number of vectors in its row that contain modes; the modes of all later vectors are unused.
  private(set) var used: [Int32]

  /// The time in which a choked string falls to −130 dB, in seconds.
  static let chokeSeconds = 0.025
  private static let chokeRate = 600.0

  init(sampleRate: Double, isStretched: Bool) {
    let size = 88 * PianoModes.row
    turns = Array(repeating: 0, count: 3 * size)
    (blow, height) = (Array(repeating: 0, count: size), Array(repeating: 0, count: size))
    used = Array(repeating: 0, count: 88)
    var tuning = PianoTuning(isStretched: isStretched)
    for key in 0..<88 {
      let string = PianoString(key: key, isStiff: isStretched)
      var modes = PianoRow(string: string, fundamental: tuning.next(string), sampleRate: sampleRate).modes
      while modes.count % 8 != 0 { modes.append(PianoMode()) }
      used[key] = Int32(modes.count / 8)
      for (index, mode) in modes.enumerated() {
        set(mode, at: key * PianoModes.row + index / 8 * 16 + index % 8, sampleRate: sampleRate)
      }
    }
  }

  private mutating func set(_ mode: PianoMode, at index: Int, sampleRate: Double) {
    func turn(_ motion: Motion, decay: Double) {
      let index = motion.start + index
      let (size, angle) = (exp(-decay / sampleRate), mode.frequency * 2 * .pi / sampleRate)
      turns[index] = Float(size * cos(angle))
      turns[index + 8] = Float(size * sin(angle))
    }
    turn(.free, decay: mode.decay)
    turn(.damped, decay: mode.decay + mode.damping)
    turn(.choked, decay: mode.decay + PianoModes.chokeRate)
    blow[index] = Float(mode.amplitude.re)
    blow[index + 8] = Float(mode.amplitude.im)
    let kilohertz = mode.isOfHammer ? Float(mode.frequency / 1000) : 0
    height[index] = kilohertz * kilohertz
    height[index + 8] = kilohertz * kilohertz
  }
}

/// One damped oscillation.
struct PianoMode {
  /// The frequency in Hz.
  var frequency = 0.0
  /// The decay rate without the damper, in 1/s.
  var decay = 1000.0
  /// The decay rate that the damper adds, in 1/s.
  var damping = 0.0
  /// The amplitude after a blow with full force, before the hammer weakens the high modes.
  var amplitude = Phasor(0, 0)
  /// Whether a soft hammer excites the mode less than a hard hammer; true for modes of the strings, false for modes of
  /// the body.
  var isOfHammer = false
}

/// A generator of the frequency of each key's lowest partial: call `next` for each key in turn, from the lowest
/// upwards.
struct PianoTuning {
  /// Whether octaves are a little wide, so that a note's second partial agrees with the lowest partial of the note an
  /// octave above.
  let isStretched: Bool
  /// The offset of the next key from equal temperament, in cents; positive if the key is sharp.
  private var cents = 0.0

  init(isStretched: Bool) {
    self.isStretched = isStretched
    guard isStretched else { return }
    // A4 keeps its pitch.
    for key in 0..<48 { cents -= PianoTuning.step(PianoString(key: key, isStiff: true)) }
  }

  mutating func next(_ string: PianoString) -> Double {
    defer { if isStretched { cents += PianoTuning.step(string) } }
    return string.frequency * exp2(cents / 1200)
  }

  /// Returns the number of cents by which the semitone above a key is wider than in equal temperament.
  private static func step(_ string: PianoString) -> Double {
    1200 * log2(string.stiffening(2) / string.stiffening(1)) / 12
  }
}
