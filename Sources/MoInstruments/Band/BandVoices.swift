import Glibc
import MoDSP

/// An electric bass: a sawtooth whose brightness decays faster than its level.
struct BassVoice: Sendable {
  private var saw = Saw(frequency: 55)
  private var sub = Sine(frequency: 55)
  private var level = StruckLevel()
  private var bright = StruckLevel()
  private var filter = StateVariable(.lowPass, frequency: 400, q: 0.9, sampleRate: 48_000)
  private var frequency = 55.0
  private var count = 0
  private var sampleRate = 48_000.0

  mutating func prepare(sampleRate: Double) {
    self.sampleRate = sampleRate
    saw.prepare(sampleRate: sampleRate)
    sub.prepare(sampleRate: sampleRate)
    level = StruckLevel(rise: 0.002, fall: 0.28, sampleRate: sampleRate)
    bright = StruckLevel(rise: 0.001, fall: 0.09, sampleRate: sampleRate)
    filter.clear()
    count = 0
  }

  var isSounding: Bool { level.isSounding }

  mutating func strike(_ note: Float, _ force: Float) {
    frequency = MoFun.midiToHz(Double(note))
    (saw.frequency, sub.frequency) = (frequency, frequency)
    level.strike(force)
    bright.strike(force * force)
  }

  mutating func damp() { level.choke(within: 0.02, sampleRate: sampleRate) }

  mutating func tick() -> Float {
    guard isSounding else { return 0 }
    let brightness = bright.tick()
    if count == 0 {
      filter.set(
        frequency: min(frequency * (2 + 14 * Double(brightness)), sampleRate * 0.4), q: 0.9,
        sampleRate: sampleRate)
    }
    count = (count + 1) & 15
    return (0.2 * filter.tick(saw.tick()) + 0.2 * sub.tick()) * level.tick()
  }
}

/// The band's guitar: four strings, strummed as a chord.
struct GuitarVoice: Sendable {
  private var strings: [GuitarString]
  private var spread = 300

  init(seed: UInt64) {
    var seeds = Noise(seed: seed)
    strings = (0..<4).map { _ in GuitarString(seed: seeds.bits()) }
  }

  mutating func prepare(sampleRate: Double) {
    for index in strings.indices { strings[index].prepare(sampleRate: sampleRate) }
    spread = Int(0.007 * sampleRate)
  }

  var isSounding: Bool {
    for index in strings.indices where strings[index].isSounding { return true }
    return false
  }

  /// Plucks the strings of a chord from the lowest to the highest, or from the highest to the lowest if `isUp` is true.
  mutating func strum(_ root: Float, _ chord: SIMD4<Int8>, _ force: Float, isUp: Bool, isShort: Bool) {
    for index in strings.indices {
      let place = isUp ? 3 - index : index
      strings[index].pluck(
        root + Float(chord[index]), force, after: place * spread / (isUp ? 2 : 1), isShort: isShort)
    }
  }

  mutating func tick() -> Float {
    var sum: Float = 0
    // One access to the array's storage, instead of one per string.
    var strings = strings.mutableSpan
    for index in strings.indices { sum += strings[index].tick() }
    return sum
  }
}

/// A string that is plucked after a delay and can be damped by the hand.
package struct GuitarString: Sendable {
  private var string: PluckedString
  private var wait = -1
  private var coming: (frequency: Double, force: Float, isShort: Bool) = (110, 0, false)

  package init(seed: UInt64) { string = PluckedString(place: 0.25, seed: seed) }

  package mutating func prepare(sampleRate: Double) {
    string.prepare(sampleRate: sampleRate)
    wait = -1
  }

  var isSounding: Bool { string.isSounding || wait >= 0 }

  package mutating func pluck(_ note: Float, _ force: Float, after frames: Int, isShort: Bool) {
    coming = (MoFun.midiToHz(Double(note)), force, isShort)
    wait = frames
  }

  package mutating func tick() -> Float {
    if wait == 0 {
      string.frequency = coming.frequency
      string.set(decay: coming.isShort ? 0.18 : 1.4, brightness: coming.isShort ? 0.7 : 0.9, place: 0.25)
      string.pluck(coming.force)
    }
    if wait >= 0 { wait -= 1 }
    return 0.6 * string.tick()
  }
}

/// An electric piano with four tines that are struck as a chord.
struct KeysVoice: Sendable {
  private var tines = InlineArray<4, Tine>(repeating: Tine(ratio: 3))
  private var left = -1

  mutating func prepare(sampleRate: Double) {
    for index in tines.indices { tines[index].prepare(sampleRate: sampleRate) }
    left = -1
  }

  var isSounding: Bool {
    tines[0].isSounding || tines[1].isSounding || tines[2].isSounding || tines[3].isSounding
  }

  /// Begins a chord, and releases the chord after the given number of frames.
  mutating func strike(_ root: Float, _ chord: SIMD4<Int8>, _ force: Float, frames: Int) {
    for index in tines.indices {
      let frequency = MoFun.midiToHz(Double(root + Float(chord[index])))
      tines[index].strike(frequency, force: force, brightness: 0.4 * force, decay: 3.4)
    }
    left = frames
  }

  mutating func tick() -> Float {
    if left > 0 {
      left -= 1
      if left == 0 { for index in tines.indices { tines[index].damp(within: 0.5) } }
    }
    var sum: Float = 0
    for index in tines.indices { sum += tines[index].tick() }
    return 0.167 * sum
  }
}
