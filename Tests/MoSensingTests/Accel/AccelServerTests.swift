import Glibc
import MoCore
import MoDSP
import MoDSPCore
import MoRuntime
import MoSensing
import Synchronization
import Testing

@Suite("The accelerometer's server")
struct AccelServerTests {
  private func run(_ set: (inout RunOptions) -> Void = { _ in }) -> Run {
    var options = RunOptions()
    options.offline = true
    options.quiet = true
    set(&options)
    return Run(options)
  }

  /// Advances the run's time, in steps of a reading.
  private func play(_ run: Run, seconds: Double) {
    let end = HostTime(seconds: seconds)
    while let next = run.input.nextTime, next <= end { run.input.service(until: next) }
  }

  @Test(
    "sim:shake strikes twice a second, sim:still and sim:tilt never",
    arguments: [
      ("sim:shake", 20), ("sim:still", 0), ("sim:tilt", 0),
    ])
  func simulated(source: String, strikes: Int) throws {
    let run = run()
    let server = AccelServer()
    try server.start(source: source, in: run)
    #expect(server.sourceName == source)
    play(run, seconds: 9.99)
    #expect(server.strikes.count == strikes)
    server.stop()
    #expect(run.input.nextTime == nil)
  }

  @Test("still and tilting hands cause no activity, or hardly any")
  func quiet() throws {
    for source in ["sim:still", "sim:tilt"] {
      let run = run()
      let server = AccelServer()
      let wildest = Mutex<Float>(0)
      server.callbacks.add { motion in wildest.withLock { $0 = max($0, motion.activity) } }
      try server.start(source: source, in: run)
      play(run, seconds: 8)
      #expect(wildest.withLock { $0 } < 0.01)
    }
  }

  @Test("sim:tilt tilts by 45 degrees in both directions, back and forth and sideways")
  func tilting() throws {
    let run = run()
    let server = AccelServer()
    let tilts = Mutex<[Motion.Tilt]>([])
    server.callbacks.add { motion in tilts.withLock { $0.append(motion.tilt) } }
    try server.start(source: "sim:tilt", in: run)
    play(run, seconds: 8)
    let all = tilts.withLock { $0 }
    for angles in [all.map(\.pitch), all.map(\.roll)] {
      #expect((-46 ... -42).contains(angles.min() ?? 0))
      #expect((42...46).contains(angles.max() ?? 0))
    }
    // The first swing, a second and a half, goes to the right and the top edge up.
    let first = all.prefix(150)
    #expect(
      zip(first, first.dropFirst()).allSatisfy { $0.roll <= $1.roll + 0.01 && $0.pitch <= $1.pitch + 0.01 })
    #expect((first.last?.roll ?? 0) > 40)
  }

  @Test("the option overrides the program's source")
  func precedence() throws {
    let run = run { $0.accel = "sim:tilt" }
    let server = AccelServer()
    try server.start(source: "sim:still", in: run)
    #expect(server.sourceName == "sim:tilt")
  }

  @Test("an update interval reduces the calls, but loses no strike")
  func interval() throws {
    let run = run()
    let server = AccelServer()
    let calls = Atomic<Int>(0)
    let struck = Atomic<Int>(0)
    server.updateInterval = 0.1
    server.callbacks.add { motion in
      calls.wrappingAdd(1, ordering: .relaxed)
      if motion.strike != nil { struck.wrappingAdd(1, ordering: .relaxed) }
    }
    try server.start(source: "sim:shake", in: run)
    play(run, seconds: 9.99)
    let (called, hit) = (calls.load(ordering: .relaxed), struck.load(ordering: .relaxed))
    #expect(hit == 20)
    #expect((90...121).contains(called))
  }

  @Test("the update interval is clamped to MoMu's range, and 0 means every reading")
  func intervalBounds() {
    let server = AccelServer()
    for (given, kept) in [(0.001, 0.01), (5, 1), (0.02, 0.02), (0, 0), (-1, 0)] {
      server.updateInterval = given
      #expect(abs(server.updateInterval - kept) < 1e-9)
    }
  }

  @Test("a recorded tape replays the same motions")
  func tape() throws {
    let path = "/tmp/momu-accel-\(getpid())-\(UInt32.random(in: 0 ... .max)).osc"
    defer { unlink(path) }
    func motions(_ run: Run, _ source: String) throws -> [Motion] {
      let server = AccelServer()
      let heard = Mutex<[Motion]>([])
      server.callbacks.add { motion in heard.withLock { $0.append(motion) } }
      try server.start(source: source, in: run)
      play(run, seconds: 3)
      server.stop()
      return heard.withLock { $0 }
    }
    let first = try motions(run { $0.recordTape = path }, "sim:shake")
    let second = try motions(run(), "tape:\(path)")
    #expect(first.count == 301)
    #expect(first == second)
  }

  static let wrong: [(source: String, text: String)] = [
    (
      "foo:bar",
      "unknown source \"foo:bar\" for --accel: use evdev:PATH, iio:N, keys, net, sim:still, sim:shake, sim:tilt, sim:play or tape:FILE"
    ),
    (
      "sim:dance",
      "unknown source \"sim:dance\" for --accel: use evdev:PATH, iio:N, keys, net, sim:still, sim:shake, sim:tilt, sim:play or tape:FILE"
    ),
    (
      "keys",
      "--offline cannot read \"keys\": use --accel tape:FILE, or sim:still, sim:shake, sim:tilt, sim:play"
    ),
    (
      "evdev:/dev/input/event0",
      "--offline cannot read \"evdev:/dev/input/event0\": use --accel tape:FILE, or sim:still, sim:shake, sim:tilt, sim:play"
    ),
  ]

  @Test("refuses an impossible source, with advice", arguments: wrong)
  func refused(source: String, text: String) {
    let error = #expect(throws: AccelError.self) { try AccelServer().start(source: source, in: run()) }
    #expect(error?.description == text)
  }

  @Test("reports missing devices and devices of another kind by name")
  func devices() {
    let missing = #expect(throws: AccelError.self) {
      try EvdevAccelerometer.open(path: "/dev/input/event99") { _ in }
    }
    #expect(
      missing?.description == "no device /dev/input/event99: --list-devices shows the devices")
    let other = #expect(throws: AccelError.self) { try EvdevAccelerometer.open(path: "/dev/null") { _ in } }
    #expect(other?.description == "/dev/null is not an accelerometer: --list-devices shows the devices")
    #expect(
      AccelError.noPermission(path: "/dev/serial/by-id/usb-Arduino").description
        == "no access to /dev/serial/by-id/usb-Arduino: add yourself to the group 'dialout': sudo usermod -aG dialout "
        + "$USER, then log in again")
    #expect(
      AccelError.noPermission(path: "/dev/input/event5").description
        == "no access to /dev/input/event5: add yourself to the group 'input': sudo usermod -aG input $USER, then "
        + "log in again")
  }

  @Test("recognises accelerometers by their properties in sysfs")
  func properties() {
    // INPUT_PROP_ACCELEROMETER is bit 6, ABS_X bit 0 (linux/input-event-codes.h); sysfs writes the lowest word last.
    for (bitmap, isOne) in [
      ("40", true), ("0", false), ("5", false), ("60", true), ("1 40", true), ("40 0", false), ("", false),
      ("8000000000000040", true), ("x", false),
    ] {
      #expect(EvdevTraits(properties: bitmap, axes: "7").isAccelerometer == isOne)
    }
    #expect(!EvdevTraits(properties: "40", axes: "38").isAccelerometer)
    // drivers/hid/hid-wiimote-modules.c gives it neither the property nor ABS_X.
    #expect(EvdevTraits(title: "Nintendo Wii Remote Accelerometer", axes: "38").isAccelerometer)
    #expect(!EvdevTraits(title: "Nintendo Wii Remote", axes: "0").isAccelerometer)
  }
}
