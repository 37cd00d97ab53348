import MoCore
import MoRuntime
import MoSensing
import MoTesting
import Testing

/// A magnetometer whose readings the test itself provides.
final class SilentMagnet: EventTimer {
  let name: String
  let nextTime: HostTime? = nil

  private init(name: String) { self.name = name }

  /// Returns the kind of sensor that reads such a magnetometer.
  ///
  /// - Parameter folder: the folder in which the devices appear; nil if they do not appear.
  static func kind(
    in folder: String? = nil, devices: @escaping @Sendable () -> [NamedDevice] = { [] }
  ) -> SensorKind<Field> {
    SensorKind(
      option: "MoMagnet", noun: "a magnetometer",
      rows: [
        SensorRow(
          "iio", forms: ["iio:N"], folder: folder, worksOffline: true, devices: devices,
          open: { detail, _ in OpenSource(SilentMagnet(name: "iio:\(detail ?? "")")) })
      ],
      standIn: { _, _ in throw SensorError.other("") })
  }

  func service(until now: HostTime) {}
}

@Suite("The calibration of the magnetometer, which the combined sensors share")
struct CalibratedMagnetTests {
  private let server = SensorServer(SilentMagnet.kind())
  private let fields = [SIMD3<Double>(35, -60, 22), SIMD3(-80, 10, 5)]

  private func distance(_ found: FieldCalibration.Found?, _ own: SIMD3<Double>) -> Double {
    guard let found else { return .infinity }
    let error = found.offset - own
    return (error * error).sum().squareRoot()
  }

  @Test("stores the field of each device in a file of this device, and uses it after the next start")
  func files() throws {
    let state = Scratch()
    let environment = ["XDG_STATE_HOME": state.path]
    let devices = ["chip-a", "chip-b"].map { FakeFolder(["name": $0]) }
    var options = RunOptions()
    options.quiet = true
    let run = Run(options)
    let magnet = CalibratedMagnet(server, environment: environment)
    var chance = Chance()
    for (device, own) in zip(devices, fields) {
      try server.start(source: "iio:\(device.path)", in: run)
      #expect(magnet.correct(Field(time: .zero, x: 0, y: 0, z: 0), in: run).doubt == nil)
      for n in 0..<500 {
        let held = Held.inFigureOfEight(at: Double(n) / 50)
        _ = magnet.correct(held.field(own, &chance, at: .zero), in: run)
      }
      server.stop()
    }
    magnet.save()
    for (name, own) in zip(["chip-a", "chip-b"], fields) {
      #expect(distance(CompassFile(path: "\(state.path)/momu/compass/\(name)").read(), own) < 1.5)
    }
    try server.start(source: "iio:\(devices[0].path)", in: run)
    let again = CalibratedMagnet(server, environment: environment)
    let first = again.correct(Field(time: .zero, x: 35, y: -60, z: 22), in: run)
    #expect((first.earth * first.earth).sum().squareRoot() < 1.5 && first.doubt != nil)
    server.stop()
  }

  @Test("a compass begins its calibration anew when its magnetometer is another device")
  func otherDevice() throws {
    let run = offlineRun { $0.sensors = ["accel": "sim:still"] }
    let accel = AccelServer()
    let compass = SensorServer<Heading>(.compass(accel: accel, magnet: CalibratedMagnet(server)))
    try server.start(source: "iio:0", in: run)
    try compass.start(source: "fused", in: run)
    var chance = Chance()
    /// Returns the heading in a position.
    func heading(_ held: Held, _ own: SIMD3<Double>, _ time: HostTime) -> Heading {
      let up = held.seen(SIMD3(0, 0, 1))
      accel.receive(AccelReading(time: time, x: Float(up.x), y: Float(up.y), z: Float(up.z)))
      server.receive(held.field(own, &chance, noise: 0.2, at: time))
      return compass.latest.load()
    }
    for (device, own) in fields.enumerated() {
      if device > 0 {
        server.stop()
        try server.start(source: "iio:1", in: run)
        #expect(heading(Held.inFigureOfEight(at: 0), own, HostTime(seconds: 20)).accuracy == 180)
      }
      let start = HostTime(seconds: 30.0 * Double(device))
      for n in 0..<500 {
        let seconds = Double(n) / 50
        _ = heading(Held.inFigureOfEight(at: seconds), own, start.advanced(bySeconds: seconds))
      }
      let east = heading(Held(heading: 90, pitch: 0, roll: 0), own, start.advanced(bySeconds: 15))
      #expect(abs(east.magneticHeading - 90) < 5 && east.accuracy < 10, "\(east)")
    }
    for stop in [compass.stop, accel.stop, server.stop] { stop() }
  }
}
