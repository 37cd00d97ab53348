import Glibc
import MoCore
import MoDSPCore
import Testing

@Suite("Shakes and taps")
struct MotionGesturesTests {
  private static let rates = [50.0, 100, 200, 1000]

  /// The features of a movement along x, in g, in addition to gravity.
  private func play(rate: Double, seconds: Double, _ movement: (Double) -> Double) -> [Motion] {
    let readings = (0..<Int(seconds * rate)).map { index in
      let time = (Double(index) + 0.37) / rate
      return (time: HostTime(seconds: 100 + time), value: SIMD3(Float(movement(time)), 0, 1))
    }
    return MotionFeatures.play(readings)
  }

  /// Half a sine of the given length in seconds, at each of the onsets.
  private func knocks(_ length: Double, peak: Double, at onsets: [Double]) -> (Double) -> Double {
    { time in
      for onset in onsets where time >= onset && time < onset + length {
        return peak * sin(.pi * (time - onset) / length)
      }
      return 0
    }
  }

  @Test("each knock of 40 to 60 ms is one tap, known within 0.16 s, at any rate", arguments: rates)
  func taps(rate: Double) {
    let onsets = (0..<10).map { 1 + Double($0) * 0.531 }
    for length in [0.04, 0.05, 0.06] {
      for peak in [1.5, 3, 6] {
        let motions = play(rate: rate, seconds: 7, knocks(length, peak: peak, at: onsets))
        let heard = motions.filter { $0.tap != nil }.map { $0.time.seconds - 100 }
        #expect(heard.count == onsets.count)
        for (time, onset) in zip(heard, onsets) { #expect(time > onset && time < onset + 0.16) }
        #expect(motions.allSatisfy { !$0.isShaken })
        #expect(motions.allSatisfy { ($0.tap ?? 1) > 0 && ($0.tap ?? 1) <= 1 })
      }
    }
  }

  @Test("a tap has the same force at any rate, to within a quarter", arguments: [1.0, 2, 3])
  func force(peak: Double) {
    let means = Self.rates.map { rate in
      let forces = play(
        rate: rate, seconds: 12, knocks(0.06, peak: peak, at: (0..<20).map { 1 + Double($0) * 0.531 })
      ).compactMap(\.tap)
      #expect(forces.count == 20)
      return forces.reduce(0, +) / Float(forces.count)
    }
    for mean in means { #expect(abs(mean / means[3] - 1) < 0.25) }
  }

  @Test("long swings, a device moved to another place, and shakes are not taps", arguments: rates)
  func noTaps(rate: Double) {
    let swings = play(rate: rate, seconds: 4, knocks(0.3, peak: 2, at: [1, 2, 3]))
    #expect(swings.allSatisfy { $0.tap == nil })
    let turned = play(rate: rate, seconds: 4) { $0 < 2 ? 0 : 0.8 }
    #expect(turned.allSatisfy { $0.tap == nil })
    let shaken = play(rate: rate, seconds: 4) { $0 < 1 ? 0 : 2 * sin(2 * .pi * 5 * $0) }
    #expect(shaken.allSatisfy { $0.tap == nil })
  }

  @Test("a shake of 2 to 7 Hz is one shake from its third turn on, at any rate", arguments: rates)
  func shakes(rate: Double) {
    for frequency in [2.0, 3, 5, 7] {
      for peak in [1.2, 3] {
        let motions = play(rate: rate, seconds: 6) { time in
          time < 1 || time > 4 ? 0 : peak * sin(2 * .pi * frequency * (time - 1))
        }
        let changes = zip(motions, motions.dropFirst()).filter { $0.isShaken != $1.isShaken }
        #expect(changes.count == 2)
        guard changes.count == 2 else { continue }
        let begin = changes[0].1.time.seconds - 100
        let end = changes[1].1.time.seconds - 100
        let cycle = 1 / frequency
        // The third turn is after one and a half cycles.
        #expect(begin > 1.2 && begin < 1 + max(0.26, 2 * cycle) + 0.03)
        // The last turn is up to half a cycle before the end; the shake ends 0.4 s later.
        #expect(end > 4.4 - cycle / 2 - 0.02 && end < 4.45)
      }
    }
  }

  @Test("one swing, a knock that rings, or a nod every second is not a shake", arguments: rates)
  func noShakes(rate: Double) {
    let ringing = play(rate: rate, seconds: 4) { time in
      time < 1 ? 0 : 4 * exp(-25 * (time - 1)) * sin(2 * .pi * 15 * (time - 1))
    }
    #expect(ringing.allSatisfy { !$0.isShaken })
    let nods = play(rate: rate, seconds: 8, knocks(0.15, peak: 2, at: [1, 2, 3, 4, 5]))
    #expect(nods.allSatisfy { !$0.isShaken })
    let swing = play(rate: rate, seconds: 4) { $0 < 1 || $0 > 1.3 ? 0 : 2 * sin(2 * .pi / 0.3 * ($0 - 1)) }
    #expect(swing.allSatisfy { !$0.isShaken })
  }

  @Test("energy is the mean square of the movement, at any rate, and 0 at rest", arguments: rates)
  func energy(rate: Double) {
    for amplitude in [1.0, 2, 4] {
      let motions = play(rate: rate, seconds: 5) { time in
        time < 1 || time > 4 ? 0 : amplitude * sin(2 * .pi * 5 * time)
      }
      #expect(motions.prefix { $0.time.seconds < 100.9 }.allSatisfy { $0.energy == 0 })
      let steady = motions.filter { $0.time.seconds > 102 && $0.time.seconds < 104 }
      let mean = steady.map(\.energy).reduce(0, +) / Float(steady.count)
      // Small movements partly count as noise of the sensor, and a line cuts the corners of a curve.
      #expect(abs(Double(mean) / (amplitude * amplitude / 2) - 1) < (amplitude == 1 ? 0.2 : 0.12))
    }
  }

  @Test("noise and drift of a poor sensor cause no shake and no tap", arguments: [0.02, 0.05, 0.07])
  func noise(sigma: Double) {
    for seed in 1...20 {
      var dice = Dice(UInt64(seed))
      let made = Performance(gravity: dice.direction(), noise: sigma, drift: 0.3, seconds: 60)
      let motions = MotionFeatures.play(made.readings(rate: dice.uniform(50...200), dice: &dice))
      #expect(motions.allSatisfy { $0.tap == nil && !$0.isShaken })
      #expect(motions.allSatisfy { $0.energy < 0.001 })
    }
  }

  @Test("a tap of a device that reports only changes is detected, even if late")
  func changesOnly() {
    var features = MotionFeatures()
    var heard = 0
    for (time, x) in [(0.0, 0.0), (5, 1.5), (5.02, 2), (5.04, 0), (9, 0.01)] {
      let motion = features.read(time: HostTime(seconds: time), x: Float(x), y: 0, z: 1)
      if motion?.tap != nil { heard += 1 }
    }
    #expect(heard == 1)
  }
}
