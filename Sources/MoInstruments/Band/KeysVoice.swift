import Glibc
import MoDSP

/// An electric piano: four voices of a sine that another, one octave and a fifth above, bends by as much as it is struck.
///
/// - Source: J. Chowning, *The synthesis of complex audio spectra by means of frequency modulation*, JAES 21(7) (1973).
struct KeysVoice: Sendable {
  private var carriers: InlineArray<4, Sine> = .init(repeating: Sine())
  private var tines: InlineArray<4, Sine> = .init(repeating: Sine())
  private var level = StruckLevel()
  private var bell = StruckLevel()
  private var left = -1
  private var sampleRate = 48_000.0

  mutating func prepare(sampleRate: Double) {
    self.sampleRate = sampleRate
    for index in carriers.indices {
      carriers[index].prepare(sampleRate: sampleRate)
      tines[index].prepare(sampleRate: sampleRate)
    }
    level = StruckLevel(rise: 0.003, fall: 0.5, sampleRate: sampleRate)
    bell = StruckLevel(rise: 0.001, fall: 0.16, sampleRate: sampleRate)
    left = -1
  }

  var isSounding: Bool { level.isSounding }

  /// Strikes a chord, held for so many frames.
  mutating func strike(_ root: Float, _ chord: SIMD4<Int8>, _ force: Float, frames: Int) {
    for index in carriers.indices {
      let frequency = MoFun.midiToHz(Double(root + Float(chord[index])))
      carriers[index].frequency = frequency
      tines[index].frequency = 3 * frequency
    }
    level.strike(force)
    bell.strike(force * force)
    left = frames
  }

  mutating func tick() -> Float {
    guard isSounding else { return 0 }
    if left > 0 {
      left -= 1
      if left == 0 { level.choke(within: 0.05, sampleRate: sampleRate) }
    }
    let index = 0.22 * bell.tick()
    var sum: Float = 0
    for voice in carriers.indices { sum += carriers[voice].tick(shiftedBy: index * tines[voice].tick()) }
    return 0.075 * sum * level.tick()
  }
}
