import Glibc
import MoCore
import MoRuntime
import MoSensing
import Testing

@Suite("The magnetic field in the orientation")
struct OrientationFieldTests {
  private let accel = AccelServer()
  private let gyro = SensorServer<Rotation>(.gyro)
  private let run = offlineRun { $0.sensors = ["accel": "sim:still", "gyro": "sim:still"] }

  /// Starts an orientation whose readings come from the test, with the magnetometer that `magnet` reads already.
  private func started(_ magnet: SensorServer<Field>) throws -> SensorServer<Orientation> {
    let whole = SensorServer<Orientation>(
      .orientation(accel: accel, gyro: gyro, magnet: CalibratedMagnet(magnet)))
    try whole.start(source: nil, in: run)
    return whole
  }

  @Test("after a calibration, the heading counts from north in a device with a magnetic field of its own")
  func ownField() throws {
    let magnet = SensorServer(SilentMagnet.kind())
    try magnet.start(source: "iio:0", in: run)
    let whole = try started(magnet)
    var (body, noise) = (Body(), Noise(seed: 7))
    body.turn(SIMD3(0, 0, 2), 1)
    let own = SIMD3<Float>(35, -60, 22)
    var worst = (tilt: 0.0, heading: 0.0)
    for step in 0..<6000 {
      let time = HostTime(seconds: Double(step) / 100)
      let t = time.seconds
      let speed = SIMD3<Double>(0.8 * sin(1.1 * t), 0.6 * cos(0.7 * t), sin(0.5 * t))
      for _ in 0..<20 { body.turn(speed, step == 0 ? 0 : 1 / 2000) }
      let up = body.own(SIMD3(0, 0, 1)) + noise.vector(0.02)
      accel.receive(AccelReading(time: time, x: up.x, y: up.y, z: up.z))
      let field = body.own(SIMD3(20, 0, -45)) + own + noise.vector(0.5)
      magnet.receive(Field(time: time, x: field.x, y: field.y, z: field.z))
      let turn = SIMD3<Float>(speed) + SIMD3(0.02, -0.015, 0.03) + noise.vector(0.01)
      gyro.receive(Rotation(time: time, x: turn.x, y: turn.y, z: turn.z))
      let held = whole.latest.load()
      if t >= 5 { worst.tilt = max(worst.tilt, body.tiltError(held)) }
      // The heading is corrected by 6° a second, and has no meaning if the top edge points almost up or down.
      if t >= 35, abs(body.columns[1].z) < 0.9 { worst.heading = max(worst.heading, body.headingError(held)) }
    }
    #expect(worst.tilt < 3 && worst.heading < 5, "\(worst)")
    for stop in [whole.stop, magnet.stop, accel.stop, gyro.stop] { stop() }
  }

  @Test("a simulated magnetometer does not change the heading, even if it replaces a lost magnetometer")
  func simulated() throws {
    let magnet = SensorServer<Field>(.magnet)
    try magnet.start(source: "sim:north", in: run)
    let whole = try started(magnet)
    magnet.sensorInput.events.call(.lost(name: "iio:0", reason: "no answer"))
    for step in 0...600 {
      let time = HostTime(seconds: Double(step) / 100)
      magnet.receive(Field(time: time, x: 0, y: 20, z: -44))
      accel.receive(AccelReading(time: time, x: 0, y: 0, z: 1))
      gyro.receive(Rotation(time: time, x: 0, y: 0, z: 0.5))
    }
    // To the left by 3 rad.
    #expect(abs(whole.latest.load().heading - (360 - 171.9)) < 2, "\(whole.latest.load().heading)")
    for stop in [whole.stop, magnet.stop, accel.stop, gyro.stop] { stop() }
  }
}
