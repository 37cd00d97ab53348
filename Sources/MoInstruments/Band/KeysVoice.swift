import Glibc
import MoDSP

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
