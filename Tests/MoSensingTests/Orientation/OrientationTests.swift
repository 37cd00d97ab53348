import Glibc
import MoCore
import MoRuntime
import MoSensing
import Testing

@Suite("Orientation")
struct OrientationTests {
  /// Simulates a minute of turning, and returns the largest errors in degrees from the fifth second on.
  private func errors(
    rate: Int, seed: UInt64, hasField: Bool = true, bias: SIMD3<Float> = SIMD3(0.02, -0.015, 0.03),
    wrongStart: Bool = false, isAnyhow: Bool = false
  ) -> (tilt: Double, heading: Double) {
    var (body, noise, filter) = (Body(), Noise(seed: seed), OrientationFilter())
    // Six waves about each axis, of up to 1.5 Hz, and any initial orientation.
    let waves = (0..<18).map { _ in
      let (speed, phase, size) = (noise.next(), noise.next(), noise.next())
      return (speed: 0.3 + 9 * abs(sin(speed)), phase: 9 * phase, size: 0.1 + 0.4 * abs(sin(size)))
    }
    if isAnyhow { body.turn(SIMD3(noise.next(), noise.next(), noise.next()) * 2, 1) }
    let seconds = isAnyhow ? 20 : 60
    var worst = (tilt: 0.0, heading: 0.0)
    // 50 µT, dipping by 66°.
    let field = SIMD3<Double>(20, 0, -45)
    let fine = 2000 / rate
    for step in 0..<(seconds * rate) {
      let time = Double(step) / Double(rate)
      func speed(_ t: Double) -> SIMD3<Double> {
        guard isAnyhow else { return SIMD3(0.8 * sin(1.1 * t), 0.6 * cos(0.7 * t), sin(0.5 * t)) }
        var sum = SIMD3<Double>.zero
        for (index, wave) in waves.enumerated() {
          sum[index % 3] += wave.size * sin(wave.speed * t + wave.phase)
        }
        return sum
      }
      for part in 0..<fine {
        body.turn(speed(time - Double(fine - part) / 2000), step == 0 ? 0 : 1 / 2000)
      }
      // A hand also moves it to and fro, by a twentieth of a g.
      let pushed = SIMD3<Double>(0.05 * sin(9 * time), 0.05 * cos(7 * time), 1)
      var acceleration = body.own(pushed) + noise.vector(0.02)
      if wrongStart, step == 0 { acceleration = SIMD3(0.7, 0, 0.7) }
      let measured = SIMD3<Float>(speed(time)) + bias + noise.vector(0.01)
      let held = filter.update(
        Rotation(time: HostTime(seconds: time), x: measured.x, y: measured.y, z: measured.z),
        acceleration: acceleration, field: hasField ? body.own(field) + noise.vector(0.5) : nil)
      guard time >= 5, let held else { continue }
      worst.tilt = max(worst.tilt, body.tiltError(held))
      // If the top edge points almost up or down, the heading has no meaning.
      if abs(body.columns[1].z) < 0.9 { worst.heading = max(worst.heading, body.headingError(held)) }
    }
    return worst
  }

  @Test(
    "with noise and bias, the tilt is within 2° and the heading within 5° from the fifth second on",
    arguments: [50, 100, 200], [1, 2, 3] as [UInt64])
  func truth(rate: Int, seed: UInt64) {
    let errors = errors(rate: rate, seed: seed)
    #expect(errors.tilt < 2)
    #expect(errors.heading < 5)
  }

  @Test(
    "the same holds for any initial orientation and any rotation", arguments: [50, 200],
    Array(10..<22) as [UInt64])
  func anyhow(rate: Int, seed: UInt64) {
    let errors = errors(rate: rate, seed: seed, isAnyhow: true)
    #expect(errors.tilt < 2)
    #expect(errors.heading < 5)
  }

  @Test("without a magnetometer, the tilt is as accurate")
  func withoutField() { #expect(errors(rate: 100, seed: 4, hasField: false).tilt < 2) }

  @Test("forgets a first reading during a movement within five seconds")
  func wrongStart() {
    let errors = errors(rate: 100, seed: 5, wrongStart: true)
    #expect(errors.tilt < 2)
    #expect(errors.heading < 5)
  }

  @Test("a device that lies still is reported as still, despite its gyroscope's bias")
  func bias() {
    var (noise, filter) = (Noise(seed: 6), OrientationFilter())
    for step in 0..<12_000 {
      let rotation = noise.vector(0.005) + SIMD3(0.03, -0.02, 0.01)
      _ = filter.update(
        Rotation(time: HostTime(seconds: Double(step) / 100), x: rotation.x, y: rotation.y, z: rotation.z),
        acceleration: SIMD3(0, 0, 1) + noise.vector(0.005), field: SIMD3(0, 20, -45) + noise.vector(0.2))
    }
    let error = filter.bias - SIMD3(0.03, -0.02, 0.01)
    #expect((error * error).sum().squareRoot() < 0.005)
  }

  @Test("without a field in three of four readings, the heading is smooth and follows the field")
  func rareField() throws {
    var (noise, filter) = (Noise(seed: 8), OrientationFilter())
    var headings: [Float] = []
    for step in 0..<2000 {
      let rotation = noise.vector(0.005)
      let field = SIMD3<Float>(-20, 0, -45) + noise.vector(0.5)
      let held = filter.update(
        Rotation(time: HostTime(seconds: Double(step) / 200), x: rotation.x, y: rotation.y, z: rotation.z),
        acceleration: SIMD3(0, 0, 1) + noise.vector(0.005), field: step % 4 == 0 ? field : nil)
      headings.append(try #require(held).heading)
    }
    let late = headings.dropFirst(1000)
    #expect(late.allSatisfy { abs($0 - 90) < 2 })
    #expect(zip(late, late.dropFirst()).allSatisfy { abs($1 - $0) < 0.2 })
  }

  @Test("gives the known angles of flat, turned, tipped, raised and face-down positions")
  func angles() throws {
    // The directions of up and north in the device's axes, computed by hand.
    let cases: [(up: SIMD3<Float>, north: SIMD3<Float>, heading: Float, pitch: Float, roll: Float)] = [
      (SIMD3(0, 0, 1), SIMD3(0, 1, 0), 0, 0, 0),
      // The top edge to the east: north is at the left.
      (SIMD3(0, 0, 1), SIMD3(-1, 0, 0), 90, 0, 0),
      // The right edge is down by 30°.
      (SIMD3(-0.5, 0, Float(0.75).squareRoot()), SIMD3(0, 1, 0), 0, 0, 30),
      // The top is raised by 60°.
      (SIMD3(0, Float(0.75).squareRoot(), 0.5), SIMD3(0, 0.5, -Float(0.75).squareRoot()), 0, 60, 0),
      (SIMD3(0, 0, -1), SIMD3(0, 1, 0), 0, 0, 180),
    ]
    for (up, north, heading, pitch, roll) in cases {
      var filter = OrientationFilter()
      let first = filter.update(
        Rotation(time: .zero, x: 0, y: 0, z: 0), acceleration: up, field: north * 20 - up * 45)
      let held = try #require(first)
      #expect(abs(sin((held.heading - heading) * .pi / 360)) < 1e-3)
      #expect(abs(held.pitch - pitch) < 0.1)
      #expect(abs(sin((held.roll - roll) * .pi / 360)) < 1e-3)
    }
  }

  @Test("before the first reading it lies flat, its top edge to the north")
  func ahead() {
    #expect(abs(sin(Orientation.ahead.heading * .pi / 360)) < 1e-3)
    #expect(abs(Orientation.ahead.up.z - 1) < 1e-6)
  }

  @Test("refuses readings that are not numbers, and starts anew after a pause")
  func garbage() throws {
    var filter = OrientationFilter()
    let still = Rotation(time: .zero, x: 0, y: 0, z: 0)
    #expect(filter.update(still, acceleration: .zero) == nil)
    #expect(filter.update(Rotation(time: .zero, x: .nan, y: 0, z: 0), acceleration: SIMD3(0, 0, 1)) == nil)
    #expect(filter.update(still, acceleration: SIMD3(0, 0, 1)) != nil)
    let later = Rotation(time: HostTime(seconds: 10), x: 0, y: 0, z: 0)
    let anew = filter.update(later, acceleration: SIMD3(0, 1, 0))
    let held = try #require(anew)
    #expect(abs(held.pitch - 90) < 0.1)
  }

  /// Returns the sensors of an orientation, not shared with other tests, and the orientation's server.
  private func parts() -> (
    accel: AccelServer, gyro: SensorServer<Rotation>, magnet: SensorServer<Field>,
    whole: SensorServer<Orientation>
  ) {
    let accel = AccelServer()
    let gyro = SensorServer<Rotation>(.gyro)
    let magnet = SensorServer<Field>(.magnet)
    return (
      accel, gyro, magnet,
      SensorServer(.orientation(accel: accel, gyro: gyro, magnet: CalibratedMagnet(magnet)))
    )
  }

  @Test("without the accelerometer it follows the gyroscope, not the last up direction")
  func accelerometerLost() throws {
    let run = offlineRun { $0.sensors = ["accel": "sim:still", "gyro": "sim:still"] }
    let (accel, gyro, _, server) = parts()
    try server.start(source: nil, in: run)
    // Its top rises by a tenth of a radian a second; after six seconds the accelerometer is pulled out.
    for step in 0...1000 {
      let time = HostTime(seconds: Double(step) / 100)
      let angle = Float(step) / 1000
      if step < 600 { accel.receive(AccelReading(time: time, x: 0, y: sin(angle), z: cos(angle))) }
      if step == 600 { accel.events.call(.lost(name: "iio:0", reason: "unplugged")) }
      gyro.receive(Rotation(time: time, x: 0.1, y: 0, z: 0))
    }
    // A radian is 57.3°.
    #expect(abs(server.latest.load().pitch - 57.3) < 0.6, "\(server.latest.load().pitch)")
    #expect(server.latest.load().time == HostTime(seconds: 10))
    // When the accelerometer is back, it is used again.
    accel.receive(AccelReading(time: HostTime(seconds: 10), x: 0, y: sin(1), z: cos(1)))
    gyro.receive(Rotation(time: HostTime(seconds: 10.01), x: 0, y: 0, z: 0))
    #expect(abs(server.latest.load().pitch - 57.3) < 0.6)
    for part in [server.stop, accel.stop, gyro.stop] { part() }
  }

  @Test("a run that waits for devices also waits for a magnetometer that comes late")
  func lateMagnetometer() throws {
    var options = RunOptions()
    (options.offline, options.quiet) = (true, true)
    let run = Run(options, waitsForDevices: true)
    let (accel, gyro, magnet, server) = parts()
    try server.start(source: nil, in: run)
    // It has started already, so it does not start again with another source.
    try magnet.start(source: "sim:north", in: run)
    #expect(magnet.sensorInput.sourceName == nil)
    for part in [server.stop, accel.stop, gyro.stop, magnet.stop] { part() }
  }

  @Test("the simulated accelerometer and gyroscope tilt together")
  func together() throws {
    let run = offlineRun {
      $0.sensors = ["accel": "sim:tilt", "gyro": "sim:tilt"]
    }
    let (accel, gyro, _, server) = parts()
    let heard = Collected<Orientation>()
    server.callbacks.add { heard.add($0) }
    try server.start(source: nil, in: run)
    play(run, seconds: 8)
    #expect(heard.all.count > 700)
    for held in heard.all {
      let truth = sin(2 * .pi * held.time.seconds / 8) * 45
      #expect(abs(Double(held.pitch) - truth) < 1.2)
      let rolled = sin(2 * .pi * held.time.seconds / 6) * 45
      #expect(abs(Double(held.roll) - rolled) < 1.2)
    }
    server.stop()
    accel.stop()
    gyro.stop()
  }
}
