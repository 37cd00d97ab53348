import MoCore
import MoRuntime
import MoSensing
import Testing

@Suite("The source of the compass")
struct CompassSourceTests {
  @Test("a compass without a magnetometer reads a magnetometer that appears later")
  func laterMagnetometer() throws {
    let folder = FakeFolder([:])
    let devices = Locked<[NamedDevice]>([])
    let magnet = SensorServer(SilentMagnet.kind(in: folder.path) { devices.withLock { $0 } })
    let accel = AccelServer()
    let kind = SensorKind<Heading>.compass(
      accel: accel, magnet: CalibratedMagnet(magnet), ownsParts: true)
    // In place of the terminal's keys, a simulated player.
    let compass = SensorServer<Heading>(
      SensorKind(
        option: "compass", noun: "a compass", rows: kind.rows,
        standIn: { opening, _ in
          OpenSource(
            SimulatedSource<Heading>("point", start: .zero, rate: 1, deliver: opening.deliver) { _, _ in [] })
        }))
    let isFound = WakeEvent()
    compass.sensorInput.events.add { if $0 == .using(name: "fused") { isFound.raise() } }
    var options = RunOptions()
    (options.quiet, options.sensors) = (true, ["accel": "sim:still"])
    try compass.start(source: nil, in: Run(options))
    #expect(compass.sensorInput.sourceName == "sim:point")
    devices.withLock { $0 = [NamedDevice(name: "iio:0", about: "a chip", isReal: true)] }
    folder.write("iio:device0", "")
    // The minute is a timeout, not a measurement.
    #expect(isFound.wait(for: .seconds(60)))
    #expect(compass.sensorInput.sourceName == "fused" && magnet.sensorInput.sourceName == "iio:0")
    compass.stop()
  }

  @Test("a compass with a magnetometer, but without the named accelerometer, cannot start")
  func missingAccelerometer() {
    let folder = FakeFolder([:])
    let magnet = SensorServer(
      SilentMagnet.kind(in: folder.path) { [NamedDevice(name: "iio:0", about: "a chip", isReal: true)] })
    let compass = SensorServer<Heading>(
      .compass(accel: AccelServer(), magnet: CalibratedMagnet(magnet), ownsParts: true))
    var options = RunOptions()
    (options.quiet, options.sensors) = (true, ["accel": "iio:/nowhere"])
    #expect(throws: SensorError.self) { try compass.start(source: nil, in: Run(options)) }
    #expect(compass.sensorInput.sourceName == nil && magnet.sensorInput.sourceName == nil)
    compass.stop()
  }
}
