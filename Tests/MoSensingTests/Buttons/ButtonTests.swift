import CEvdev
import Glibc
import MoCore
import MoOSC
import MoRuntime
import MoSensing
import Testing

@Suite("Buttons")
struct ButtonTests {
  private func event(_ type: Int32, _ code: Int32, _ value: Int32) -> EvdevDevice.Event {
    EvdevDevice.Event(type: type, code: code, value: value, time: HostTime(seconds: 1))
  }

  @Test("a key press and release are reported, its repetition is not; names and numbers are the kernel's")
  func keys() {
    var decoder = ButtonDecoder()
    // linux/input-event-codes.h: EV_KEY 1, KEY_A 30, BTN_SOUTH 0x130.
    #expect(decoder.decode(event(1, 30, 1)).map(\.name) == ["KEY_A"])
    #expect(decoder.decode(event(1, 30, 2)).isEmpty)
    #expect(decoder.decode(event(1, 30, 1)).isEmpty)
    #expect(decoder.decode(event(1, 0x130, 1)).map(\.name) == ["BTN_SOUTH"])
    #expect(decoder.decode(event(1, 30, 0)).map(\.isPressed) == [false])
    #expect(decoder.decode(event(1, 30, 0)).isEmpty)
    #expect(decoder.release(at: .zero).map(\.name) == ["BTN_SOUTH"])
    #expect(decoder.release(at: .zero).isEmpty)
  }

  @Test("a directional pad is four buttons, and releases one end before it presses the other")
  func cross() {
    var decoder = ButtonDecoder()
    // ABS_HAT0X 0x10, -1 left, 1 right.
    #expect(decoder.decode(event(3, 0x10, -1)).map(\.name) == ["BTN_DPAD_LEFT"])
    let over = decoder.decode(event(3, 0x10, 1))
    #expect(
      over.map(\.name) == ["BTN_DPAD_LEFT", "BTN_DPAD_RIGHT"] && over.map(\.isPressed) == [false, true])
    #expect(decoder.decode(event(3, 0x10, 0)).map(\.isPressed) == [false])
    #expect(decoder.decode(event(3, 0x11, -1)).map(\.name) == ["BTN_DPAD_UP"])
  }

  @Test("a button that is held when the device is opened is reported as pressed, then as released")
  func found() {
    var decoder = ButtonDecoder()
    // KEY_A 30, BTN_TOUCH 0x14a, ABS_HAT0Y 0x11.
    let down: [Int32: [Int32: Int32]] = [1: [30: 1, 0x14A: 1], 3: [0x11: 1]]
    let found = decoder.find(at: HostTime(seconds: 2)) { down[$0]?[$1] ?? 0 }
    #expect(found.map(\.name) == ["KEY_A", "BTN_DPAD_DOWN"] && found.allSatisfy { $0.isPressed })
    #expect(found.allSatisfy { $0.time == HostTime(seconds: 2) })
    #expect(decoder.decode(event(1, 30, 0)).map(\.isPressed) == [false])
    #expect(decoder.decode(event(3, 0x11, 0)).map(\.name) == ["BTN_DPAD_DOWN"])
  }

  @Test("a finger on a touch pad is not a button")
  func touch() {
    var decoder = ButtonDecoder()
    // BTN_TOUCH 0x14a, BTN_TOOL_FINGER 0x145.
    #expect(decoder.decode(event(1, 0x14A, 1)).isEmpty && decoder.decode(event(1, 0x145, 1)).isEmpty)
  }

  @Test("a button survives its OSC message; an unknown name is refused")
  func names() throws {
    let button = Button(time: .zero, code: 0x130, isPressed: true)
    #expect(button.arguments == [.string("BTN_SOUTH"), .int32(1)])
    #expect(Button(time: .zero, arguments: button.arguments) == button)
    #expect(Button(time: .zero, arguments: [.string("BTN_NOWHERE"), .int32(1)]) == nil)
    #expect(Button(time: .zero, arguments: [.string("KEY_A"), .bool(false)])?.isPressed == false)
    let error = #expect(throws: SensorError.self) { try MoButtons.on("south") { _ in } }
    #expect(
      error?.description
        == "no button is called \"south\": use a name of linux/input-event-codes.h, such as BTN_SOUTH or KEY_A"
    )
  }

  @Test("recognises pads and pedals, but not keyboards, by their properties in sysfs")
  func traits() {
    // BTN_SOUTH 0x130 is bit 48 of the fifth word.
    #expect(EvdevTraits(keys: "7fdb000000000000 0 0 0 0").isPad)
    #expect(
      !EvdevTraits(title: "A keyboard", keys: "402000000 3803078f800d001 feffffdfffefffff fffffffffffffffe")
        .isPad)
    #expect(EvdevTraits(title: "USB Foot Pedal", keys: "40000000").isPad)
  }

  @Test("never skips a press or release, whatever the update interval")
  func thinned() {
    let server = SensorServer<Button>(.buttons)
    server.pace.interval = 1
    let heard = Collected<Button>()
    server.callbacks.add { heard.add($0) }
    for step in 0..<4 {
      server.receive(Button(time: HostTime(nanoseconds: Int64(step)), code: 30, isPressed: step % 2 == 0))
    }
    #expect(heard.all.count == 4)
  }

  @Test("sim:steps presses four buttons in turn; its tape gives the same")
  func simulated() throws {
    let path = "/tmp/momu-buttons-\(getpid())-\(UInt32.random(in: 0 ... .max)).osc"
    defer { unlink(path) }
    func buttons(_ source: String, _ run: Run) throws -> [Button] {
      let server = SensorServer<Button>(.buttons)
      let heard = Collected<Button>()
      server.callbacks.add { heard.add($0) }
      try server.start(source: source, in: run)
      play(run, seconds: 0.9)
      server.stop()
      return heard.all
    }
    let first = try buttons("sim:steps", offlineRun { $0.recordTape = path })
    #expect(first.filter(\.isPressed).map(\.name) == ["BTN_SOUTH", "BTN_EAST", "BTN_NORTH", "BTN_WEST"])
    #expect(try buttons("tape:\(path)", offlineRun()) == first)
  }
}
