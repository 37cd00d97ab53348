import Glibc
import MoCore
import MoNetwork
import MoOSC
import MoRig
import MoRuntime
import MoTesting
import Testing

/// A folder with the kernel's layout of lights and PWM channels, as in its Documentation/ABI/testing/sysfs-class-led
/// and sysfs-class-pwm.
private final class FakeSys {
  let root = "/tmp/momu-sys-\(getpid())-\(UInt32.random(in: 0 ... .max))"

  init() {
    write("0", "leds/lamp/brightness")
    write("255", "leds/lamp/max_brightness")
    write("none [heartbeat] timer", "leds/lamp/trigger")
    write("", "pwm/pwmchip0/export")
    write("2", "pwm/pwmchip0/npwm")
    for file in ["period", "duty_cycle", "enable"] { write("0", "pwm/pwmchip0/pwm0/\(file)") }
  }

  deinit { _ = ProgramRun(shell: "rm -r '\(root)'") }

  func write(_ text: String, _ path: String) {
    WholeFile.write(text + "\n", to: "\(root)/sys/class/\(path)", isPrivate: false)
  }

  func remove(_ path: String) { _ = ProgramRun(shell: "rm -r '\(root)/sys/class/\(path)'") }

  func line(_ path: String) -> String? { SystemFiles.line(of: "\(root)/sys/class/\(path)") }
}

@Suite("Outputs of a rig")
struct OutputTests {
  private let sys = FakeSys()
  private let logged = Locked<[String]>([])
  private let sender = NetAddress(ip: "192.168.0.7", port: 5000)!

  private func reading(_ text: String) -> RigReading {
    RigReader.reading("[rig]\nlisten = 9001\n" + text, file: "rig.conf")
  }

  private func keeper(_ text: String) throws -> OutputDriver {
    let reading = reading("[output lamp]\ndevice = led:lamp\n" + text)
    try #require(reading.problems.isEmpty, "\(reading.problems)")
    return OutputDriver(reading.configuration.outputs[0], root: sys.root) { [logged] _, text in
      logged.withLock { $0.append(text) }
    }
  }

  private func at(_ seconds: Double) -> HostTime { HostTime(seconds: 100 + seconds) }
  private var brightness: String? { sys.line("leds/lamp/brightness") }

  @Test("a message sets a light within the kernel's range, and detaches it from its trigger")
  func light() throws {
    let lamp = try keeper("safe = 0.2\n")
    lamp.service(until: at(0))
    #expect(brightness == "51" && sys.line("leds/lamp/trigger")?.hasPrefix("none") == true)
    for (place, (value, wanted)) in [
      (OSCArgument.float(1), "255"), (.float(0.5), "128"), (.int32(0), "0"), (.double(7), "255"),
      (.float(-3), "0"), (.bool(true), "255"), (.bool(false), "0"),
    ].enumerated() {
      lamp.receive([value], from: sender, now: at(Double(place + 1)))
      #expect(brightness == wanted)
    }
    #expect(lamp.counts.messages == 7 && lamp.counts.level == 0)
    lamp.end()
    #expect(brightness == "51")
    lamp.receive([.float(1)], from: sender, now: at(20))
    #expect(brightness == "51", "nothing sets it after its end")
  }

  @Test("ignores and counts messages that do not hold exactly one number, and logs the first")
  func ignored() throws {
    let lamp = try keeper("")
    lamp.service(until: at(0))
    lamp.receive([.float(1)], from: sender, now: at(1))
    for arguments: [OSCArgument] in [
      [], [.string("1")], [.float(0), .float(0)], [.float(.nan)], [.double(.infinity)], [.blob([1])],
    ] {
      lamp.receive(arguments, from: sender, now: at(2))
    }
    #expect(brightness == "255" && lamp.counts.ignored == 6 && lamp.counts.messages == 1)
    #expect(
      logged.withLock { $0 } == [
        "[output lamp] ignores a message from 192.168.0.7: it takes one number, 0 to 1"
      ])
  }

  @Test("scale, offset and range convert a MIDI value to a level that never exceeds the range")
  func limits() throws {
    let lamp = try keeper("scale = 0.007874016\nrange = 0.1..0.8\n")
    lamp.service(until: at(0))
    for (place, (value, wanted)) in [(127, "204"), (0, "26"), (64, "129"), (1000, "204")].enumerated() {
      lamp.receive([.int32(Int32(value))], from: sender, now: at(Double(place + 1)))
      #expect(brightness == wanted, "\(value)")
    }
  }

  @Test("a flood of messages changes the device at the rate, and the last value is set")
  func rate() throws {
    let lamp = try keeper("rate = 10\n")
    lamp.service(until: at(0))
    var changes = 0
    var last = brightness
    for step in 0..<1000 {
      let now = at(Double(step) / 1000)
      lamp.receive([.float(Float(step % 200) / 200)], from: sender, now: now)
      if let next = lamp.nextTime, next <= now { lamp.service(until: now) }
      if brightness != last { (changes, last) = (changes + 1, brightness) }
    }
    // The limit of MessagePacer: rate · time + 2.
    #expect((8...12).contains(changes), "\(changes)")
    lamp.service(until: at(1.2))
    #expect(brightness == "254", "999 % 200 is 199 of 200")
  }

  @Test("sets the safe value once after the timeout, and logs the loss and return of contact")
  func contact() throws {
    let lamp = try keeper("safe = 0\ntimeout = 5\n")
    lamp.service(until: at(0))
    // Before the first message there was no contact to lose.
    lamp.service(until: at(50))
    #expect(logged.withLock { $0 } == [])
    lamp.receive([.float(1)], from: sender, now: at(60))
    #expect(lamp.nextTime == at(65))
    lamp.service(until: at(64.9))
    #expect(brightness == "255")
    lamp.service(until: at(65))
    lamp.service(until: at(70))
    #expect(brightness == "0" && lamp.nextTime == nil)
    lamp.receive([.float(0.5)], from: sender, now: at(77))
    #expect(brightness == "128")
    #expect(
      logged.withLock { $0 } == [
        "[output lamp] received no message for 5 s: it is set to its safe value, 0.0",
        "[output lamp] receives messages again, after 12 s.",
      ])
  }

  @Test("names a timeout of less than a second as the configuration has it")
  func shortTimeout() throws {
    let lamp = try keeper("timeout = 0.5\n")
    lamp.receive([.float(1)], from: sender, now: at(0))
    lamp.service(until: at(0.5))
    #expect(logged.withLock { $0.first?.contains("received no message for 0.5 s") } == true)
  }

  @Test("limits the journal's lines if a sender comes and goes all night")
  func night() throws {
    let lamp = try keeper("timeout = 5\n")
    for minute in 0..<480 {
      lamp.receive([.float(1)], from: sender, now: at(Double(minute) * 60))
      lamp.service(until: at(Double(minute) * 60 + 5))
      #expect(brightness == "0")
    }
    // Ten lines an hour, for eight hours, and one at the end of each hour.
    #expect(logged.withLock { $0.count } <= 8 * 10)
  }

  @Test("logs that messages arrive again, after an hour in which changes were only counted")
  func cameBack() throws {
    let lamp = try keeper("timeout = 5\n")
    for minute in 0..<5 {
      lamp.receive([.float(1)], from: sender, now: at(Double(minute) * 60))
      lamp.service(until: at(Double(minute) * 60 + 5))
    }
    // The fifth loss of contact, after 245 s, is the ninth line.
    let safe = "[output lamp] received no message for 5 s: it is set to its safe value, 0.0"
    #expect(logged.withLock { $0.count } == 9)
    #expect(
      logged.withLock { $0.last } == safe + ". It changes often: for an hour MoMu only counts its changes.")
    for seconds in stride(from: 300.0, through: 3844, by: 4) {
      lamp.receive([.float(1)], from: sender, now: at(seconds))
      lamp.service(until: at(seconds))
    }
    #expect(logged.withLock { $0.count } == 9 && lamp.nextTime == at(3845))
    lamp.service(until: at(3845))
    #expect(logged.withLock { $0.count } == 10 && lamp.nextTime == at(3849))
    #expect(
      logged.withLock { $0.last }
        == "[output lamp] changed 1 more time in the last hour; the last change: "
        + "[output lamp] receives messages again, after 55 s.")
  }

  @Test("ignores messages of a machine that from does not name")
  func senders() throws {
    let lamp = try keeper("from = 192.168.0.7, 10.0.0.1\n")
    lamp.service(until: at(0))
    lamp.receive([.float(1)], from: try #require(NetAddress(ip: "192.168.0.8", port: 5000)), now: at(1))
    #expect(brightness == "0" && lamp.counts.ignored == 1)
    lamp.receive([.float(1)], from: sender, now: at(2))
    #expect(brightness == "255")
  }

  @Test("tries a missing device again, and sets the current value when it is back")
  func replug() throws {
    sys.remove("leds/lamp")
    let lamp = try keeper("timeout = 0\n")
    lamp.service(until: at(0))
    lamp.receive([.float(1)], from: sender, now: at(0.5))
    for tick in 1...600 { lamp.service(until: at(Double(tick))) }
    #expect(logged.withLock { $0.count } == 1, "\(logged.withLock { $0 })")
    #expect(lamp.counts.level == nil && lamp.counts.failure?.contains("ls /sys/class/leds") == true)
    sys.write("0", "leds/lamp/brightness")
    sys.write("100", "leds/lamp/max_brightness")
    for tick in 601...901 { lamp.service(until: at(Double(tick))) }
    #expect(brightness == "100" && lamp.counts.level == 1)
    #expect(logged.withLock { $0.last } == "[output lamp] drives led:lamp now.")
  }

  @Test("the duty time of a PWM channel is the level times the period")
  func pwm() throws {
    let name = try OutputName("pwm:pwmchip0/0")
    // The values of an earlier program would make the kernel reject a shorter period.
    sys.write("5000000", "pwm/pwmchip0/pwm0/duty_cycle")
    let motor = try name.open(level: 0.25, frequency: 50, root: sys.root)
    #expect(sys.line("pwm/pwmchip0/pwm0/period") == "20000000")
    #expect(sys.line("pwm/pwmchip0/pwm0/enable") == "1")
    try motor.set(0.075)
    #expect(sys.line("pwm/pwmchip0/pwm0/duty_cycle")?.hasPrefix("1500000") == true)
    #expect(throws: OutputError.self) {
      _ = try OutputName("pwm:pwmchip0/7").open(level: 0, frequency: 50, root: sys.root)
    }
    #expect(throws: OutputError.self) {
      _ = try OutputName("pwm:pwmchip3/0").open(level: 0, frequency: 50, root: sys.root)
    }
  }

  /// Returns the names of the files of a PWM channel that an action writes, in the order of the writes.
  ///
  /// - Source: inotify(7) for the layout of the kernel's reports.
  private func written(_ action: () throws -> Void) throws -> [String] {
    let watch = inotify_init1(O_NONBLOCK)
    defer { close(watch) }
    // 2 is IN_MODIFY.
    let added = inotify_add_watch(watch, "\(sys.root)/sys/class/pwm/pwmchip0/pwm0", 2)
    try #require(added >= 0)
    try action()
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(watch, &bytes, bytes.count)
    var names: [String] = []
    var place = 0
    while place + 16 <= count {
      let length = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self) }
      let name = bytes[(place + 16)..<(place + 16 + Int(length))].prefix { $0 != 0 }
      names.append(String(decoding: name, as: UTF8.self))
      place += 16 + Int(length)
    }
    return names
  }

  @Test("sets the period of a new PWM channel before its duty time, as kernels such as 6.1 require")
  func pwmOrder() throws {
    let name = try OutputName("pwm:pwmchip0/0")
    let first = try written { _ = try name.open(level: 0, frequency: 50, root: sys.root) }
    #expect(first == ["period", "duty_cycle", "enable"])
    // A shorter period than the earlier duty time is rejected, too.
    let second = try written { _ = try name.open(level: 0, frequency: 100, root: sys.root) }
    #expect(second == ["duty_cycle", "period", "duty_cycle", "enable"])
  }

  @Test("gives udev a second to grant access to a new PWM channel before it reports a failure")
  func newChannel() throws {
    let plan = reading("[output motor]\ndevice = pwm:pwmchip0/0\n").configuration.outputs[0]
    func driver() -> OutputDriver {
      sys.remove("pwm/pwmchip0/pwm0")
      return OutputDriver(plan, root: sys.root) { [logged] _, text in logged.withLock { $0.append(text) } }
    }
    let motor = driver()
    motor.service(until: at(0))
    #expect(sys.line("pwm/pwmchip0/export") == "0" && motor.nextTime == at(1))
    for file in ["period", "duty_cycle", "enable"] { sys.write("0", "pwm/pwmchip0/pwm0/\(file)") }
    motor.service(until: at(1))
    #expect(motor.counts.level == 0 && sys.line("pwm/pwmchip0/pwm0/enable") == "1")
    #expect(logged.withLock { $0 } == [])
    motor.end()
    let missing = driver()
    missing.service(until: at(10))
    #expect(logged.withLock { $0 } == [] && missing.counts.failure == nil)
    missing.service(until: at(11))
    #expect(logged.withLock { $0.count } == 1 && missing.counts.failure != nil)
  }

  @Test("delivers a message to the outputs that its pattern matches, also within bundles")
  func patterns() throws {
    let lamp = try keeper("address = /room/lamp\n")
    lamp.service(until: at(0))
    func send(_ packet: OSCPacket, _ seconds: Double) {
      OutputPort.dispatch(packet, from: sender, [lamp], at(seconds))
    }
    send(.message(OSCMessage("/room/*", [.float(1)])), 1)
    #expect(brightness == "255")
    send(.bundle(OSCBundle(.immediate, messages: [OSCMessage("/room/lamp", [.float(0)])])), 2)
    #expect(brightness == "0")
    send(.message(OSCMessage("/room/lamp/other", [.float(1)])), 3)
    #expect(brightness == "0" && lamp.counts.ignored == 0)
  }

  @Test("a packet from the network sets an output, and random packets do not")
  func port() throws {
    let lamp = try keeper("address = /lamp\n")
    lamp.service(until: at(0))
    let port = try NetPort(0, isIPv6: false)
    let output = OutputPort(port) { [lamp] }
    let file = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(file) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port.port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    func send(_ bytes: [UInt8]) {
      _ = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          sendto(file, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
    var seed = SystemRandomNumberGenerator()
    for length in [0, 1, 7, 500] { send((0..<length).map { _ in .random(in: 0...255, using: &seed) }) }
    // OSC 1.0: /lamp ,f 1.0
    send(Array("/lamp\0\0\0,f\0\0".utf8) + [0x3F, 0x80, 0, 0])
    output.service(until: at(1))
    #expect(brightness == "255" && lamp.counts.messages == 1)
  }

  @Test(
    "reports each mistake of an output with its line and with what to write",
    arguments: [
      ("[output]\n", "has no device: write device = led:NAME"),
      ("[output]\ndevice = lamp\n", "use led:NAME, pwm:CHIP/CHANNEL or gpio:CHIP/LINE"),
      ("[output]\ndevice = led:../../x\n", "is not a light"),
      ("[output]\ndevice = pwm:pwmchip0\n", "is not a PWM channel"),
      ("[output]\ndevice = gpio:gpiochip0/4?pull=up\n", "remove pull"),
      ("[output]\ndevice = led:a\nsafe = 2\n", "write a number from 0 to 1"),
      ("[output]\ndevice = led:a\nrange = 0..2\n", "outside 0..1"),
      ("[output]\ndevice = led:a\nfrom = pc.local\n", "such as from = 192.168.0.7"),
      ("[output]\ndevice = led:a\nvolume = 2\n", "[output] has no \"volume\""),
      (
        "[output a]\ndevice = led:a\n[output b]\ndevice = led:a\n",
        "same device as [output a] in line 3"
      ),
      ("[output a]\ndevice = led:a\n[output a]\ndevice = led:b\n", "line 3 has [output a] already"),
    ])
  func mistakes(text: String, part: String) {
    let problems = reading(text).problems
    #expect(problems.count == 1 && problems[0].text.contains(part) && problems[0].line > 2, "\(problems)")
  }

  @Test("reports outputs without a port, and runs the sensors")
  func noPort() {
    let reading = RigReader.reading(
      "[rig]\nto = a:9\n[accel]\n[output]\ndevice = led:a\n", file: "rig.conf")
    #expect(reading.problems.map(\.text).joined().contains("listen = 9001"))
    #expect(reading.configuration.streams.count == 1 && reading.configuration.outputs.isEmpty)
  }

  @Test("Docs/Rig.md explains every setting of an output")
  func documented() {
    for name in RigOutput.settings.map(\.name) {
      #expect(RigPage.text.contains("\n| `\(name)` | "), "\(name)")
    }
  }
}
