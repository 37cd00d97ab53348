import CEvdev
import Testing

@testable import MoSensing

@Suite("The axes of an input device as channels")
struct EvdevAxesTests {
  @Test("a stick ranges from -1 to 1, a trigger from 0 to 1")
  func axes() {
    // As xpad describes a stick, and as hid-playstation describes all its axes.
    let wide = input_absinfo(value: 0, minimum: -32_768, maximum: 32_767, fuzz: 16, flat: 128, resolution: 0)
    #expect(EvdevAxes.part(-32_768, wide, true) == -1 && EvdevAxes.part(32_767, wide, true) == 1)
    #expect(abs(EvdevAxes.part(0, wide, true)) < 1e-4)
    let byte = input_absinfo(value: 0, minimum: 0, maximum: 255, fuzz: 0, flat: 0, resolution: 0)
    #expect(abs(EvdevAxes.part(128, byte, true)) < 0.01)
    #expect(EvdevAxes.part(0, byte, false) == 0 && EvdevAxes.part(255, byte, false) == 1)
    #expect(EvdevAxes.part(999, byte, false) == 1)
  }

  @Test("the code of a pad's axis decides whether it is a stick or a trigger, with or without a dead zone")
  func centredAxes() {
    let byte = input_absinfo(value: 0, minimum: 0, maximum: 255, fuzz: 0, flat: 0, resolution: 0)
    // As hid-generic describes an axis of a pad.
    let flat = input_absinfo(value: 0, minimum: 0, maximum: 255, fuzz: 0, flat: 15, resolution: 0)
    let stick = input_absinfo(value: 0, minimum: 0, maximum: 65_535, fuzz: 255, flat: 4095, resolution: 0)
    let trigger = input_absinfo(value: 0, minimum: 0, maximum: 1023, fuzz: 3, flat: 63, resolution: 0)
    func isCentred(
      _ code: Int32, _ axis: input_absinfo, key: Int32? = nil, rightStick: Bool = true,
      all: input_absinfo? = nil
    ) -> Bool {
      EvdevAxes.isCentred(
        code, axis,
        { type, code in type == EV_KEY ? code == key : type == EV_ABS && code == ABS_RX && rightStick },
        { code in all ?? (code == ABS_Z || code == ABS_RZ ? trigger : stick) })
    }
    for axis in [byte, flat, stick] {
      #expect([ABS_X, ABS_Y, ABS_RX, ABS_RY].allSatisfy { isCentred($0, axis, key: BTN_GAMEPAD) })
      #expect([ABS_X, ABS_Y].allSatisfy { isCentred($0, axis, key: BTN_JOYSTICK) })
      #expect(![ABS_GAS, ABS_BRAKE].contains { isCentred($0, axis, key: BTN_GAMEPAD) })
      #expect(!isCentred(ABS_THROTTLE, axis, key: BTN_JOYSTICK))
    }
    for (axis, all) in [(byte, byte), (trigger, nil)] as [(_, input_absinfo?)] {
      #expect(![ABS_Z, ABS_RZ].contains { isCentred($0, axis, key: BTN_GAMEPAD, all: all) })
    }
    // The DualShock's layout in hid-generic.
    let sticks = [ABS_X, ABS_Y, ABS_Z, ABS_RZ]
    #expect(sticks.allSatisfy { isCentred($0, flat, key: BTN_GAMEPAD, all: flat) })
    #expect(![ABS_RX, ABS_RY].contains { isCentred($0, flat, key: BTN_GAMEPAD, all: flat) })
    #expect([ABS_Z, ABS_RZ].allSatisfy { isCentred($0, flat, key: BTN_GAMEPAD, rightStick: false) })
    // The twist of a joystick, and a tablet's pen.
    #expect(isCentred(ABS_RZ, flat, key: BTN_JOYSTICK) && !isCentred(ABS_X, byte))
  }
}
