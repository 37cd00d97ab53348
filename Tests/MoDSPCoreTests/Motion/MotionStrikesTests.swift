import Glibc
import MoCore
import MoDSPCore
import Testing

@Suite("A strike")
struct MotionStrikesTests {
  /// A performance of random shakes that a sensor of this rate can still detect.
  private static func performance(_ dice: inout Dice, rate: Double) -> Performance {
    var made = Performance(gravity: dice.direction(), noise: dice.uniform(0...0.05), seconds: 0)
    made.drift = dice.uniform(0...0.1)
    var time = 0.4
    for _ in 0..<12 {
      let shape = Shake.Shape.allCases[Int(dice.next() % UInt64(Shake.Shape.allCases.count))]
      // A sensor may miss swings shorter than two sampling intervals (C. Shannon, 1949).
      let shortest = min(0.15, max(0.05, 2 * Double(shape.halfWaves) / rate))
      let length = dice.uniform(shortest...0.15)
      made.shakes.append(
        Shake(
          shape: shape, onset: time, length: length, peak: dice.uniform(1...4), axis: dice.direction()))
      time += max(0.15, length + 0.05) + dice.uniform(0...1) * dice.uniform(0...1.8)
    }
    made.seconds = time + 0.5
    return made
  }

  @Test("is detected once for each of 18,000 shakes of any shape, within 50 ms of its onset")
  func everyShake() {
    var wrong: [String] = []
    for seed in 1...1500 {
      var dice = Dice(UInt64(seed))
      let rate = dice.uniform(54...200)
      let made = Self.performance(&dice, rate: rate)
      var strikes = MotionFeatures.play(made.readings(rate: rate, jitter: 0.2, dice: &dice)).strikeTimes
      for shake in made.shakes {
        let due = (shake.onset - 0.001)...(shake.onset + 0.05)
        if let index = strikes.firstIndex(where: { due.contains($0) }) {
          strikes.remove(at: index)
        } else {
          wrong.append("seed \(seed), \(rate) Hz: nothing for \(shake)")
        }
      }
      wrong += strikes.map { "seed \(seed), \(rate) Hz: no shake at \($0) s" }
    }
    #expect(wrong.isEmpty)
  }

  @Test(
    "never comes from a sensor's noise and drift, which also count as still", arguments: [0.02, 0.05, 0.07])
  func noise(sigma: Double) {
    for seed in 1...20 {
      var dice = Dice(UInt64(seed))
      let made = Performance(gravity: dice.direction(), noise: sigma, drift: 0.3, seconds: 120)
      let motions = MotionFeatures.play(made.readings(rate: dice.uniform(50...200), dice: &dice))
      #expect(motions.strikeTimes.isEmpty)
      #expect(motions.allSatisfy { $0.activity < 0.003 })
    }
  }

  @Test("comes with each cycle of a shake without rest", arguments: [3.0, 4, 5, 6])
  func sine(cyclesPerSecond: Double) {
    for rate in [50.0, 100, 200, 1000] {
      for peak in [1.5, 3] {
        let readings = (0..<Int(11 * rate)).map { index in
          let time = Double(index) / rate
          let x = time < 1 ? 0 : peak * sin(2 * .pi * cyclesPerSecond * time)
          return (time: HostTime(seconds: 100 + time), value: SIMD3(Float(x), 0, 1))
        }
        let count = Double(MotionFeatures.play(readings).strikeTimes.count)
        #expect(abs(count - 10 * cyclesPerSecond) <= 1)
      }
    }
  }

  @Test("never comes from turning the device over in half a second", arguments: [10.0, 50, 100, 1000])
  func turning(rate: Double) {
    let readings = (0..<Int(4 * rate)).map { index in
      let time = Double(index) / rate
      let part = min(max((time - 1) / 0.5, 0), 1)
      let angle = .pi / 2 * (part - sin(2 * .pi * part) / (2 * .pi))
      return (
        time: HostTime(seconds: 100 + time), value: SIMD3(Float(sin(angle)), 0, Float(cos(angle)))
      )
    }
    let motions = MotionFeatures.play(readings)
    #expect(motions.strikeTimes.isEmpty)
    #expect(abs((motions.last?.tilt.roll ?? 0) + 90) < 0.6)
  }

  @Test("is harder for a larger shake")
  func force() {
    let means = [1.0, 2, 3, 4].map { peak in
      var forces: [Float] = []
      for seed in 1...60 {
        var dice = Dice(UInt64(seed))
        let shake = Shake(shape: .sine, onset: 1, length: 0.1, peak: peak, axis: dice.direction())
        let made = Performance(shakes: [shake], noise: 0.02, seconds: 2)
        forces += MotionFeatures.play(made.readings(rate: 100, dice: &dice)).compactMap(\.strike)
      }
      #expect(forces.count == 60)
      #expect(forces.allSatisfy { $0 > 0 && $0 <= 1 })
      return forces.reduce(0, +) / 60
    }
    for (softer, harder) in zip(means, means.dropFirst()) { #expect(harder > softer + 0.03) }
  }
}
