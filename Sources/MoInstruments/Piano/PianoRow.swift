import Glibc
import MoMu

/// All modes that sound when one key is struck.
struct PianoRow {
  private(set) var modes: [PianoMode] = []

  /// - Parameter fundamental: the frequency of the lowest partial in Hz, before `PianoString.lowering` lowers it.
  init(string: PianoString, fundamental: Double, sampleRate: Double) {
    // A fixed seed, so that the random irregularities of strings and soundboard are the same in every
    // piano.
    var chance = Noise(seed: 1977 &* 89 &+ UInt64(string.key))
    let partials = PianoRow.partials(string: string, fundamental: fundamental, sampleRate: sampleRate)
    let room = PianoModes.vectors * 8 - PianoModes.bodyModes
    // The highest partials of the bass decay too fast for an aftersound.
    let pairs = min(partials.count, room - partials.count)
    let unevenness = Double(chance.tick()) < 0 ? -0.5 : 0.5
    for (index, partial) in partials.enumerated() {
      let springiness = Double(chance.tick()) * 0.35
      let coupled = CoupledStrings(
        mistuning: .pi * string.mistuning(index + 1) * partial.frequency * (1 + 0.3 * Double(chance.tick())),
        bridge: string.bridgeLoss * (1.2 + 0.3 * Double(chance.tick())), springiness: springiness,
        unevenness: unevenness + 0.2 * Double(chance.tick()))
      let (loss, damping) = (
        string.loss(at: partial.frequency), string.isDamped ? string.damping(index + 1) : 0
      )
      for motion in index < pairs ? [coupled.first, coupled.second] : [coupled.first] {
        let part = index < pairs ? motion.part : Phasor(1, 0)
        modes.append(
          PianoMode(
            frequency: partial.frequency + motion.shift / (2 * .pi), decay: loss + motion.decay,
            damping: damping,
            amplitude: Phasor(partial.level * part.re, partial.level * part.im), isOfHammer: true))
      }
    }
    modes += PianoRow.body(string: string, chance: &chance, sampleRate: sampleRate)
  }

  /// A partial of the tuned, struck strings.
  private struct Partial {
    /// The frequency in Hz.
    var frequency: Double
    /// The amplitude of the radiated partial after a blow with full force, before the hammer weakens high partials.
    var level: Double
  }

  private static func partials(string: PianoString, fundamental: Double, sampleRate: Double) -> [Partial] {
    let highest = min(16_000, 0.44 * sampleRate)
    let fundamental = fundamental * exp2(-string.lowering / 1200)
    var partials: [Partial] = []
    var loudness = 0.0
    while partials.count < 110 {
      let number = partials.count + 1
      let frequency = fundamental * Double(number) * string.stiffening(number) / string.stiffening(1)
      guard frequency < highest else { break }
      let level = sin(.pi * Double(number) * string.strikingPoint) * Soundboard.gain(at: frequency)
      partials.append(Partial(frequency: frequency, level: level))
      let heard = level * hammer(string, frequency, force: 0.7)
      loudness += heard * heard * Soundboard.ear(at: frequency)
    }
    // Makes every key about as loud as its neighbours.
    let gain = 0.15 * exp2(0.2 * string.height) / loudness.squareRoot()
    for index in partials.indices { partials[index].level *= gain }
    // Partials below −80 dB even after a full blow are not worth their cost.
    while let last = partials.last, abs(last.level) * hammer(string, last.frequency, force: 1) < 1e-5 * gain {
      partials.removeLast()
    }
    return partials
  }

  /// Returns the gain of the hammer at a frequency, 0 … 1: above the corner frequency, it falls by 24 dB per octave.
  private static func hammer(_ string: PianoString, _ frequency: Double, force: Double) -> Double {
    let ratio = frequency / string.hammerCorner(force: force)
    return 1 / ((1 + ratio * ratio) * (1 + ratio * ratio))
  }

  /// Returns the modes of the body, which the knock of key and hammer excites: many short, low modes.
  private static func body(string: PianoString, chance: inout Noise, sampleRate: Double) -> [PianoMode] {
    (0..<PianoModes.bodyModes).map { index in
      let place = (Double(index) + 0.5 + 0.4 * Double(chance.tick())) / Double(PianoModes.bodyModes)
      let frequency = min(90 * exp2(place * (4.6 + 0.25 * string.height)), 0.4 * sampleRate)
      let level = 0.0045 * exp2(0.25 * string.height) * (1 - 0.6 * place) * (chance.tick() < 0 ? -1 : 1)
      return PianoMode(
        frequency: frequency, decay: 28 + 90 * place * (1 + 0.3 * Double(chance.tick())),
        amplitude: Phasor(level, 0))
    }
  }
}

/// The soundboard and the ear, as gains at a frequency.
enum Soundboard {
  /// Returns the share of a string's force that is radiated at a frequency: little in the bass, with peaks at some
  /// frequencies.
  static func gain(at frequency: Double) -> Double {
    let square = frequency * frequency
    let ripple = sin(frequency / 37 + 1) + sin(frequency / 101 + 2) + sin(frequency / 263)
    return square / (square + 100 * 100) * exp(0.22 * ripple) / (1 + square / (7000 * 7000)).squareRoot()
  }

  /// Returns the approximate sensitivity of the ear at a frequency, as a factor on the power of a sound.
  static func ear(at frequency: Double) -> Double {
    let square = frequency * frequency
    return square / (square + 200 * 200) * (1 + square / (1500 * 1500)) / (1 + square * square / 4e14)
  }
}
