import Glibc
import MoCore
import MoDSPCore
import Testing

@Suite("Motion features")
struct MotionFeaturesTests {
  @Test(
    "roll is positive with the right edge down, pitch with the top edge up, in degrees")
  func tilt() {
    for degrees in stride(from: -85.0, through: 85, by: 17) {
      let (sine, cosine) = (Float(sin(degrees * .pi / 180)), Float(cos(degrees * .pi / 180)))
      var features = MotionFeatures()
      // A raised side is positive: with the right edge down, x is negative.
      let tipped = features.read(time: .zero, x: -sine, y: 0, z: cosine)
      #expect(abs(Double(tipped?.tilt.roll ?? 999) - degrees) < 1e-3)
      #expect(abs(tipped?.tilt.pitch ?? 999) < 1e-3)
      var other = MotionFeatures()
      let raised = other.read(time: .zero, x: 0, y: sine, z: cosine)
      #expect(abs(Double(raised?.tilt.pitch ?? 999) - degrees) < 1e-3)
      #expect(abs(raised?.tilt.roll ?? 999) < 1e-3)
    }
  }

  @Test(
    "roll continues beyond the edge to face down, pitch to the top straight up",
    arguments: [
      (SIMD3<Float>(-1, 0, 0), 90, 0), (SIMD3(-1, 0, -1), 135, 0), (SIMD3(0, 0, -1), 180, 0),
      (SIMD3(1, 0, -1), -135, 0), (SIMD3(0, 1, 0), 0, 90), (SIMD3(0, -1, 0), 0, -90), (SIMD3(0, 0, 0), 0, 0),
      (SIMD3(-0.5, 0.7071068, 0.5), 45, 45),
    ] as [(SIMD3<Float>, Float, Float)])
  func wholeCircle(up: SIMD3<Float>, roll: Float, pitch: Float) {
    let tilt = Motion.Tilt(up: up)
    #expect(abs(tilt.roll - roll) < 1e-3 && abs(tilt.pitch - pitch) < 1e-3, "\(tilt)")
    let length = (up * up).sum().squareRoot()
    let error = tilt.up - up / max(length, 1)
    #expect(length == 0 || (error * error).sum() < 1e-10 || length > 1.1)
  }

  @Test("a shake changes the tilt by 15 degrees at most")
  func tiltWhileShaken() {
    var dice = Dice(3)
    let shakes = (0..<20).map {
      Shake(shape: .sine, onset: 0.5 + Double($0) * 0.4, length: 0.1, peak: 3, axis: [1, 0, 0])
    }
    let made = Performance(shakes: shakes, seconds: 9)
    for motion in MotionFeatures.play(made.readings(rate: 100, dice: &dice)) {
      #expect(abs(motion.tilt.roll) < 15)
    }
  }

  @Test("a movement has the same meaning at any rate from 50 to 1000 Hz")
  func anyRate() {
    func wave(_ rate: Double) -> [Motion] {
      let readings = (0...Int(4 * rate)).map { index in
        let time = Double(index) / rate
        return (
          time: HostTime(seconds: 100 + time), value: SIMD3(Float(1.2 * sin(2 * .pi * 2 * time)), 0, 1)
        )
      }
      return MotionFeatures.play(readings)
    }
    let finest = wave(1000)
    for rate in [50, 100, 200, 500] {
      let coarse = wave(Double(rate))
      for second in 1...4 {
        #expect(abs(coarse[second * rate].activity - finest[second * 1000].activity) < 0.02)
        #expect(abs(coarse[second * rate].tilt.roll - finest[second * 1000].tilt.roll) < 3)
      }
    }
  }

  @Test("activity is exactly 0 at rest, rises with the shaking to 1 at most, and falls back to 0")
  func activity() {
    var features = MotionFeatures()
    var time = 0.0
    func shaken(_ peak: Double, for seconds: Double) -> [Float] {
      let end = time + seconds
      var seen: [Float] = []
      while time < end {
        time += 0.01
        let x = Float(peak * sin(2 * .pi * 4 * time))
        seen.append(features.read(time: HostTime(seconds: time), x: x, y: 0, z: 1)?.activity ?? -1)
      }
      return seen
    }
    #expect(shaken(0, for: 1).allSatisfy { $0 == 0 })
    let gentle = shaken(0.8, for: 2).suffix(100).max() ?? 0
    let vigorous = shaken(2, for: 2).suffix(100).max() ?? 0
    let wild = shaken(8, for: 2).suffix(100).max() ?? 0
    #expect(gentle > 0.1)
    #expect(vigorous > gentle + 0.2)
    #expect(wild == 1)
    #expect(shaken(0, for: 1.5).last == 0)
  }

  @Test("NaN and infinity are refused and counted, and change nothing")
  func refusals() {
    var clean = MotionFeatures()
    var dirty = MotionFeatures()
    for index in 0..<100 {
      let time = HostTime(seconds: Double(index) * 0.01)
      let x = Float(sin(Double(index) * 0.5))
      let expected = clean.read(time: time, x: x, y: 0, z: 1)
      #expect(dirty.read(time: time, x: .nan, y: 0, z: 1) == nil)
      #expect(dirty.read(time: time, x: 0, y: -.infinity, z: 1) == nil)
      #expect(dirty.read(time: time, x: x, y: 0, z: 1) == expected)
    }
    #expect(dirty.refused == 200)
    #expect(clean.refused == 0)
  }

  @Test("all other readings of a broken or thrown device give finite results in range")
  func rubbish() {
    var dice = Dice(7)
    var features = MotionFeatures()
    var time: Int64 = 0
    for _ in 0..<20_000 {
      time &+= Int64(dice.uniform(-2e9...3e9) * pow(dice.uniform(0...1), 6))
      let value = (0..<3).map { _ in Float(bitPattern: UInt32(truncatingIfNeeded: dice.next())) }
      let reading = features.read(
        time: HostTime(nanoseconds: time), x: value[0], y: value[1], z: value[2])
      guard let reading else { continue }
      #expect(reading.activity >= 0 && reading.activity <= 1)
      #expect(abs(reading.tilt.pitch) <= 90.001)
      #expect(abs(reading.tilt.roll) <= 180.001)
      if let force = reading.strike { #expect(force > 0 && force <= 1) }
    }
  }

  @Test("a timestamp that repeats or goes back slightly is the same moment, and times never decrease")
  func repeatedStamps() {
    var features = MotionFeatures()
    var last = HostTime.distantPast
    for index in 0..<200 {
      let stray = index % 5 == 0 ? -0.004 : index % 7 == 0 ? -0.01 : 0
      let reading = features.read(time: HostTime(seconds: Double(index) * 0.01 + stray), x: 0, y: 0, z: 1)
      #expect((reading?.time ?? .distantPast) >= last)
      #expect(reading?.activity == 0)
      last = reading?.time ?? last
    }
  }

  @Test("a device that reports only changes counts as still in between")
  func changesOnly() {
    var features = MotionFeatures()
    _ = features.read(time: .zero, x: 0, y: 0, z: 1)
    let struck = features.read(time: HostTime(seconds: 60), x: 2, y: 0, z: 1)
    #expect(struck?.strike != nil)
    #expect((struck?.activity ?? 1) < 0.5)
    var tilted = MotionFeatures()
    _ = tilted.read(time: .zero, x: 0, y: 0, z: 1)
    #expect(tilted.read(time: HostTime(seconds: 60), x: 0.1, y: 0, z: 0.99)?.strike == nil)
  }
}
