import MoCore
import MoRuntime
import MoSensing
import Testing

/// A device that is unplugged a second after its start, and does not return.
private final class UnpluggedPart: EventTimer {
  let name = "part:1"
  let nextTime: HostTime?
  private let isGone: Locked<Bool>

  private init(from start: HostTime, _ isGone: Locked<Bool>) {
    (nextTime, self.isGone) = (start.advanced(bySeconds: 1), isGone)
  }

  /// The kind of sensor that reads such a device.
  static func kind<Reading: SensorReading>(_: Reading.Type) -> SensorKind<Reading> {
    let isGone = Locked(false)
    return SensorKind<Reading>(
      option: "part", noun: "a part", usual: "part:1",
      rows: [
        SensorRow(
          "part", forms: ["part:1"], folder: "/proc/self/fdinfo", worksOffline: true, devices: { [] },
          open: { _, opening in
            guard !isGone.withLock({ $0 }) else {
              throw SensorError.noDevice(path: "/dev/part", advice: "plug it in")
            }
            return OpenSource(UnpluggedPart(from: opening.run.clock.now, isGone))
          })
      ],
      standIn: { _, _ in throw SensorError.other("") })
  }

  func service(until now: HostTime) throws {
    guard let nextTime, nextTime <= now else { return }
    isGone.withLock { $0 = true }
    throw SensorError.wentAway(name: name, reason: "hung up")
  }
}

@Suite("A sensor that combines other sensors")
struct CombinedSensorTests {
  @Test(
    "stops its own sensors when it stops",
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

  @Test("does not stop shared sensors when it stops")
  func sharedParts() throws {
    let run = offlineRun()
    let (accel, gyro) = (AccelServer(), SensorServer<Rotation>(.gyro))
    let magnet = SensorServer<Field>(.magnet)
    let server = SensorServer<Orientation>(
      .orientation(accel: accel, gyro: gyro, magnet: CalibratedMagnet(magnet)))
    try server.start(source: nil, in: run)
    server.stop()
    #expect(accel.sourceName != nil && gyro.sensorInput.sourceName != nil)
    for part in [accel.stop, gyro.stop, magnet.stop] { part() }
    #expect(run.input.nextTime == nil)
  }

  @Test(
    "waits for its device while its main part waits, and reports the reason of this part",
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

  @Test(
    "is lost when the device of its main part is lost",
    arguments: [
      AnySensorKind(
        .orientation(
          accel: AccelServer(), gyro: SensorServer(UnpluggedPart.kind(Rotation.self)),
          magnet: CalibratedMagnet(SensorServer(.magnet)), ownsParts: true)),
      AnySensorKind(
        .compass(
          accel: AccelServer(), magnet: CalibratedMagnet(SensorServer(UnpluggedPart.kind(Field.self))),
          ownsParts: true)),
    ])
  func lostPart(_ kind: AnySensorKind) throws {
    var options = RunOptions()
    (options.quiet, options.offline) = (true, true)
    options.sensors = ["accel": "sim:still", "MoMagnet": "sim:north"]
    let run = Run(options, waitsForDevices: true)
    let losses = Collected<Bool>()
    let sensor = kind.sensor(lost: { losses.add(true) }, { _, _ in })
    try sensor.start("fused", run)
    defer { sensor.stop() }
    play(run, seconds: 0.5)
    #expect(losses.all.isEmpty && sensor.source() == "fused")
    play(run, seconds: 3)
    #expect(losses.all.count == 1 && sensor.source() == nil)
  }
}
