import Glibc
import MoCore
import MoOSC
import MoRuntime
import MoSensing
import Testing

@Suite("The touch server")
struct TouchServerTests {
  private func changes(_ source: String, seconds: Double, _ run: Run = offlineRun()) throws -> [TouchChange] {
    let server = TouchServer()
    let heard = Collected<TouchChange>()
    server.callbacks.add { heard.add($0) }
    try server.start(source: source, in: run)
    play(run, seconds: seconds)
    server.stop()
    return heard.all
  }

  @Test("sim:chord puts down three fingers in turn, lifts them together, and reports them in that order")
  func chord() throws {
    let changes = try changes("sim:chord", seconds: 1.4)
    #expect(changes.map { $0.fingers.map(\.id) } == [[1], [1, 2], [1, 2, 3], []])
    #expect(changes.last?.changed.map(\.phase) == [.ended, .ended, .ended])
    #expect(changes.last?.time == HostTime(seconds: 1))
  }

  @Test("an attached value stays until after the finger's last event")
  func attached() {
    let server = TouchServer()
    let seen = Collected<String>()
    server.callbacks.add { change in
      for finger in change.changed {
        if finger.phase == .began { server.attach("voice \(finger.id)", to: finger.id) }
        seen.add(server.attached(to: finger.id) as? String ?? "nothing")
      }
    }
    for phase in [Touch.Phase.began, .moved, .ended] {
      server.receive(Touch(time: .zero, id: 5, phase: phase, x: 0, y: 0))
    }
    #expect(seen.all == ["voice 5", "voice 5", "voice 5"])
    #expect(server.attached(to: 5) == nil)
    server.attach("late", to: 5)
    #expect(server.attached(to: 5) == nil)
  }

  @Test("reports each change once, even if a callback stops the server")
  func stoppedInside() {
    let server = TouchServer()
    let heard = Collected<Touch.Phase>()
    server.callbacks.add { change in
      for finger in change.changed {
        heard.add(finger.phase)
        if finger.phase == .began { server.stop() }
      }
    }
    server.receive(Touch(time: .zero, id: 1, phase: .began, x: 1, y: 0))
    #expect(heard.all == [.began, .cancelled])
  }

  @Test("a recorded tape replays the same changes")
  func tape() throws {
    let path = "/tmp/momu-touch-\(getpid())-\(UInt32.random(in: 0 ... .max)).osc"
    defer { unlink(path) }
    let first = try changes("sim:chord", seconds: 5.9, offlineRun { $0.recordTape = path })
    let second = try changes("tape:\(path)", seconds: 5.9)
    #expect(first.count == 16)
    #expect(first == second)
  }

  @Test("lifts fingers that are down at the end of a tape")
  func tapeEnds() throws {
    let path = "/tmp/momu-touch-\(getpid())-\(UInt32.random(in: 0 ... .max)).osc"
    defer { unlink(path) }
    // Until the three are down; a stop cancels them, but no longer on the tape.
    let run = offlineRun { $0.recordTape = path }
    let server = TouchServer()
    try server.start(source: "sim:chord", in: run)
    play(run, seconds: 0.5)
    server.stop()
    #expect(server.fingers.isEmpty)
    let played = try changes("tape:\(path)", seconds: 5)
    #expect(played.map { $0.fingers.count } == [1, 2, 3, 0])
    #expect(played.last?.changed.map(\.phase) == [.cancelled, .cancelled, .cancelled])
  }

  @Test("ignores the lift of an unknown finger, and puts an unknown finger that moves down")
  func lostMessages() {
    let server = TouchServer()
    let heard = Collected<TouchChange>()
    server.callbacks.add { heard.add($0) }
    server.receive(Touch(time: .zero, id: 3, phase: .ended, x: 0, y: 0))
    #expect(heard.all.isEmpty)
    server.receive(Touch(time: .zero, id: 3, phase: .moved, x: 0, y: 0))
    #expect(heard.all.map { $0.changed.map(\.phase) } == [[.began]])
  }

  @Test("limits a sender that never lifts its fingers, or always announces more, to 64")
  func bounded() {
    let server = TouchServer()
    let heard = Collected<TouchChange>()
    server.callbacks.add { heard.add($0) }
    for id in Int32(1)...200 {
      server.receive(
        Touch(time: HostTime(seconds: Double(id)), id: id, phase: .began, x: 0, y: 0, hasMore: true))
    }
    #expect(server.fingers.map(\.id) == Array(137...200))
    let changed = heard.all.flatMap(\.changed)
    #expect(heard.all.allSatisfy { $0.changed.count <= 64 && $0.fingers.count <= 64 } && changed.count >= 200)
    // The fingers that were down longest were cancelled, each when a new one needed its room.
    let cancelled = changed.filter { $0.phase == .cancelled }
    #expect(cancelled.map(\.id) == Array(1...Int32(cancelled.count)) && cancelled.count > 100)
    #expect(cancelled.allSatisfy { $0.time == HostTime(seconds: Double($0.id + 64)) })
    for _ in 0..<1000 {
      server.receive(Touch(time: HostTime(seconds: 300), id: 200, phase: .moved, x: 0, y: 0, hasMore: true))
    }
    #expect(heard.all.count > 15 && heard.all.allSatisfy { $0.changed.count <= 64 })
  }

  @Test(
    "cancels a network finger after five seconds without news, but keeps a repeated one")
  func silent() throws {
    let heard = Collected<Touch>()
    let source = NetReadings<Touch>(port: nil, senderTimeout: HeldFingers(), deliver: { heard.add($0) })
    func receive(_ id: Int32, _ phase: Touch.Phase, at seconds: Double) throws {
      let time = HostTime(seconds: seconds)
      let touch = Touch(time: time, id: id, phase: phase, x: 0.25, y: 0.75)
      source.inbox.add(touch.arguments, from: "a", time: time, arrival: time)
      source.service(until: time)
    }
    try receive(1, .began, at: 0)
    try receive(2, .began, at: 0)
    try receive(3, .began, at: 0)
    try receive(1, .moved, at: 4)
    try receive(3, .ended, at: 4)
    #expect(source.nextTime == HostTime(seconds: 5))
    source.service(until: HostTime(seconds: 4.999))
    #expect(heard.all.count == 5)
    source.service(until: HostTime(seconds: 5))
    #expect(heard.all.last == Touch(time: HostTime(seconds: 5), id: 2, phase: .cancelled, x: 0.25, y: 0.75))
    for second in [8.0, 12, 16] { try receive(1, .moved, at: second) }
    #expect(heard.all.count == 9)
    source.service(until: HostTime(seconds: 21))
    #expect(heard.all.last?.phase == .cancelled && heard.all.count == 10)
    #expect(source.nextTime == nil)
  }

  @Test("reads the fingers of all hosts in the network")
  func hosts() throws {
    let heard = Collected<Touch>()
    let source = NetReadings<Touch>(port: nil) { heard.add($0) }
    for (host, id, seconds) in [("a", Int32(1), 0.0), ("b", 2, 0.5)] {
      let time = HostTime(seconds: seconds)
      for phase in [Touch.Phase.began, .ended] {
        let touch = Touch(time: time, id: id, phase: phase, x: 0, y: 0)
        source.inbox.add(touch.arguments, from: host, time: time, arrival: time)
      }
      source.service(until: time)
    }
    #expect(heard.all.map(\.id) == [1, 1, 2, 2])
  }

  @Test("lifts fingers that become silent together at the same moment, also for --touch net")
  func silentTogether() throws {
    var fingers = HeldFingers()
    for id in Int32(1)...3 {
      fingers.restart(for: Touch(time: .zero, id: id, phase: .began, x: 0, y: 0), at: .zero)
    }
    let given = fingers.giveUp(at: HostTime(seconds: 6))
    #expect(given.map(\.id) == [1, 2, 3] && given.map(\.hasMore) == [true, true, false])
    #expect(given.allSatisfy { $0.time == HostTime(seconds: 6) && $0.phase == .cancelled })
    for id in Int32(1)...100 {
      fingers.restart(for: Touch(time: .zero, id: id, phase: .began, x: 0, y: 0), at: .zero)
    }
    #expect(fingers.giveUp(at: HostTime(seconds: 6)).map(\.id) == Array(37...100))
    let run = offlineRun { $0.net = "none" }
    let error = #expect(throws: SensorError.self) { try TouchServer().start(source: "net", in: run) }
    #expect(error == .noNetwork(option: "touch"))
  }

  @Test("distinguishes neighbouring ids, however large")
  func ids() throws {
    for id in [Int32(1), 1_634_297_810, 1_634_297_811, .max] {
      let touch = Touch(time: .zero, id: id, phase: .moved, x: 0, y: 0)
      #expect(Touch(time: .zero, arguments: touch.arguments)?.id == id)
    }
    for id: OSCArgument in [.int32(-1), .double(2_147_483_648), .float(.nan), .double(1e300)] {
      var arguments = Touch(time: .zero, id: 1, phase: .moved, x: 0, y: 0).arguments
      arguments[0] = id
      #expect(Touch(time: .zero, arguments: arguments) == nil)
    }
  }

  @Test("reads a device's settings, and refuses unknown ones with those that exist")
  func settings() throws {
    let path = try EvdevPath("/dev/input/event3?grab&rotate=270", "touch")
    #expect(path.path == "/dev/input/event3" && path.isGrabbed && path.quarters == 3)
    #expect(try EvdevPath("/dev/input/event3", "touch").isGrabbed == false)
    let error = #expect(throws: SensorError.self) { try EvdevPath("/dev/input/event3?rotate=45", "touch") }
    #expect(
      error?.description
        == "unknown setting \"rotate=45\" for --touch evdev:PATH: use ?grab, ?rotate=90, 180 or 270, or both: "
        + "?grab&rotate=90")
  }

  @Test("recognises screens, pads and mice by their properties in sysfs")
  func traits() {
    // Bits of linux/input-event-codes.h: INPUT_PROP_DIRECT 1, ABS_MT_POSITION_X 0x35, BTN_TOUCH 0x14a, BTN_LEFT 0x110.
    let multitouch = "260800000000003"
    let touchKey = "400 0 0 0 0 0"
    #expect(EvdevTraits(properties: "2", axes: multitouch, keys: touchKey).isTouchScreen)
    let pad = EvdevTraits(properties: "5", axes: multitouch, keys: "e520 10000 0 0 0 0")
    #expect(!pad.isTouchScreen && pad.isTouchPad && !pad.isMouse)
    let mouse = EvdevTraits(keys: "70000 0 0 0 0", relative: "903")
    #expect(mouse.isMouse && !mouse.isTouchPad)
    #expect(!EvdevTraits(keys: "402000000 3803078f800d001 feffffdfffefffff fffffffffffffffe").isMouse)
  }
}
