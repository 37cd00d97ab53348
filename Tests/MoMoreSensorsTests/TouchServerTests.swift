import Glibc
import MoRealTime
import MoTime
import Testing

@testable import MoMoreSensors
@testable import MoProgram
@testable import MoSensors

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

  @Test("sim:chord: three come one after the other and are lifted in one moment; they are told in that order")
  func chord() throws {
    let changes = try changes("sim:chord", seconds: 1.4)
    #expect(changes.map { $0.fingers.map(\.id) } == [[1], [1, 2], [1, 2, 3], []])
    #expect(changes.last?.changed.map(\.phase) == [.ended, .ended, .ended])
    #expect(changes.last?.time == HostTime(seconds: 1))
  }

  @Test("what is attached to a finger is there until its last event is over")
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
      server.take(Touch(time: .zero, id: 5, phase: phase, x: 0, y: 0))
    }
    #expect(seen.all == ["voice 5", "voice 5", "voice 5"])
    #expect(server.attached(to: 5) == nil)
    server.attach("late", to: 5)
    #expect(server.attached(to: 5) == nil)
  }

  @Test("a recorded tape gives the same changes")
  func tape() throws {
    let path = "/tmp/momu-touch-\(getpid())-\(UInt32.random(in: 0 ... .max)).osc"
    defer { unlink(path) }
    let first = try changes("sim:chord", seconds: 5.9, offlineRun { $0.recordTape = path })
    let second = try changes("tape:\(path)", seconds: 5.9)
    #expect(first.count == 16)
    #expect(first == second)
  }

  @Test("a tape that ends with fingers down lifts them")
  func tapeEnds() throws {
    let path = "/tmp/momu-touch-\(getpid())-\(UInt32.random(in: 0 ... .max)).osc"
    defer { unlink(path) }
    // Until the three are down; stopping cancels them, but no more on the tape.
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

  @Test("a finger lifted that never came is no news, and one that moves without having come, comes")
  func lostMessages() {
    let server = TouchServer()
    let heard = Collected<TouchChange>()
    server.callbacks.add { heard.add($0) }
    server.take(Touch(time: .zero, id: 3, phase: .ended, x: 0, y: 0))
    #expect(heard.all.isEmpty)
    server.take(Touch(time: .zero, id: 3, phase: .moved, x: 0, y: 0))
    #expect(heard.all.map { $0.changed.map(\.phase) } == [[.began]])
  }

  @Test("a device's settings are read, and what is none is refused with what there is")
  func settings() throws {
    let path = try EvdevPath("/dev/input/event3?grab&rotate=270", "touch")
    #expect(path.path == "/dev/input/event3" && path.isGrabbed && path.quarters == 3)
    #expect(try EvdevPath("/dev/input/event3", "touch").isGrabbed == false)
    let error = #expect(throws: SensorError.self) { try EvdevPath("/dev/input/event3?rotate=45", "touch") }
    #expect(
      error?.description
        == "\"rotate=45\" is nothing that --touch evdev:PATH takes: use ?grab, ?rotate=90, 180 or 270, or both: "
        + "?grab&rotate=90")
  }

  @Test("sysfs tells screens, pads and mice")
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
