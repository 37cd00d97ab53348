import Glibc
import MoDSP
import MoInstruments
import MoTesting
import Testing

@Suite("Piano: keys, pedal, voices")
struct PianoPlayingTests {
  private func rms(_ sound: [Float], from: Double, to: Double) -> Double {
    AudioMeasures.rms(sound[Int(from * 48_000)..<Int(to * 48_000)])
  }

  @Test("a damper ends a note within half a second, and the bass takes longest", arguments: [21, 40, 60, 84])
  func damper(key: Int) {
    let sound = PianoTake([(0, .on(Float(key), 0.8)), (0.5, .off(Float(key)))], seconds: 2).both
    let before = rms(sound, from: 0.4, to: 0.5)
    #expect(rms(sound, from: 1, to: 1.1) < before * 0.01)
    #expect(rms(sound, from: 0.5, to: 0.53) > before * 0.1, "it does not stop dead")
  }

  @Test("the top octave has no dampers", arguments: [96, 102, 108])
  func undamped(key: Int) {
    let held = PianoTake([(0, .on(Float(key), 0.8))], seconds: 1)
    let released = PianoTake([(0, .on(Float(key), 0.8)), (0.1, .off(Float(key)))], seconds: 1)
    #expect(held.left == released.left)
  }

  @Test("the pedal holds released notes, and releases them when it comes up")
  func pedal() {
    let score: [(Double, PianoTake.Act)] = [
      (0, .pedal(true)), (0, .on(60, 0.8)), (0.3, .off(60)), (1.5, .pedal(false)),
    ]
    let sound = PianoTake(score, seconds: 3).both
    let held = PianoTake([(0, .on(60, 0.8))], seconds: 3).both
    #expect(sound[..<72_000] == held[..<72_000])
    #expect(rms(sound, from: 2.2, to: 2.4) < 0.01 * rms(held, from: 2.2, to: 2.4))
  }

  @Test("a pedal pressed after the key came up still catches the sound")
  func latePedal() {
    let score: [(Double, PianoTake.Act)] = [(0, .on(48, 0.8)), (0.5, .off(48)), (0.6, .pedal(true))]
    let sound = PianoTake(score, seconds: 2).both
    let without = PianoTake(Array(score.dropLast()), seconds: 2).both
    #expect(rms(sound, from: 1, to: 1.2) > 20 * rms(without, from: 1, to: 1.2))
  }

  @Test("of more notes than voices, 48 sound, the faintest are replaced, and nothing clicks")
  func stealing() {
    // A run that ends in a soft note far above: the replaced voices have no power at the top.
    var score: [(Double, PianoTake.Act)] = [(0, .pedal(true))]
    for step in 0..<70 {
      score.append((0.02 * Double(step), .on(Float(24 + step % 60), 0.3 + 0.1 * Float(step % 5))))
    }
    let take = PianoTake(score, seconds: 2)
    #expect(AudioMeasures.isFinite(take.both))
    // A cut would put power into the top octave of the band, in which notes and hammers have none.
    let quiet = highest(of: PianoTake(Array(score.prefix(49)), seconds: 2).both)
    #expect(highest(of: take.both) < 3 * quiet, "\(highest(of: take.both)) \(quiet)")
  }

  @Test("a choked note leaves no step")
  func restrike() {
    let take = PianoTake([(0, .on(36, 1)), (0.4, .on(36, 0.02))], seconds: 1)
    let once = PianoTake([(0, .on(36, 1))], seconds: 1)
    // The largest difference of successive samples, around the second stroke and in the sound that
    // continues.
    func roughest(_ sound: [Float], _ range: Range<Int>) -> Float {
      range.map { abs(sound[$0] - sound[$0 - 1]) }.max() ?? 0
    }
    #expect(roughest(take.left, 19_000..<21_000) < 1.3 * roughest(once.left, 18_000..<21_000))
    // It is soft afterwards: the string's old motion has ended.
    #expect(rms(take.both, from: 0.6, to: 0.8) < 0.05 * rms(once.both, from: 0.6, to: 0.8))
  }

  /// Returns the largest sample of the part above about 18 kHz, by three differences.
  private func highest(of sound: [Float]) -> Float {
    var (samples, peak) = (sound, Float(0))
    for _ in 0..<6 { samples = (1..<samples.count).map { (samples[$0] - samples[$0 - 1]) / 2 } }
    for sample in samples { peak = max(peak, abs(sample)) }
    return peak
  }

  @Test("with all keys up it is exactly silent within its tail", arguments: [21, 60, 89, 90, 108])
  func tail(key: Int) {
    let sound = PianoTake(
      [(0, .on(Float(key), 1)), (0.2, .off(Float(key)))], seconds: 0.2 + Piano.sheet.tail + 0.1)
    let end = Int((0.2 + Piano.sheet.tail) * 48_000)
    #expect(sound.left[end...].allSatisfy { $0 == 0 } && sound.right[end...].allSatisfy { $0 == 0 })
  }

  @Test("a stroke from a single switch sounds, and ends by itself within the tail")
  func strike() {
    let sound = PianoTake([(0, .strike(0.7))], seconds: Piano.sheet.tail + 0.1).both
    #expect(rms(sound, from: 0, to: 0.5) > 0.01)
    #expect(sound[Int(Piano.sheet.tail * 48_000)...].allSatisfy { $0 == 0 })
  }

  @Test("blocks of 1, 7, 64 and 512 frames give the same bits")
  func blocks() {
    let score: [(Double, PianoTake.Act)] = [
      (0.01, .on(40, 0.9)), (0.0213, .on(64, 0.5)), (0.1, .off(40)), (0.2, .pedal(true)), (0.211, .off(64)),
      (0.3, .on(64, 1)), (0.4, .pedal(false)), (0.41, .on(108, 1)),
    ]
    let reference = PianoTake(score, seconds: 0.6, frames: 32)
    for frames in [1, 7, 64, 512] {
      let take = PianoTake(score, seconds: 0.6, frames: frames)
      #expect(take.left == reference.left && take.right == reference.right)
    }
  }

  @Test("the first sound comes at the frame of the stroke")
  func onset() {
    let sound = PianoTake([(0.1, .on(60, 0.8))], seconds: 0.2).both
    #expect(sound[..<4_800].allSatisfy { $0 == 0 })
    #expect(sound[4_800] != 0)
  }

  @Test("a pitch beyond the keyboard plays the last key, and NaN plays nothing")
  func beyond() {
    let last = PianoTake([(0, .on(108, 0.8))], seconds: 0.2).left
    #expect(PianoTake([(0, .on(127, 0.8))], seconds: 0.2).left == last)
    #expect(PianoTake([(0, .on(200, 0.8))], seconds: 0.2).left == last)
    #expect(PianoTake([(0, .on(.nan, 0.8))], seconds: 0.2).left.allSatisfy { $0 == 0 })
    #expect(PianoTake([(0, .on(60, .nan))], seconds: 0.2).left.allSatisfy { $0 == 0 })
    #expect(
      PianoTake([(0, .on(60, 9))], seconds: 0.2).left == PianoTake([(0, .on(60, 1))], seconds: 0.2).left)
  }

  @Test("the mean of a note is below −80 dB")
  func offset() {
    let sound = PianoTake([(0, .on(33, 1)), (2, .off(33))], seconds: 3).both
    #expect(abs(sound.reduce(0.0) { $0 + Double($1) } / Double(sound.count)) < 1e-4)
  }
}
