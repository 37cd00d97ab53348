import Glibc
import MoDSP

/// The envelope of a struck sound: a fast rise, with a time constant of 0.2 to 2 ms, then an exponential decay.
///
/// A strike during a sound adds to the current level, up to 1, so the level never jumps.
struct StruckLevel: Sendable {
  private(set) var level: Float = 0
  private var coming: Float = 0
  private var rise: Float = 1
  private var fall: Float = 0

  /// The level below which the sound ends: −100 dB.
  static let silence: Float = 1e-5

  /// - Parameters:
  ///   - rise: seconds after a strike in which the level covers 63 % of the way to its peak.
  ///   - fall: seconds in which the level falls to 37 %.
  init(rise: Double, fall: Double, sampleRate: Double) {
    self.rise = Float(-expm1(-1 / (rise * sampleRate)))
    self.fall = Float(exp(-1 / (fall * sampleRate)))
  }

  init() {}

  var isSounding: Bool { level + coming > 0 }

  mutating func strike(_ force: Float) { coming = max(0, min(force, 1 - level)) }

  /// Makes the level fall faster until the next strike: to 37 % within the given number of seconds.
  mutating func choke(within seconds: Double, sampleRate: Double) {
    coming = 0
    choking = Float(exp(-1 / (seconds * sampleRate)))
  }

  private var choking: Float = 1

  mutating func tick() -> Float {
    let arriving = coming * rise
    if coming > 0 { choking = 1 }
    coming -= arriving
    level = level * fall * choking + arriving
    if level + coming < Self.silence { (level, coming) = (0, 0) }
    return level
  }
}

/// A kick drum: a sine whose frequency falls to 48 Hz, and the knock of the beater.
///
/// At full force, the frequency starts at about 200 Hz. Its distance from 48 Hz falls to 37 % in 18 ms.
struct KickVoice: Sendable {
  private var phase: Float = 0
  private var bend: Float = 0
  private var body = StruckLevel()
  private var knock = StruckLevel()
  private var noise: Noise
  private var tone: OnePole
  private var bendFall: Float = 0
  private var perHertz: Float = 0

  init(seed: UInt64?) {
    noise = Noise(seed: seed)
    tone = OnePole()
  }

  mutating func prepare(sampleRate: Double) {
    body = StruckLevel(rise: 0.0007, fall: 0.13, sampleRate: sampleRate)
    knock = StruckLevel(rise: 0.0003, fall: 0.004, sampleRate: sampleRate)
    tone = OnePole(pole: exp(-2 * .pi * 2500 / sampleRate))
    bendFall = Float(exp(-1 / (0.018 * sampleRate)))
    perHertz = Float(1 / sampleRate)
    (phase, bend) = (0, 0)
  }

  var isSounding: Bool { body.isSounding || knock.isSounding }

  mutating func strike(_ force: Float, gain: Float) {
    if !body.isSounding { phase = 0 }
    body.strike(force * gain)
    knock.strike(force * force * gain)
    bend = max(bend, 60 + 90 * force)
  }

  mutating func tick() -> Float {
    guard isSounding else { return 0 }
    bend *= bendFall
    phase += (48 + bend) * perHertz
    if phase >= 1 { phase -= 1 }
    let slap = tone.tick(noise.tick()) * knock.tick()
    return 0.72 * body.tick() * sinf(2 * .pi * phase) + 0.35 * slap
  }
}

/// A snare drum: two modes of the heads, 186 and 331 Hz, and the rattle of the snare wires.
///
/// - Source: the modes: T. D. Rossing, I. Bork, H. Zhao, D. Fystrom, *Acoustics of snare drums*, JASA 92(1) (1992).
struct SnareVoice: Sendable {
  private var low = Sine(frequency: 186)
  private var high = Sine(frequency: 331)
  private var skin = StruckLevel()
  private var wires = StruckLevel()
  private var noise: Noise
  private var band = StateVariable(.highPass, frequency: 1400, sampleRate: 48_000)

  init(seed: UInt64?) { noise = Noise(seed: seed) }

  mutating func prepare(sampleRate: Double) {
    low.prepare(sampleRate: sampleRate)
    high.prepare(sampleRate: sampleRate)
    skin = StruckLevel(rise: 0.0005, fall: 0.045, sampleRate: sampleRate)
    wires = StruckLevel(rise: 0.0006, fall: 0.075, sampleRate: sampleRate)
    band = StateVariable(.highPass, frequency: min(1400, sampleRate / 5), sampleRate: sampleRate)
  }

  var isSounding: Bool { skin.isSounding || wires.isSounding }

  mutating func strike(_ force: Float, gain: Float) {
    if !skin.isSounding { (low.phase, high.phase) = (0, 0) }
    skin.strike(force * gain)
    wires.strike((0.35 + 0.65 * force) * force * gain)
  }

  mutating func tick() -> Float {
    guard isSounding else { return 0 }
    let skins = (0.3 * low.tick() + 0.16 * high.tick()) * skin.tick()
    return skins + 0.34 * band.tick(noise.tick()) * wires.tick()
  }
}

/// Clapping hands: three bursts of noise 11 ms apart, then reverberation.
///
/// - Source: B. H. Repp, *The sound of two hands clapping*, JASA 81(4) (1987): the band around 1 kHz.
struct ClapVoice: Sendable {
  private var burst = StruckLevel()
  private var room = StruckLevel()
  private var noise: Noise
  private var band = StateVariable(.bandPass, frequency: 1150, sampleRate: 48_000)
  private var force: Float = 0
  private var left = 0
  private var wait = 0
  private var spacing = 500

  init(seed: UInt64?) { noise = Noise(seed: seed) }

  mutating func prepare(sampleRate: Double) {
    burst = StruckLevel(rise: 0.0004, fall: 0.0035, sampleRate: sampleRate)
    room = StruckLevel(rise: 0.002, fall: 0.07, sampleRate: sampleRate)
    band = StateVariable(.bandPass, frequency: min(1150, sampleRate / 5), q: 1.4, sampleRate: sampleRate)
    spacing = max(1, Int(0.011 * sampleRate))
    (left, wait) = (0, 0)
  }

  var isSounding: Bool { left > 0 || burst.isSounding || room.isSounding }

  mutating func strike(_ force: Float, gain: Float) {
    self.force = force * gain
    burst.strike(self.force)
    (left, wait) = (2, spacing)
  }

  mutating func tick() -> Float {
    guard isSounding else { return 0 }
    if left > 0 {
      wait -= 1
      if wait == 0 {
        left -= 1
        wait = spacing
        burst.strike(force)
        if left == 0 { room.strike(0.5 * force) }
      }
    }
    return 1.6 * band.tick(noise.tick()) * (burst.tick() + room.tick())
  }
}

/// A rim click: two short resonances at 480 and 1,720 Hz, and the knock of the wooden stick.
struct RimVoice: Sendable {
  private var low = Sine(frequency: 480)
  private var high = Sine(frequency: 1720)
  private var level = StruckLevel()
  private var knock = StruckLevel()
  private var noise: Noise

  init(seed: UInt64?) { noise = Noise(seed: seed) }

  mutating func prepare(sampleRate: Double) {
    low.prepare(sampleRate: sampleRate)
    high.prepare(sampleRate: sampleRate)
    level = StruckLevel(rise: 0.0003, fall: 0.014, sampleRate: sampleRate)
    knock = StruckLevel(rise: 0.0002, fall: 0.002, sampleRate: sampleRate)
  }

  var isSounding: Bool { level.isSounding || knock.isSounding }

  mutating func strike(_ force: Float, gain: Float) {
    if !level.isSounding { (low.phase, high.phase) = (0, 0) }
    level.strike(force * gain)
    knock.strike(force * gain)
  }

  mutating func tick() -> Float {
    guard isSounding else { return 0 }
    return (0.22 * low.tick() + 0.3 * high.tick()) * level.tick() + 0.2 * noise.tick() * knock.tick()
  }
}
