import Glibc
import MoMu

/// Everything that can sound in a piano, as damped oscillations, for one sample rate.
///
/// Each key has a row of `vectors` × 8 modes, low ones first: its partials, each with the two motions of coupled
/// strings, then the body that the hammer's blow shakes. Numbers lie as the kernel wants them, vector by vector, 8 real then 8
/// imaginary parts.
struct PianoModes {
  /// Room in a row, in vectors of 8 modes.
  static let vectors = 24
  /// Floats in a row.
  static let row = vectors * 16
  /// Modes of the body.
  static let bodyModes = 16

  /// How a key's strings are left to move; each has a table of rows in `turns`.
  enum Motion: Int {
    case free, damped
    /// When the voice is needed for another note.
    case choked

    /// Where its table begins.
    var start: Int { rawValue * 88 * PianoModes.row }
  }

  /// What a frame turns a mode by: one array, so that no voice takes a reference to one of several.
  private(set) var turns: [Float]
  /// What a blow with all of its force sets each mode to.
  private(set) var blow: [Float]
  /// The square of each mode's frequency in kHz, which a soft hammer moves less, twice as `blow` has two numbers.
  private(set) var height: [Float]
  /// How many vectors of each row are in use.
  private(set) var used: [Int32]

  /// Seconds in which a choked string is as good as silent: −130 dB.
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
  /// Hz.
  var frequency = 0.0
  /// Rates in 1/s: its own, and what the damper adds.
  var decay = 1000.0
  var damping = 0.0
  /// How it begins after a full blow.
  var amplitude = Phasor(0, 0)
  /// Whether a soft hammer moves it less, the higher it is.
  var isOfHammer = false
}

/// The pitch of each key's lowest partial, from the lowest key upwards.
struct PianoTuning {
  /// Whether octaves are a little wide, so that a note's second partial agrees with the note above it.
  let isStretched: Bool
  /// Cents to be added at the key that comes next.
  private var cents = 0.0

  init(isStretched: Bool) {
    self.isStretched = isStretched
    guard isStretched else { return }
    // A4 stays where it is.
    for key in 0..<48 { cents -= PianoTuning.step(PianoString(key: key, isStiff: true)) }
  }

  mutating func next(_ string: PianoString) -> Double {
    defer { if isStretched { cents += PianoTuning.step(string) } }
    return string.frequency * exp2(cents / 1200)
  }

  /// By how much a semitone is wider than tempered here.
  private static func step(_ string: PianoString) -> Double {
    1200 * log2(string.stiffening(2) / string.stiffening(1)) / 12
  }
}
