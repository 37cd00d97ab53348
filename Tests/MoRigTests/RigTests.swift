import Glibc
import MoCore
import MoNetwork
import MoOSC
import MoRig
import MoRuntime
import MoSensing
import Testing

/// A network that can be disconnected, with the packets that were sent into it.
final class FakeNetwork: RigNetwork {
  struct State {
    var isUp = true
    var knowsNames = true
    var isKept = true
    var sent: [(target: String, message: OSCMessage, measured: OSCTimeTag?)] = []
    /// The event of the network about every target.
    var event: @Sendable (HostTime) -> NetLinkEvent = { _ in NetLinkEvent() }
  }

  let state = Locked(State())

  struct Link: RigLink {
    let network: FakeNetwork
    let target: String

    func send(_ packet: UnsafeRawBufferPointer) throws(NetError) { try network.send(packet, to: target) }
    func find() throws(NetError) { try network.find(target) }
    func poll(now: HostTime) -> NetLinkEvent { network.state.withLock { $0.event(now) } }
    func close() -> NetLinkEvent { NetLinkEvent() }
  }

  func link(to target: String) throws(NetError) -> any RigLink { Link(network: self, target: target) }

  func send(_ packet: UnsafeRawBufferPointer, to target: String) throws(NetError) {
    let isUp = state.withLock { state in
      if state.isUp, state.isKept { keep(packet, target, &state) }
      return state.isUp
    }
    if !isUp { throw .noRoute(target) }
  }

  private func keep(_ packet: UnsafeRawBufferPointer, _ target: String, _ state: inout State) {
    switch try? OSCPacket(bytes: Array(packet)) {
    case .message(let message): state.sent.append((target, message, nil))
    case .bundle(let bundle):
      if case .message(let message)? = bundle.elements.first {
        state.sent.append((target, message, bundle.timeTag))
      }
    case nil: Issue.record("a rig has sent what is no packet")
    }
  }

  func find(_ target: String) throws(NetError) {
    if !state.withLock({ $0.knowsNames }) { throw .unknownHost(target) }
  }

  var messages: [OSCMessage] { state.withLock { $0.sent.map(\.message) } }
}

@Suite("A rig in virtual time")
struct RigTests {
  private let network = FakeNetwork()
  private let logged = Locked<[String]>([])
  private let run = Run.virtual()

  private func rig(_ text: String) throws -> Rig {
    let rig = Rig(
      RigReader.reading("[rig]\nto = pc.local:9000\n" + text, file: "rig.conf"), machine: "pi", in: run,
      on: network, log: log)
    rig.resolver.update()
    try rig.start()
    return rig
  }

  private var log: @Sendable (MoLog.Level, String) -> Void {
    { [logged] _, text in logged.withLock { $0.append(text) } }
  }

  @Test("counts a combined sensor as read only while the device of its main part is read")
  func together() throws {
    var options = RunOptions()
    options.quiet = true
    options.sensors = ["gyro": "sim:turn", "accel": "sim:still", "MoMagnet": "iio:/nowhere"]
    let rig = Rig(
      RigReader.reading("[rig]\nto = pc.local:9000\n[orientation]\n[compass]\n", file: "rig.conf"),
      machine: "pi", in: Run(options, waitsForDevices: true), on: network, log: log)
    try rig.start()
    #expect(
      rig.description == "[orientation] fused -> /momu/orientation at pc.local:9000\n"
        + "[compass] waits for its device -> /momu/compass at pc.local:9000")
    #expect(rig.status.hasPrefix("1 of 2 sensors read, "))
    #expect(rig.status.contains("rig.conf:3: no device /nowhere: "))
    rig.stop()
  }

  @Test("reads the location from gpsd if no source is named")
  func place() {
    let sensor = AnySensorKind(.location).sensor { _, _ in }
    // The error names the source; a real gpsd may run on this machine or not.
    let error = #expect(throws: SensorError.self) { try sensor.start(nil, run) }
    #expect(error?.description.hasPrefix("--offline cannot read \"gpsd\"") == true)
  }

  @Test("does not count the location as read while gpsd does not answer, and reports the reason")
  func noGPSD() throws {
    var options = RunOptions()
    options.quiet = true
    let sensor = AnySensorKind(.location).sensor { _, _ in }
    // The port of tcpmux, at which no program of today listens.
    try sensor.start("gpsd:127.0.0.1:1", Run(options, waitsForDevices: true))
    defer { sensor.stop() }
    let isReported = until { sensor.problem() != nil }
    #expect(isReported)
    #expect(sensor.source() == nil)
    #expect(sensor.problem()?.hasPrefix("no gpsd at 127.0.0.1:1 (") == true)
  }

  @Test("sends six sensors to their addresses, each by its own rules")
  func six() throws {
    let rig = try rig(
      """
      statistics = 0
      [accel]
      source = sim:tilt
      [accel still]
      source = sim:still
      dead-band = 0.01
      [gyro]
      source = sim:turn
      rate = 10
      stamped = yes
      [magnet]
      source = sim:north
      address = /north
      [touch]
      source = sim:circle
      [buttons]
      source = sim:steps
      """)
    rig.play(until: 10, in: run)
    rig.stop()
    func count(_ address: String) -> Int { network.messages.filter { $0.address == address }.count }
    #expect(count("/momu/accel") == 1001)
    #expect(count("/momu/accel/still") == 1)
    #expect((100...102).contains(count("/momu/gyro")))
    #expect(count("/north") == 501)
    #expect(count("/momu/touch") > 100)
    // The last message is the release of the button that is pressed at the stop.
    #expect(count("/momu/button") == 82)
    let stamps = network.state.withLock {
      $0.sent.filter { $0.message.address == "/momu/gyro" }.map(\.measured)
    }
    #expect(stamps.allSatisfy { $0 != nil })
    #expect(network.state.withLock { $0.sent.allSatisfy { $0.target == "pc.local:9000" } })
  }

  @Test("logs an hour without network once, and continues afterwards without help")
  func hourWithoutNetwork() throws {
    let rig = try rig("[accel]\nsource = sim:tilt\nrate = 1\n")
    rig.play(until: 10, in: run)
    network.state.withLock { $0.isUp = false }
    rig.play(until: 3610, in: run)
    let before = network.messages.count
    network.state.withLock { $0.isUp = true }
    rig.play(until: 3620, in: run)
    let log = logged.withLock { $0 }
    rig.stop()
    // A message that could not be sent is not sent later, since it would be old.
    #expect((10...14).contains(network.messages.count - before))
    #expect(
      log == [
        "pc.local:9000 is not reached: this machine has no route to it: check the cable or Wi-Fi (ip address shows "
          + "its networks)",
        "pc.local:9000 is reached again, 3600 s after the last contact.",
      ])
  }

  @Test("looks up an unknown name until the network knows it, and delays nothing else")
  func names() throws {
    network.state.withLock { $0.knowsNames = false }
    let rig = try rig("[accel]\nsource = sim:tilt\nrate = 10\n")
    rig.play(until: 30, in: run)
    #expect(network.messages.isEmpty)
    network.state.withLock { $0.knowsNames = true }
    rig.play(until: 32, in: run)
    let count = network.messages.filter { $0.address == "/momu/accel" }.count
    #expect((1...22).contains(count))
    rig.stop()
  }

  @Test("statistics report the readings, the messages sent and the messages lost")
  func statistics() throws {
    let rig = try rig("statistics = 10\n[accel]\nsource = sim:tilt\nrate = 50\n[gyro]\n")
    network.state.withLock { $0.isUp = false }
    rig.play(until: 5, in: run)
    network.state.withLock { $0.isUp = true }
    rig.play(until: 10.001, in: run)
    rig.stop()
    let said = network.messages.filter { $0.address == "/momu/rig" }
    #expect(said.count == 1)
    let values = said.first?.arguments ?? []
    #expect(values.first == .string("pi") && values.dropFirst().first == .float(10))
    let (sent, unsent) = (values.dropFirst(2).first?.number ?? 0, values.last?.number ?? 0)
    #expect(abs(sent - 250) <= 3 && abs(unsent - 250) <= 3)
    let sensors = network.messages.filter { $0.address == "/momu/rig/sensor" }.map(\.arguments)
    #expect(sensors.count == 2)
    #expect(sensors.first?[1] == .string("accel") && sensors.first?[2] == .string("sim:tilt"))
    // There is no gyroscope here. The rig waits for it, and no other source replaces it.
    #expect(sensors.last == [.string("pi"), .string("gyro"), .string(""), .int64(0), .int64(0), .float(-1)])
  }

  @Test("reports a sensor that cannot be read once with its line, and runs the others")
  func unreadable() throws {
    let rig = try rig("[accel]\nsource = tape:/nowhere.osc\n[gyro]\nsource = sim:turn\n")
    rig.play(until: 1000, in: run)
    #expect(
      logged.withLock { $0 } == [
        "rig.conf:3: cannot read the tape /nowhere.osc: No such file or directory; check the path, or record one with "
          + "momu osc record /nowhere.osc; the rig tries again"
      ])
    #expect(network.messages.filter { $0.address == "/momu/gyro" }.count > 1000)
    let problem = network.messages.last { $0.address == "/momu/rig/problem" }
    #expect(problem?.arguments.prefix(2) == [.string("pi"), .int32(3)])
    #expect(
      rig.status.hasPrefix("1 of 2 sensors read, 1 of 1 target reached; 1 problem: rig.conf:3: cannot read"))
    rig.stop()
  }

  @Test("the status has the reason why a sensor waits, also if it changed after the start")
  func reason() throws {
    let kind = AnySensorKind(
      SensorKind<ChannelReading>(
        option: "fake", noun: "a fake",
        rows: [
          SensorRow(
            "fake", forms: ["fake:1"], folder: "/proc/self/fdinfo", worksOffline: true, devices: { [] },
            open: { _, opening in
              throw opening.run.clock.now < HostTime(seconds: 5)
                ? SensorError.noDevice(path: "/dev/fake", advice: "plug it in")
                : SensorError.noPermission(path: "/dev/fake")
            })
        ],
        standIn: { _, _ in throw SensorError.other("") }))
    var reading = RigReader.reading(
      "[rig]\nto = pc.local:9000\n[sensor]\nsource = sim:wave\n", file: "rig.conf")
    reading.configuration.streams[0].kind = kind
    reading.configuration.streams[0].source = "fake:1"
    let rig = Rig(reading, machine: "pi", in: run, on: network, log: log)
    rig.resolver.update()
    try rig.start()
    let counts = "0 of 1 sensor read, 1 of 1 target reached; 1 problem: rig.conf:3: "
    #expect(rig.status == counts + "no device /dev/fake: plug it in")
    rig.play(until: 30, in: run)
    #expect(rig.status.hasPrefix(counts + "no access to /dev/fake"))
    let problem = network.messages.last { $0.address == "/momu/rig/problem" }
    #expect(problem?.arguments.last?.text?.hasPrefix("no access to /dev/fake") == true)
    rig.stop()
  }

  @Test("reports a channel that never arrives once, with those that do, but not a late channel")
  func wrongChannel() throws {
    let stream = try RigReader.read(
      "[sensor light]\nto = a:9\nsource = serial:/dev/ttyACM0\nchannel = nob", file: ""
    ).streams[0]
    let sender = StreamSender(stream, to: [], log: log)
    func receive(_ channel: String, _ second: Int) {
      sender.handle([.string(channel), .float(1)], at: HostTime(seconds: Double(second)))
    }
    for second in 0..<10 { receive(second == 4 ? "tilt" : "knob", second) }
    #expect(logged.withLock { $0.isEmpty })
    for second in 10..<100 { receive("knob", second) }
    #expect(
      logged.withLock { $0 } == [
        "[sensor light] sends nothing: serial:/dev/ttyACM0 has no channel nob: did you mean knob? Use knob or tilt"
      ])
    #expect(sender.counts.readings == 0)
    let late = StreamSender(stream, to: [], log: log)
    late.handle([.string("nob"), .float(1)], at: .zero)
    for second in 0..<100 {
      late.handle([.string("knob"), .float(1)], at: HostTime(seconds: Double(second)))
    }
    #expect(logged.withLock { $0.count } == 1)
  }

  @Test("sends only the number of a channel that has its own address")
  func channel() throws {
    let sender = StreamSender(
      try RigReader.read(
        "[sensor knob]\nto = a:9\nsource = serial:/dev/ttyACM0\nchannel = knob\naddress = /knob\ndead-band = 0.1",
        file: ""
      )
      .streams[0], to: [found("a:9")])
    for (n, value) in [Float(0.5), 0.55, 0.9].enumerated() {
      sender.handle([.string("knob"), .float(value)], at: HostTime(seconds: Double(n)))
      sender.handle([.string("light"), .float(value)], at: HostTime(seconds: Double(n)))
    }
    #expect(network.messages == [OSCMessage("/knob", [.float(0.5)]), OSCMessage("/knob", [.float(0.9)])])
    #expect(sender.counts.readings == 3 && sender.counts.messages == 2)
  }

  private func found(_ name: String) -> RigTarget {
    let target = RigTarget(name, on: network, now: .zero, log: log)
    target.update(now: .zero)
    return target
  }

  @Test("reports a hung thread after thirty seconds without service of the inputs, and not before")
  func hangs() throws {
    let rig = try rig("statistics = 0\n[accel]\nsource = sim:still\n")
    for second in 0..<100 {
      rig.play(until: Double(second), in: run)
      #expect(!rig.hangs())
    }
    var seconds = 0
    while seconds < 100, !rig.hangs() {
      run.frameClock?.advance(frames: 48_000)
      seconds += 1
    }
    #expect((29...31).contains(seconds))
    rig.stop()
  }

  @Test("names the source that the thread is reading, and none between readings")
  func sourceThatHangs() throws {
    /// A source that calls a function at each reading.
    final class Source: EventTimer {
      let name = "slow:1"
      let nextTime: HostTime? = .zero
      private let read: @Sendable () -> Void

      init(_ read: @escaping @Sendable () -> Void) { self.read = read }

      func service(until now: HostTime) { read() }
    }
    let found = Locked<[String?]>([])
    try run.input.add(Source { [run] in found.withLock { $0.append(run.input.inService) } }) { _ in }
    run.input.service(until: .zero)
    #expect(found.withLock { $0 } == ["slow:1"])
    #expect(run.input.inService == nil)
  }

  /// The number that `Tests/Long/rig` sets, or a tenth of it.
  private var many: Int { getenv("MOMU_RIG_READINGS").flatMap { Int(String(cString: $0)) } ?? 1_000_000 }

  // The memory is measured in a separate process, since other tests in the same process would add to it.
  @Test("uses no more memory after millions of readings than after a thousand")
  func memory() async {
    await #expect(processExitsWith: .success) { try RigTests().playReadings() }
  }

  private func playReadings() throws {
    let sender = StreamSender(
      try RigReader.read("[gyro]\nto = a:9\nrate = 1\ndead-band = 5\nsmooth = 0.1", file: "").streams[0],
      to: [found("a:9")])
    network.state.withLock { $0.isKept = false }
    func play(_ range: Range<Int>) {
      for n in range {
        let time = HostTime(seconds: Double(n) * 0.01)
        sender.handle([.float(Float(n % 7)), .float(0), .float(0)], at: time)
        if let next = sender.nextTime, next <= time { sender.service(until: time) }
      }
    }
    play(0..<1000)
    let before = resident
    play(1000..<many)
    #expect(resident - before < 2 << 20)
    #expect(sender.counts.readings == many)
  }

  @Test(
    "uses no more memory after thirty days, with an hour without network each, than after one day"
  )
  func month() async {
    await #expect(processExitsWith: .success) { try RigTests().playMonth() }
  }

  private func playMonth() throws {
    let target = found("pc.local:9")
    let sender = StreamSender(
      try RigReader.read("[gyro]\nto = a:9\nrate = 0.5\ndead-band = 0.1\nrepeat = 60", file: "").streams[0],
      to: [target])
    network.state.withLock { $0.isKept = false }
    var before = 0
    for second in 0..<30 * 86_400 {
      let now = HostTime(seconds: Double(second))
      if second % 86_400 == 0 { network.state.withLock { $0.isUp = false } }
      if second % 86_400 == 3600 { network.state.withLock { $0.isUp = true } }
      if second == 86_400 { before = resident }
      if sender.isDue(at: now) { sender.service(until: now) }
      sender.handle([.float(Float(second / 10 % 10)), .float(0), .float(0)], at: now)
      target.update(now: now)
    }
    #expect(resident - before < 2 << 20)
    // The network is lost and found again, once a day.
    #expect(logged.withLock { $0.count } == 60)
    let counts = target.counts
    #expect(counts.messages - counts.lost > 23 * 360 * 29 && counts.lost >= 30 * 360)
  }

  /// The memory of the process, in bytes.
  private var resident: Int {
    guard let text = WholeFile.text(of: "/proc/self/statm") else { return 0 }
    return (Int(text.split(separator: " ")[1]) ?? 0) * 4096
  }
}

@Suite("Notifications to systemd")
struct ServiceManagerTests {
  @Test(
    "sends a line to the named socket, in a folder or abstract",
    arguments: ["/tmp/momu-notify-", "@momu-notify-"])
  func notify(_ prefix: String) {
    let name = "\(prefix)\(getpid())-\(UInt32.random(in: 0 ... .max))"
    defer { unlink(name) }
    let file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(file) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var path = Array(name.utf8)
    if path[0] == 0x40 { path[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(file, $0, socklen_t(MemoryLayout<sa_family_t>.size + path.count))
      }
    }
    #expect(bound == 0)
    let manager = ServiceManager(environment: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "30000000"])
    #expect(manager.timeout == 30)
    #expect(manager.notify("READY=1\nSTATUS=reading"))
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = recv(file, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "READY=1\nSTATUS=reading")
  }

  @Test("sends nothing without systemd, and ignores another process's watchdog")
  func nobody() {
    #expect(!ServiceManager(environment: [:]).notify("READY=1"))
    #expect(!ServiceManager(environment: ["NOTIFY_SOCKET": "/nowhere/socket"]).notify("READY=1"))
    #expect(ServiceManager(environment: ["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"]).timeout == nil)
  }
}
