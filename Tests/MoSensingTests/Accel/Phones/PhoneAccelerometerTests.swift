import MoCore
import MoNetwork
import MoOSC
import MoRuntime
import Synchronization
import Testing

@testable import MoSensing

@Suite("A phone as the accelerometer")
struct PhoneAccelerometerTests {
  /// A source on a loop driven by hand, and its readings and events.
  private final class Harness: @unchecked Sendable {
    // Unchecked: the test's own thread drives it all.
    let loop = EventLoop(clock: ManualClock(), isDriven: true)
    private(set) var readings: [AccelReading] = []
    private(set) var said: [String] = []
    let inbox: PhoneInbox

    init() throws {
      let phone = Hole()
      let source = PhoneAccelerometer(
        name: "net", start: .zero, port: { 6449 }, deliver: { phone.harness?.readings.append($0) },
        notify: { event in
          switch event {
          case .using(let name): phone.harness?.said.append("Reading \(name).")
          case .lost(_, let reason): phone.harness?.said.append(reason)
          case .recordingEnded: break
          }
        }, notice: { phone.harness?.said.append($0) })
      inbox = source.inbox
      nonisolated(unsafe) let handed = source
      try loop.add(handed) { _ in }
      phone.harness = self
    }

    private final class Hole: @unchecked Sendable {
      // Unchecked, like its owner.
      weak var harness: Harness?
    }

    /// Makes a message arrive at a number of seconds.
    func send(
      _ message: OSCMessage, from host: String = "192.168.0.23", at seconds: Double, tag: Double? = nil
    ) {
      let arrival = HostTime(seconds: seconds)
      inbox.add(message, from: host, time: tag.map { HostTime(seconds: $0) } ?? arrival, arrival: arrival)
      loop.service(until: arrival)
    }

    func pass(to seconds: Double) {
      let end = HostTime(seconds: seconds)
      while let next = loop.nextTime, next <= end { loop.service(until: next) }
    }
  }

  private let flat = message("/ZIGSIM/a/gravity", 0, 0, -1)
  private let still = message("/ZIGSIM/a/accel", 0, 0, 0)

  @Test("reports the first packet, and delivers its readings with their times")
  func first() throws {
    let harness = try Harness()
    harness.send(still, at: 1)
    #expect(harness.said == ["Reading a phone with ZIG SIM at 192.168.0.23."])
    harness.send(flat, at: 1)
    #expect(harness.readings == [AccelReading(time: HostTime(seconds: 1), x: 0, y: 0, z: 1)])
  }

  @Test("uses a time tag, unless the phone's clock is behind")
  func tags() throws {
    let harness = try Harness()
    let reading = message("/momu/accel", 0, 0, 1)
    harness.send(reading, at: 1, tag: 0.9)
    harness.send(reading, at: 2, tag: 2)
    harness.send(reading, at: 3, tag: -100)
    // The network holds it back until its time.
    harness.send(reading, at: 3, tag: 3.5)
    let times = harness.readings.map(\.time.seconds).filter { [0.9, 2, 3, 3.5].contains($0) }
    #expect(times.contains(0.9) && times.contains(2) && times.contains(3) && times.last == 3.5)
    #expect(!harness.readings.contains { $0.time < .zero })
  }

  @Test("a rig whose clock is ahead is silent only five seconds after its last delivered message")
  func clockAhead() throws {
    let harness = try Harness()
    for step in 0..<10 {
      let arrival = HostTime(seconds: 2 + Double(step) / 100)
      let tag = arrival.advanced(bySeconds: 8)
      harness.inbox.add(message("/momu/accel", 0, 0, 1), from: "a", time: tag, arrival: arrival)
      harness.loop.service(until: tag)
    }
    #expect(harness.said.count == 1)
    harness.pass(to: 15)
    #expect(harness.said.count == 1)
    harness.pass(to: 15.1)
    #expect(harness.said.count == 2)
  }

  @Test("informs the user after five seconds without a reading, and when the phone is back")
  func silence() throws {
    let harness = try Harness()
    harness.send(message("/accxyz", 0, 0, -1), at: 1)
    harness.pass(to: 5.9)
    #expect(harness.said.count == 1)
    harness.pass(to: 100)
    harness.send(message("/accxyz", 0, 0, -1), at: 100)
    #expect(
      harness.said == [
        "Reading a phone with TouchOSC at 192.168.0.23.",
        "The phone with TouchOSC at 192.168.0.23 is silent: is its screen locked, or its Wi-Fi gone?",
        "Reading the phone with TouchOSC at 192.168.0.23 again.",
      ])
  }

  @Test("comes to rest if a phone becomes silent while it is shaken")
  func held() throws {
    let harness = try Harness()
    harness.send(message("/accxyz", 0, 0, -1), at: 0.99)
    harness.send(message("/accxyz", -3, 0, -1), at: 1)
    harness.pass(to: 4)
    #expect(harness.readings.count > 10)
    #expect(harness.readings.dropFirst().allSatisfy { $0.x == 3 && $0.z == 1 })
  }

  @Test("names other phones in one report")
  func others() throws {
    let harness = try Harness()
    harness.send(message("/accxyz", 0, 0, -1), from: "a", at: 0)
    harness.send(message("/accxyz", 0, 0, -1), from: "b", at: 0)
    harness.send(message("/accelerometer", 0, 0, 9.8), from: "c", at: 0.1)
    harness.pass(to: 2)
    #expect(
      harness.said.last
        == "TouchOSC at b, Sensors2OSC at c send, too; MoMu reads the next phone when the present phone is "
        + "silent for two seconds.")
  }

  @Test("after twenty seconds without useful messages, the user gets a hint at the cause")
  func hints() throws {
    let nothing = try Harness()
    nothing.pass(to: 60)
    #expect(
      nothing.said == [
        "No message has arrived on port 6449 yet: is the phone on the same network, does it send to this machine's "
          + "address, and does the firewall here let the port in?"
      ])
    let faders = try Harness()
    faders.send(message("/1/fader1", 0.5), at: 3)
    faders.pass(to: 60)
    #expect(
      faders.said == [
        "Messages arrive on port 6449, but none from an accelerometer: switch it on in TouchOSC's options, ZIG SIM's "
          + "ACCEL and GRAVITY, or Sensors2OSC's accelerometer."
      ])
  }

  @Test("the address to type is one line, with a code if there is a terminal for it")
  func waiting() throws {
    let line =
      "Waiting for a phone. In TouchOSC, ZIG SIM or Sensors2OSC type host 192.168.0.5, port 6449."
    #expect(PhoneText.waiting(hosts: ["192.168.0.5"], port: 6449, columns: nil) == line)
    #expect(PhoneText.waiting(hosts: ["192.168.0.5"], port: 6449, columns: 28) == line)
    #expect(
      PhoneText.waiting(hosts: ["192.168.0.5", "10.0.0.7"], port: 6449, columns: nil)
        == line.replacing("0.5,", with: "0.5 (or 10.0.0.7),"))
    let code = try #require(QRCode("192.168.0.5:6449"), "libqrencode is needed: \(QRCode.advice)")
    #expect(
      PhoneText.waiting(hosts: ["192.168.0.5"], port: 6449, columns: 80)
        == ([line] + QRPicture.lines(code)).joined(separator: "\n"))
    #expect(
      PhoneText.waiting(hosts: [], port: 6449, columns: 80)
        == "Waiting for a phone on port 6449, but this machine is on no network: connect it to the phone's "
        + "Wi-Fi.")
  }

  @Test("lists Wi-Fi's address first, and a container's only if there is no other")
  func hosts() throws {
    let any = try #require(NetInterface.all().last)
    func interface(_ name: String, _ address: String, _ set: (inout NetInterface) -> Void = { _ in })
      -> NetInterface
    {
      var one = any
      (one.name, one.addresses) = (name, [address, "fe80::1%\(name)"])
      (one.isUp, one.isLoopback, one.isWireless, one.isVirtual) = (true, false, false, false)
      set(&one)
      return one
    }
    let loop = interface("lo", "127.0.0.1") { $0.isLoopback = true }
    let bridge = interface("docker0", "172.17.0.1") { $0.isVirtual = true }
    let cable = interface("eth0", "10.0.0.7")
    let radio = interface("wlan0", "192.168.0.5") { $0.isWireless = true }
    let down = interface("wlan1", "192.168.1.5") { $0.isUp = false }
    #expect(PhoneListening.hosts(of: [loop, bridge, cable, radio, down]) == ["192.168.0.5", "10.0.0.7"])
    #expect(PhoneListening.hosts(of: [loop, bridge]) == ["172.17.0.1"])
    #expect(PhoneListening.hosts(of: [loop, down]) == [])
  }

  @Test("--accel net accepts a port, and nothing else")
  func target() throws {
    let opening = SensorOpenContext<AccelReading>(
      option: "accel", noun: "an accelerometer", forms: [], offlineForms: [], advice: { "" },
      run: Run(RunOptions()),
      deliver: { _ in },
      notify: { _ in })
    #expect(try SensorPort.read(nil, opening) == nil)
    #expect(try SensorPort.read("8000", opening) == 8000)
    for (name, text) in [
      ("net:", "\"\" is not a port number for --accel net: use 1 to 65535, such as net:6449"),
      ("net:phone", "\"phone\" is not a port number for --accel net: use 1 to 65535, such as net:6449"),
      ("net:70000", "\"70000\" is not a port number for --accel net: use 1 to 65535, such as net:6449"),
    ] {
      let error = #expect(throws: AccelError.self) {
        try SensorPort.read(String(name.dropFirst(4)), opening)
      }
      #expect(error?.description == text)
    }
    #expect(throws: AccelError.unknownLayout("midi")) { try PhoneLayout(named: "midi") }
    #expect(
      AccelError.unknownLayout("midi").description
        == "unknown layout \"midi\": use touchosc, zigsim, sensors2osc or momu")
    #expect(try PhoneLayout(named: "ZIGSIM") == .zigSim)
  }
}
