import Glibc
import MoCore
import MoDSPCore
import MoRuntime
import Testing

@testable import MoSensing

@Suite("Industrial I/O")
struct IIOTests {
  /// A laptop's sensor that lies flat, as the kernel's hid-sensor-accel-3d shows it: the hub has the signs of Windows.
  private let laptop = [
    "name": "accel_3d", "in_accel_x_raw": "0", "in_accel_y_raw": "0", "in_accel_z_raw": "-1000000",
    "in_accel_scale": "0.000009806", "in_accel_offset": "0", "in_accel_sampling_frequency": "50.000000",
  ]

  /// A part on a board, as its driver shows it: a raised side reads positive, as in its data sheet.
  private var chip: [String: String] {
    laptop.merging(["name": "mpu6050", "in_accel_z_raw": "1000000"]) { $1 }
  }

  private func read(
    _ folder: FakeFolder, seconds: Double = 0, then: () -> Void = {}
  ) throws -> [AccelReading] {
    let clock = ManualClock(HostTime(seconds: 7))
    let heard = Collected<AccelReading>()
    let triple = try #require(IIOTriple(IIODevice(folder.path), channel: "accel"))
    let source = IIOPolledSource<AccelReading>(
      triple, clock: clock, deliver: { heard.add($0) },
      make: { AccelReading(time: $0, x: $1.x / 9.80665, y: $1.y / 9.80665, z: $1.z / 9.80665) })
    let end = clock.now.advanced(bySeconds: seconds)
    while let next = source.nextTime, next <= end {
      clock.advance(to: next)
      try source.service(until: clock.now)
      then()
    }
    return heard.all
  }

  @Test("devices of one rate are polled at the same moments, whenever they were opened")
  func sameMoments() throws {
    var moments: [[HostTime]] = []
    for begin in [7.0, 7.0034] {
      let clock = ManualClock(HostTime(seconds: begin))
      let folder = FakeFolder(laptop)
      let triple = try #require(IIOTriple(IIODevice(folder.path), channel: "accel"))
      let source = IIOPolledSource<AccelReading>(
        triple, clock: clock, deliver: { _ in }, make: { AccelReading(time: $0, x: $1.x, y: $1.y, z: $1.z) })
      var asked: [HostTime] = []
      while let next = source.nextTime, next <= HostTime(seconds: 8) {
        clock.advance(to: next)
        try source.service(until: clock.now)
        asked.append(next)
      }
      #expect(asked.first == HostTime(seconds: begin))
      moments.append(asked.filter { $0 > HostTime(seconds: 7.1) })
    }
    #expect(moments[0] == moments[1] && moments[0].count > 1)
  }

  @Test("a value is (raw + offset) · scale; a laptop that lies flat reads (0, 0, 1) g")
  func scale() throws {
    let reading = try #require(try read(FakeFolder(laptop)).first)
    #expect(reading.x == 0 && reading.y == 0 && abs(reading.z - 1) < 1e-3)
    // Documentation/ABI/testing/sysfs-bus-iio: an axis may have its own scale and offset.
    var own = laptop
    own["in_accel_z_scale"] = "0.5"
    own["in_accel_z_offset"] = "999998"
    #expect(abs((try read(FakeFolder(own)).first?.z ?? 0) * 9.80665 - 1) < 1e-5)
  }

  @Test("the mount matrix rotates the part's axes to the device's, row by row")
  func mountMatrix() throws {
    // x' = y, y' = -x: Documentation/devicetree/bindings/iio/mount-matrix.txt, rows are (mxx, myx, mzx) …
    var turned = chip
    turned["in_mount_matrix"] = "0, 1, 0; -1, 0, 0; 0, 0, 1"
    turned["in_accel_x_raw"] = "250000"
    turned["in_accel_y_raw"] = "500000"
    let reading = try #require(try read(FakeFolder(turned)).first)
    #expect(abs(reading.x - 0.5) < 1e-3 && abs(reading.y + 0.25) < 1e-3 && abs(reading.z - 1) < 1e-3)
  }

  /// Returns the device's reading in g, given the part's reading in m/s².
  private func turn(
    _ files: [String: String], _ raw: SIMD3<Double>, udev: [String: String] = [:]
  ) throws -> SIMD3<Float> {
    let folder = FakeFolder(files)
    let database = FakeFolder(udev)
    let triple = try #require(
      IIOTriple(IIODevice(folder.path), channel: "accel", udev: database.path))
    return try #require(triple.value(raw / 0.000009806)) / 9.80665
  }

  @Test(
    "a laptop tipped to the right reads the same through a HID hub, a board's part and udev's matrix")
  func tippedRight() throws {
    // By 30°: the right edge is down.
    let (sine, cosine) = (4.903, 8.493)
    let tipped = SIMD3<Float>(-0.5, 0, 0.866)
    func isTipped(_ value: SIMD3<Float>) -> Bool {
      let error = value - tipped
      return (error * error).sum() < 1e-5 && abs(Motion.Tilt(up: value).roll - 30) < 0.5
    }
    // Windows: (0, 0, −1) g lying flat, and x is positive with the left side up.
    #expect(isTipped(try turn(laptop, SIMD3(sine, 0, -cosine))))
    // Android's SensorEvent, and the kernel's mount-matrix.txt: tilted to the left, x is positive.
    #expect(isTipped(try turn(chip, SIMD3(-sine, 0, cosine))))
    // systemd's hwdb, for an Asus T100TA, a Chuwi Hi8 and an Archos 80: in iio-sensor-proxy, x above 0 means left side
    // up. All three parts are mounted upside down: no other mounting gives these signs.
    for (matrix, raw) in [
      ("1, 0, 0; 0, -1, 0; 0, 0, 1", SIMD3(sine, 0, -cosine)),
      ("0, -1, 0; -1, 0, 0; 0, 0, 1", SIMD3(0, -sine, -cosine)),
      ("-1, 0, 0; 0, 1, 0; 0, 0, 1", SIMD3(-sine, 0, -cosine)),
    ] {
      var known = chip
      known["dev"] = "237:0"
      let udev = ["c237:0": "I:25931869\nE:ACCEL_MOUNT_MATRIX=\(matrix)\nG:systemd\n"]
      let value = try turn(known, raw, udev: udev)
      // The view of iio-sensor-proxy, with the matrix applied.
      let rows = try #require(IIOMount.matrix(matrix))
      #expect((rows[0] * raw).sum() > 0, "the desktop must see the left side up")
      #expect(isTipped(value), "\(matrix): \(value)")
    }
  }

  @Test("udev's matrix becomes a rotation, whatever its z, and overrides the kernel's")
  func udevMatrix() throws {
    var known = chip
    known["dev"] = "237:0"
    known["in_mount_matrix"] = "0, 1, 0; -1, 0, 0; 0, 0, 1"
    // Mirrored, and with z inverted: for the desktop, y above 0 is bottom up, so the device's y is the part's.
    for z in [1, -1] {
      let udev = ["c237:0": "E:ACCEL_MOUNT_MATRIX=1, 0, 0; 0, -1, 0; 0, 0, \(z)\n"]
      let (folder, database) = (FakeFolder(known), FakeFolder(udev))
      let mount = IIOMount(IIODevice(folder.path), channel: "accel", udev: database.path)
      #expect(mount.rows == [SIMD3(-1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, -1)])
      // The gyroscope in the same part is rotated by the same matrix.
      #expect(IIOMount(IIODevice(folder.path), channel: "anglvel", udev: database.path).rows == mount.rows)
    }
  }

  @Test(
    "an invalid matrix changes nothing",
    arguments: [
      "", "1, 0; 0, 1", "0, 0, 0; 0, 0, 0; 0, 0, 0", "1, 0, x; 0, 1, 0; 0, 0, 1",
      "nan, 0, 0; 0, 1, 0; 0, 0, 1",
    ])
  func noMatrix(text: String) { #expect(IIOMount.matrix(text) == nil) }

  @Test("is polled at its driver's rate, and delivers the present value")
  func rate() throws {
    let folder = FakeFolder(laptop)
    var count = 0
    let readings = try read(folder, seconds: 1) {
      count += 1
      if count == 25 { folder.write("in_accel_z_raw", "1000000") }
    }
    #expect(readings.count == 51)
    #expect(readings[24].z > 0.99 && readings[25].z < -0.99)
    #expect(readings[1].time.nanoseconds - readings[0].time.nanoseconds == 20_000_000)
  }

  @Test("reports a device that disappears, but not one that is busy for a moment")
  func unplugged() throws {
    var fake = laptop
    fake["in_accel_y_raw"] = "1"
    let folder = FakeFolder(fake)
    let triple = try #require(IIOTriple(IIODevice(folder.path), channel: "accel"))
    let clock = ManualClock()
    folder.remove("in_accel_y_raw")
    let source = IIOPolledSource<AccelReading>(
      triple, clock: clock, deliver: { _ in }, make: { AccelReading(time: $0, x: $1.x, y: $1.y, z: $1.z) })
    let error = #expect(throws: SensorError.self) { try source.service(until: clock.now) }
    #expect(error?.description == "iio:\(folder.path) went away (No such device)")
  }

  @Test("refuses a device of another kind, and a missing one, with advice")
  func refused() throws {
    let folder = FakeFolder(["name": "als", "in_illuminance_raw": "3"])
    let run = Run(RunOptions())
    for (source, text) in [
      ("iio:\(folder.path)", "\(folder.path) is not a gyroscope: \(SensorKind.gyro.advice)"),
      (
        "iio:99",
        "no device /sys/bus/iio/devices/iio:device99: \(SensorKind.gyro.advice)"
      ),
    ] {
      let server = SensorServer<Rotation>(.gyro)
      let error = #expect(throws: SensorError.self) { try server.start(source: source, in: run) }
      #expect(error?.description == text)
    }
  }

  @Test("the error for a missing device lists those that exist", arguments: [0, 1, 2, 3])
  func advice(count: Int) {
    let kind = SensorKind<Rotation>(
      option: "gyro", noun: "a gyroscope",
      rows: [
        SensorRow(
          "iio", forms: ["iio:N"],
          devices: {
            (0..<count).map { NamedDevice(name: "iio:\($0)", about: "", isReal: true) }
              + [NamedDevice(name: "sim:still", about: "", isReal: false)]
          },
          open: { _, _ in nil })
      ],
      standIn: { _, _ in throw SensorError.other("") })
    #expect(
      kind.advice
        == [
          "there is none here now: plug it in", "use iio:0", "use iio:0 or iio:1",
          "use iio:0, iio:1 or iio:2",
        ][
          count])
  }

  @Test(
    "reports an unusable driver value with its file, and never reads it as a number",
    arguments: [
      ("in_accel_scale", "0.000000"), ("in_accel_scale", "nan"), ("in_accel_scale", "inf"),
      ("in_accel_scale", "?"), ("in_accel_y_scale", "0"), ("in_accel_offset", "-inf"),
      ("in_accel_z_offset", "x"),
    ])
  func nonsense(attribute: String, text: String) {
    let folder = FakeFolder(laptop)
    folder.write(attribute, text)
    let server = SensorServer<AccelReading>(.accel)
    let error = #expect(throws: SensorError.self) {
      try server.start(source: "iio:\(folder.path)", in: Run(RunOptions()))
    }
    server.stop()
    #expect(
      error?.description.hasPrefix("\(folder.path)/\(attribute) contains \"\(text)\", which is not a valid ")
        == true,
      "\(error?.description ?? "")")
  }

  @Test(
    "ignores values that are not numbers or too large, and at last reports the device as lost"
  )
  func noNumbers() throws {
    for (scale, raw) in [("1", "nan"), ("1", ""), ("1", "busy"), ("1e300", "1000000")] {
      var fake = laptop
      (fake["in_accel_scale"], fake["in_accel_x_raw"]) = (scale, raw)
      let heard = Collected<AccelReading>()
      let folder = FakeFolder(fake)
      let triple = try #require(IIOTriple(IIODevice(folder.path), channel: "accel"))
      let clock = ManualClock()
      let source = IIOPolledSource<AccelReading>(
        triple, clock: clock, deliver: { heard.add($0) },
        make: { AccelReading(time: $0, x: $1.x, y: $1.y, z: $1.z) })
      #expect(throws: SensorError.self) {
        for _ in 0..<20 {
          clock.advance(to: source.nextTime ?? clock.now)
          try source.service(until: clock.now)
        }
      }
      #expect(heard.all.isEmpty)
    }
  }

  @Test(
    "refuses invalid channel indices and sizes of a buffer", arguments: ["nan", "1e300", "0.5", "x"])
  func absurdBuffer(index: String) throws {
    let folder = buffered(["accel"])
    folder.write("scan_elements/in_accel_y_index", index)
    let triple = try #require(IIOTriple(IIODevice(folder.path), channel: "accel"))
    #expect(IIOBuffer.enable(triple) == nil)
  }

  @Test("lists devices by their channels")
  func list() {
    let folder = FakeFolder([:])
    folder.write("iio:device10/name", "late")
    folder.write("iio:device10/in_anglvel_x_raw", "0")
    folder.write("iio:device2/name", "gyro_3d")
    folder.write("iio:device2/in_anglvel_x_raw", "0")
    folder.write("iio:device3/name", "als")
    let found = IIOList.devices(channel: "anglvel", in: folder.path)
    #expect(found.map(\.about) == ["gyro_3d", "late"])
    #expect(found.first?.name == "iio:\(folder.path)/iio:device2")
  }

  @Test("a device that does not answer still counts as present, and its error names the wires")
  func busy() throws {
    let folder = FakeFolder([:])
    folder.write("iio:device0/name", "mpu6050")
    // A folder in place of a file cannot be read, like the attribute of a chip that does not answer.
    for axis in ["x", "y", "z"] {
      folder.write("iio:device0/in_accel_\(axis)_raw", "0")
      mkdir("\(folder.path)/iio:device0/in_anglvel_\(axis)_raw", 0o700)
    }
    defer { for axis in ["x", "y", "z"] { rmdir("\(folder.path)/iio:device0/in_anglvel_\(axis)_raw") } }
    #expect(IIOList.devices(channel: "anglvel", in: folder.path).map(\.about) == ["mpu6050"])
    let device = IIODevice("\(folder.path)/iio:device0")
    #expect(IIOTriple(device, channel: "anglvel") != nil)
    let run = Run(RunOptions())
    let server = SensorServer<Rotation>(.gyro)
    let error = #expect(throws: SensorError.self) {
      try server.start(source: "iio:\(device.folder)", in: run)
    }
    #expect(
      error?.description
        == "\(device.folder) does not answer (Is a directory): check its wires, or use another source")
  }

  @Test("names another program as the reason for missing values only if the error is EBUSY")
  func silence() {
    let device = IIODevice("/chip")
    #expect(
      device.silence(EBUSY) == "/chip is read by another program: end that program, or use another source")
    #expect(
      device.silence(EREMOTEIO)
        == "/chip does not answer (Remote I/O error): check its wires, or use another source")
  }

  /// Returns a folder with all that a buffer needs, except for the channels.
  private func buffered(_ channels: [String]) -> FakeFolder {
    let folder = FakeFolder(["name": "imu"])
    for channel in channels {
      for axis in IIOTriple.axes { folder.write("in_\(channel)_\(axis)_raw", "0") }
    }
    for (index, name) in (IIOTriple.axes.map { "in_accel_\($0)" } + ["in_timestamp"]).enumerated() {
      folder.write("scan_elements/\(name)_en", "0")
      folder.write("scan_elements/\(name)_index", "\(index)")
      folder.write("scan_elements/\(name)_type", index < 3 ? "be:s16/16>>0" : "le:s64/64>>0")
    }
    folder.write("trigger/current_trigger", "imu-dev0")
    folder.write("buffer/enable", "0")
    folder.write("buffer/length", "2")
    return folder
  }

  @Test("a device with two vectors is not buffered, since the other could not be polled meanwhile")
  func oneVector() throws {
    for (channels, isBuffered) in [(["accel"], true), (["accel", "anglvel"], false)] {
      let folder = buffered(channels)
      let triple = try #require(IIOTriple(IIODevice(folder.path), channel: "accel"))
      #expect((IIOBuffer.enable(triple) != nil) == isBuffered)
      #expect(IIODevice(folder.path).text("buffer/enable") == (isBuffered ? "1" : "0"))
    }
  }

  @Test("turns off a buffer that was left on, unless a program has the device open")
  func leftOn() throws {
    let folder = buffered(["accel"])
    folder.write("buffer/enable", "1")
    let device = IIODevice(folder.path)
    let nodes = FakeFolder([:])
    // The kernel lets no other program open it while one reads.
    IIOBuffer.clear(device, nodes: nodes.path)
    #expect(device.text("buffer/enable") == "1")
    nodes.write(String(folder.path.split(separator: "/").last ?? ""), "")
    IIOBuffer.clear(device, nodes: nodes.path)
    #expect(device.text("buffer/enable") == "0")
    let triple = try #require(IIOTriple(device, channel: "accel"))
    #expect(IIOBuffer.enable(triple) != nil)
  }

  @Test(
    "channels of a scan are aligned, in the order of their index, and bits outside are ignored"
  )
  func scan() throws {
    // hid-sensor-accel-3d: 16 bits in words of 32, whose upper halves contain garbage; then 64 bits of time at byte 16.
    let scan = try #require(
      IIOScan([("le:s16/32>>0", 0), ("le:s16/32>>0", 1), ("le:s16/32>>0", 2), ("le:s64/64>>0", 3)]))
    #expect(scan.size == 24)
    let bytes: [UInt8] = [
      0x01, 0x00, 0xAA, 0xBB,  // 1
      0xFF, 0xFF, 0x12, 0x34,  // -1
      0x00, 0x80, 0xFF, 0x7F,  // -32768
      0, 0, 0, 0,  // to the next multiple of 8
      0x00, 0xCA, 0x9A, 0x3B, 0, 0, 0, 0,  // 1,000,000,000
    ]
    #expect(scan.elements.map { $0.count(in: bytes) } == [1, -1, -32_768, 1_000_000_000])
  }

  @Test("reads big-endian, shifted and unsigned channels as the kernel's ABI defines them")
  func types() throws {
    // 12 bits at the top of a big-endian word, as in many ADCs: be:u12/16>>4.
    let twelve = try #require(IIOScan.Element("be:u12/16>>4"))
    #expect(twelve.count(in: [0xAB, 0xCF] as [UInt8]) == 0xABC)
    let signed = try #require(IIOScan.Element("be:s12/16>>4"))
    #expect(signed.count(in: [0xFF, 0xF0] as [UInt8]) == -1)
    #expect(IIOScan.Element("le:s16/16X2>>0") == nil)
    #expect(IIOScan.Element("middle:s16/16>>0") == nil)
    #expect(IIOScan.Element("le:s16/0>>0") == nil)
  }
}
