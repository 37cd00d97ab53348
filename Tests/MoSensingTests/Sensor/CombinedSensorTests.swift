import MoRuntime
import MoSensing
import Testing

@Suite("A sensor that combines other sensors")
struct CombinedSensorTests {
  @Test(
    "stops the sensors of its own with itself",
    arguments: [AnySensorKind(.orientation()), AnySensorKind(.compass())])
  func ownParts(_ kind: AnySensorKind) throws {
    let run = offlineRun()
    let sensor = kind.sensor { _, _ in }
    for _ in 0..<2 {
      try sensor.start("fused", run)
      #expect(run.input.nextTime != nil)
      sensor.stop()
      #expect(run.input.nextTime == nil)
    }
  }

  @Test("leaves sensors running that it shares")
  func sharedParts() throws {
    let run = offlineRun()
    let (accel, gyro) = (AccelServer(), SensorServer<Rotation>(.gyro))
    let magnet = SensorServer<Field>(.magnet)
    let server = SensorServer<Orientation>(.orientation(accel: accel, gyro: gyro, magnet: magnet))
    try server.start(source: nil, in: run)
    server.stop()
    #expect(accel.sourceName != nil && gyro.sensorInput.sourceName != nil)
    for part in [accel.stop, gyro.stop, magnet.stop] { part() }
    #expect(run.input.nextTime == nil)
  }

  @Test(
    "waits for its device while its main part waits, and has the reason of the part",
    arguments: zip(["gyro", "MoMagnet"], [AnySensorKind(.orientation()), AnySensorKind(.compass())]))
  func missingPart(_ option: String, _ kind: AnySensorKind) throws {
    var options = RunOptions()
    (options.quiet, options.sensors) = (true, [option: "iio:/nowhere"])
    let sensor = kind.sensor { _, _ in }
    try sensor.start("fused", Run(options, waitsForDevices: true))
    defer { sensor.stop() }
    #expect(sensor.source() == nil)
    #expect(sensor.problem()?.hasPrefix("no device /nowhere: ") == true)
  }
}
