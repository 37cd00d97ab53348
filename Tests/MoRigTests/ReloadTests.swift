import Glibc
import MoCore
import MoNetwork
import MoOSC
import MoRig
import MoRuntime
import Testing

@Suite("A rig with a changed or partly wrong configuration")
struct ReloadTests {
  private let network = FakeNetwork()
  private let logged = Locked<[String]>([])
  private let run = Run.virtual()

  private func reading(_ text: String) -> RigReading {
    RigReader.reading("[rig]\nstatistics = 0\nto = pc.local:9000\n" + text, file: "rig.conf")
  }

  private func rig(_ text: String) throws -> Rig {
    let rig = Rig(
      reading(text), machine: "pi", in: run, on: network,
      log: { [logged] _, text in logged.withLock { $0.append(text) } })
    rig.resolver.update()
    try rig.start()
    return rig
  }

  private func count(_ address: String) -> Int { network.messages.filter { $0.address == address }.count }

  @Test("unchanged parts continue without a gap after a reload, others start or end")
  func reload() throws {
    let rig = try rig("[accel]\nsource = sim:tilt\n[gyro]\nsource = sim:turn\n")
    rig.play(until: 5, in: run)
    let (accel, gyro) = (count("/momu/accel"), count("/momu/gyro"))
    #expect(accel == 501 && gyro > 200)
    rig.apply(reading("# one line more\n[magnet]\nsource = sim:north\n[accel]\nsource = sim:tilt\n"))
    rig.update()
    rig.play(until: 10, in: run)
    #expect(count("/momu/accel") == 1001)
    #expect(count("/momu/gyro") == gyro)
    #expect(count("/momu/magnet") > 200)
    rig.stop()
  }

  @Test("a reload applies a new name and a new period of the statistics")
  func nameAndPeriod() throws {
    func reading(_ name: String, _ period: Int) -> RigReading {
      RigReader.reading(
        "[rig]\nname = \(name)\nto = pc.local:9000\nconfirm = yes\nstatistics = \(period)\n"
          + "[accel]\nsource = sim:tilt\nrate = 1\n", file: "rig.conf")
    }
    let rig = Rig(reading("attic", 86_400), machine: "pi", in: run, on: network, log: { _, _ in })
    rig.resolver.update()
    try rig.start()
    rig.play(until: 100, in: run)
    #expect(count("/momu/rig") == 0)
    rig.apply(reading("cellar", 10))
    rig.play(until: 109, in: run)
    #expect(count("/momu/rig") == 0)
    rig.play(until: 131, in: run)
    rig.stop()
    let names = network.messages.filter { $0.address == "/momu/rig" }.compactMap(\.arguments.first)
    #expect(names.count == 3 && names.allSatisfy { $0 == .string("cellar") })
    let asked = network.messages.filter { $0.address == "/momu/rig/confirm" }.compactMap(\.arguments.first)
    #expect(asked.first == .string("attic") && asked.last == .string("cellar"))
  }

  @Test("a new rule for one sensor does not reopen the device that it shares")
  func newRule() throws {
    let rig = try rig("[accel]\nsource = sim:tilt\n[accel slow]\nsource = sim:tilt\nrate = 10\n")
    rig.play(until: 5, in: run)
    rig.apply(reading("[accel]\nsource = sim:tilt\n[accel slow]\nsource = sim:tilt\nrate = 1\n"))
    rig.update()
    rig.play(until: 10, in: run)
    #expect(count("/momu/accel") == 1001)
    #expect((54...57).contains(count("/momu/accel/slow")))
    rig.stop()
  }

  @Test("reports each of 23 mistakes once, and runs the rest of the rig")
  func mistakes() throws {
    var text = "[accel]\nsource = sim:tilt\n[gyro]\nsource = sim:turn\nto = 127.0.0.1:9, nowhere\n"
    for number in 1...22 { text += "[magnet m\(number)]\nsource = sim:north\nrate = fast\n" }
    let rig = try rig(text)
    rig.play(until: 600, in: run)
    let lines = logged.withLock { $0 }
    #expect(lines.count == 23)
    #expect(lines.filter { $0.hasSuffix("such as rate = 50") }.count == 22)
    #expect(lines.first?.hasPrefix("rig.conf:8: \"nowhere\" is not a target") == true)
    #expect(count("/momu/accel") == 60_001 && count("/momu/gyro") > 20_000)
    #expect(!network.messages.contains { $0.address.hasPrefix("/momu/magnet") })
    rig.stop()
  }

  @Test(
    "a sensor whose lines a reload changes sends its present value, although the sensor has no new reading",
    arguments: [("", 1...1), ("repeat = 1\n", 5...6)])
  func presentValue(rule: String, messages: ClosedRange<Int>) throws {
    let path = "/tmp/momu-present-\(UInt32.random(in: 0 ... .max)).osc"
    let tape = try OSCTapeWriter(path: path, startNanosecondsSince1970: 0, madeBy: "test")
    try tape.write(OSCMessage("/momu/magnet", [.float(1), .float(2), .float(3)]), atNanoseconds: 0)
    try tape.close()
    defer { remove(path) }
    // The accelerometer only moves the virtual time on.
    let others = "[accel]\nsource = sim:tilt\n[magnet]\nsource = tape:\(path)\n"
    let rig = try rig(others)
    rig.play(until: 5, in: run)
    rig.apply(reading(others + "address = /new\n" + rule))
    rig.update()
    rig.play(until: 10, in: run)
    rig.stop()
    let values = network.messages.filter { $0.address == "/new" }.map(\.arguments)
    #expect(messages.contains(values.count), "\(values.count)")
    #expect(values.allSatisfy { $0 == [.float(1), .float(2), .float(3)] })
  }

  @Test("a new sender prefers a reading of its own to an inherited reading of the same channel")
  func inheritance() throws {
    let target = RigTarget("a:9", on: network, now: .zero, log: { _, _ in })
    target.update(now: .zero)
    let sender = StreamSender(
      try RigReader.read("[sensor]\nto = a:9\nsource = serial:/dev/ttyACM0", file: "").streams[0],
      to: [target])
    let old = ["door", "light"].map { name in
      PresentValues.Reading([.string(name), .float(0)], at: HostTime(seconds: 1))
    }
    sender.inherit(old, at: HostTime(seconds: 5))
    sender.handle([.string("door"), .float(1)], at: HostTime(seconds: 6))
    #expect(sender.nextTime == HostTime(seconds: 5))
    sender.service(until: HostTime(seconds: 7))
    #expect(
      network.messages.map(\.arguments) == [[.string("door"), .float(1)], [.string("light"), .float(0)]])
    #expect(sender.nextTime == nil)
  }

  @Test("plays a tape that appears later without a restart, and tries it at growing intervals until then")
  func later() throws {
    let path = "/tmp/momu-later-\(UInt32.random(in: 0 ... .max)).osc"
    let rig = try rig("[accel]\nsource = sim:tilt\n[gyro]\nsource = tape:\(path)\n")
    rig.play(until: 100, in: run)
    #expect(logged.withLock { $0.count } == 1)
    let tape = try OSCTapeWriter(path: path, startNanosecondsSince1970: 0, madeBy: "test")
    for step in 0..<100 {
      try tape.write(
        OSCMessage("/momu/gyro", [.float(1), .float(2), .float(3)]), atNanoseconds: Int64(step) * 10_000_000)
    }
    try tape.close()
    defer { remove(path) }
    rig.play(until: 300, in: run)
    #expect(count("/momu/gyro") >= 100)
    #expect(logged.withLock { $0.last } == "[gyro] reads tape:\(path) now.")
    rig.stop()
  }

  @Test(
    "a simulated source replaces a board under any channel name, with scale, offset and range"
  )
  func rehearsal() throws {
    let rig = try rig(
      """
      [sensor knob]
      source = sim:steps
      channel = knob
      address = /knob
      scale = 10
      offset = -4
      range = -2..5
      """)
    rig.play(until: 10, in: run)
    rig.stop()
    let values = Set(network.messages.filter { $0.address == "/knob" }.map(\.arguments))
    #expect(values == [[.float(-2)], [.float(5)]])
  }
}
