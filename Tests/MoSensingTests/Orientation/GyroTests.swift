import Glibc
import MoCore
import MoDSPCore
import MoOSC
import MoRuntime
import MoSensing
import Testing

@Suite("The gyroscope")
struct GyroTests {
  private func rotations(_ source: String, seconds: Double, _ run: Run = offlineRun()) throws -> [Rotation] {
    let server = SensorServer<Rotation>(.gyro)
    let heard = Collected<Rotation>()
    server.callbacks.add { heard.add($0) }
    try server.start(source: source, in: run)
    play(run, seconds: seconds)
    server.stop()
    return heard.all
  }

  @Test("sim:turn turns by 45 degrees in two seconds, and returns to its start in eight")
  func turn() throws {
    let rotations = try rotations("sim:turn", seconds: 8)
    // The integral of the speed is the angle.
    let quarter = rotations.prefix(200).map { Double($0.z) * 0.01 }.reduce(0, +)
    #expect(abs(quarter - .pi / 4) < 0.01)
    #expect(abs(rotations.map { Double($0.z) * 0.01 }.reduce(0, +)) < 0.01)
    #expect(rotations.allSatisfy { $0.x == 0 && $0.y == 0 })
  }

  @Test("a recorded tape replays the same rotations, then the device is at rest")
  func tape() throws {
    let path = "/tmp/momu-gyro-\(getpid())-\(UInt32.random(in: 0 ... .max)).osc"
    defer { unlink(path) }
    let first = try rotations("sim:tilt", seconds: 3, offlineRun { $0.recordTape = path })
    let second = try rotations("tape:\(path)", seconds: 10)
    #expect(first.count == 301)
    #expect(Array(second.prefix(301)) == first)
    #expect(second.count > 301)
    #expect(second.last?.speed == 0)
  }

  @Test("two sensors of one run share the tape")
  func sharedTape() throws {
    let path = "/tmp/momu-both-\(getpid())-\(UInt32.random(in: 0 ... .max)).osc"
    defer { unlink(path) }
    let run = offlineRun { $0.recordTape = path }
    let accel = AccelServer()
    let gyro = SensorServer<Rotation>(.gyro)
    try accel.start(source: "sim:tilt", in: run)
    try gyro.start(source: "sim:tilt", in: run)
    play(run, seconds: 1)
    accel.stop()
    gyro.stop()
    #expect(try rotations("tape:\(path)", seconds: 1).count == 101)
    let again = offlineRun()
    let heard = Collected<Motion>()
    accel.callbacks.add { heard.add($0) }
    try accel.start(source: "tape:\(path)", in: again)
    play(again, seconds: 1)
    #expect(heard.all.count == 101)
  }

  @Test(
    "network messages become readings at their time tags, or on arrival if these are long past"
  )
  func network() {
    let heard = Collected<Rotation>()
    let source = NetReadings<Rotation>(port: 8000) { heard.add($0) }
    #expect(source.name == "net:8000" && source.nextTime == nil)
    let now = HostTime(seconds: 10)
    source.inbox.add(
      [.float(1), .int32(2), .double(3)], from: "a", time: now.advanced(bySeconds: -0.1), arrival: now)
    source.inbox.add(
      [.float(4), .float(5), .float(6)], from: "a", time: HostTime(seconds: 1), arrival: now)
    for arguments: [OSCArgument] in [[], [.float(1), .float(2)], [.float(1), .string("2"), .float(3)]] {
      source.inbox.add(arguments, from: "a", time: now, arrival: now)
    }
    #expect(source.nextTime == HostTime(seconds: 9.9))
    source.service(until: now)
    #expect(
      heard.all == [
        Rotation(time: HostTime(seconds: 9.9), x: 1, y: 2, z: 3), Rotation(time: now, x: 4, y: 5, z: 6),
      ])
    #expect(source.nextTime == nil)
  }

  /// Sends a rotation about x from a host at a number of seconds.
  private func send(_ x: Float, from host: String, at seconds: Double, to source: NetReadings<Rotation>) {
    let time = HostTime(seconds: seconds)
    source.inbox.add([.float(x), .float(0), .float(0)], from: host, time: time, arrival: time)
    source.service(until: time)
  }

  @Test("a second sender is reported once, and is read if the first sender is silent for two seconds")
  func twoSenders() {
    let heard = Collected<Float>()
    let ignored = Collected<[String]>()
    let source = NetReadings<Rotation>(
      port: nil, ignored: { ignored.add([$0, $1]) }, deliver: { heard.add($0.x) })
    for step in 0..<4 {
      send(1, from: "a", at: Double(step) / 10, to: source)
      send(2, from: "b", at: Double(step) / 10, to: source)
    }
    send(3, from: "b", at: 2.2, to: source)
    send(4, from: "b", at: 2.4, to: source)
    send(5, from: "a", at: 2.5, to: source)
    #expect(heard.all == [1, 1, 1, 1, 4])
    #expect(ignored.all == [["b", "a"], ["a", "b"]])
  }

  @Test("the phone that the accelerometer reads is preferred to another sender")
  func samePhone() {
    let heard = Collected<Float>()
    let phone = Locked<String?>(nil)
    let source = NetReadings<Rotation>(
      port: nil, preferred: { phone.withLock { $0 } }, deliver: { heard.add($0.x) })
    send(1, from: "a", at: 0, to: source)
    phone.withLock { $0 = "b" }
    send(2, from: "a", at: 0.1, to: source)
    send(3, from: "b", at: 0.1, to: source)
    send(4, from: "a", at: 0.2, to: source)
    #expect(heard.all == [1, 2, 3])
  }

  @Test("presses of buttons are read from all senders")
  func allButtons() {
    let heard = Collected<Button>()
    let source = NetReadings<Button>(port: nil) { heard.add($0) }
    for host in ["a", "b"] {
      source.inbox.add([.string("KEY_A"), .int32(1)], from: host, time: .zero, arrival: .zero)
    }
    source.service(until: .zero)
    #expect(heard.all.count == 2)
  }

  @Test("the option overrides the program; an impossible source is refused with advice")
  func choice() throws {
    let run = offlineRun { $0.sensors["gyro"] = "sim:still" }
    #expect(try rotations("sim:turn", seconds: 1, run).allSatisfy { $0.speed == 0 })
    for (source, text) in [
      (
        "spin",
        "unknown source \"spin\" for --gyro: use evdev:PATH, iio:N, net, sim:still, sim:turn, sim:tilt or tape:FILE"
      ),
      ("iio:0", "--offline cannot read \"iio:0\": use --gyro tape:FILE, or sim:still, sim:turn, sim:tilt"),
      ("net:x", "\"x\" is not a port number for --gyro net: use 1 to 65535, such as net:6449"),
    ] {
      let error = #expect(throws: SensorError.self) { try rotations(source, seconds: 1) }
      #expect(error?.description == text)
    }
  }

  @Test("recognises gyroscopes by their properties in sysfs, the Wii's by its name")
  func traits() {
    // INPUT_PROP_ACCELEROMETER is bit 6, ABS_RX bit 3 (linux/input-event-codes.h).
    #expect(EvdevTraits(properties: "40", axes: "3f").isGyroscope)
    #expect(!EvdevTraits(properties: "40", axes: "7").isGyroscope)
    // A pad's right stick has these axes, too.
    #expect(!EvdevTraits(title: "Controller", axes: "3001b").isGyroscope)
    // drivers/hid/hid-wiimote-modules.c: neither device has the property.
    #expect(EvdevTraits(title: "Nintendo Wii Remote Motion Plus", axes: "38").isGyroscope)
    #expect(!EvdevTraits(title: "Nintendo Wii Remote Motion Plus", axes: "38").isAccelerometer)
    #expect(!EvdevTraits(title: "Nintendo Wii Remote Accelerometer", axes: "38").isGyroscope)
  }
}
