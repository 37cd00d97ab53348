import Glibc
import MoDSP

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
struct GuitarString: Sendable {
  private var string: PluckedString
  private var wait = -1
  private var coming: (frequency: Double, force: Float, isShort: Bool) = (110, 0, false)

  init(seed: UInt64) { string = PluckedString(place: 0.25, seed: seed) }

  mutating func prepare(sampleRate: Double) {
    string.prepare(sampleRate: sampleRate)
    wait = -1
  }

  var isSounding: Bool { string.isSounding || wait >= 0 }

  mutating func pluck(_ note: Float, _ force: Float, after frames: Int, isShort: Bool) {
    coming = (MoFun.midiToHz(Double(note)), force, isShort)
    wait = frames
  }

  mutating func tick() -> Float {
    if wait == 0 {
      string.frequency = coming.frequency
      string.set(decay: coming.isShort ? 0.18 : 1.4, brightness: coming.isShort ? 0.7 : 0.9, place: 0.25)
      string.pluck(coming.force)
    }
    if wait >= 0 { wait -= 1 }
    return 0.6 * string.tick()
  }
}
