import Glibc
import MoDSP

/// Four strings that are strummed: a burst of noise goes round in a delay that takes away its brightness.
///
/// - Source: K. Karplus, A. Strong, *Digital synthesis of plucked-string and drum timbres*, CMJ 7(2) (1983).
struct GuitarVoice: Sendable {
  private var strings: InlineArray<4, GuitarString>
  private var spread = 300

  init(seed: UInt64) {
    var seeds = Noise(seed: seed)
    strings = [
      GuitarString(seed: seeds.bits()), GuitarString(seed: seeds.bits()), GuitarString(seed: seeds.bits()),
      GuitarString(seed: seeds.bits()),
    ]
  }

  mutating func prepare(sampleRate: Double) {
    for index in strings.indices { strings[index].prepare(sampleRate: sampleRate) }
    spread = Int(0.007 * sampleRate)
  }

  var isSounding: Bool {
    strings[0].isSounding || strings[1].isSounding || strings[2].isSounding || strings[3].isSounding
  }

  /// Strums a chord, the lowest string first, or last.
  mutating func strum(_ root: Float, _ chord: SIMD4<Int8>, _ force: Float, isUp: Bool, isShort: Bool) {
    for index in strings.indices {
      let place = isUp ? 3 - index : index
      strings[index].pluck(
        root + Float(chord[index]), force, after: place * spread / (isUp ? 2 : 1), isShort: isShort)
    }
  }

  mutating func tick() -> Float {
    var sum: Float = 0
    for index in strings.indices { sum += strings[index].tick() }
    return sum
  }
}

/// One string.
struct GuitarString: Sendable {
  private var loop = TunedDelay(delay: 100, longest: 2048)
  private var noise: Noise
  private var last: Float = 0
  private var back: Float = 0
  private var burst = 0
  private var wait = -1
  private var coming: (period: Double, force: Float, loss: Float) = (100, 0, 0.99)
  private var force: Float = 0
  private var loss: Float = 0.99
  private var tone = OnePole(pole: 0.5)
  private var left = 0
  private var sampleRate = 48_000.0

  init(seed: UInt64) { noise = Noise(seed: seed) }

  mutating func prepare(sampleRate: Double) {
    self.sampleRate = sampleRate
    // The lowest note that a band's key and chords lead to is 58.3 Hz.
    loop = TunedDelay(delay: 100, longest: Int(sampleRate / 55) + 4)
    tone = OnePole(pole: exp(-2 * .pi * min(3200, sampleRate / 4) / sampleRate))
    (last, back, burst, wait, left) = (0, 0, 0, -1, 0)
  }

  var isSounding: Bool { left > 0 || wait >= 0 }

  mutating func pluck(_ note: Float, _ force: Float, after frames: Int, isShort: Bool) {
    let frequency = MoFun.midiToHz(Double(note))
    // The loop falls to a thousandth within so many seconds.
    let seconds = isShort ? 0.18 : 1.4
    let loss = Float(pow(0.001, 1 / (frequency * seconds)))
    // Half a sample of the period is the mean's, one the way back.
    coming = (sampleRate / frequency - 1.5, force, loss)
    wait = frames
  }

  mutating func tick() -> Float {
    guard isSounding else { return 0 }
    if wait == 0 {
      loop.delay = coming.period
      (force, loss) = (coming.force, coming.loss)
      burst = Int(coming.period)
      left = Int(4 * sampleRate)
    }
    if wait >= 0 { wait -= 1 }
    guard left > 0 else { return 0 }
    left -= 1
    if left == 0 {
      loop.clear()
      (last, back, burst) = (0, 0, 0)
      return 0
    }
    var pick: Float = 0
    if burst > 0 {
      burst -= 1
      pick = 0.35 * force * noise.tick()
    }
    let out = loop.tick(tone.tick(pick) + back)
    back = loss * 0.5 * (out + last)
    last = out
    return 0.5 * out
  }
}
