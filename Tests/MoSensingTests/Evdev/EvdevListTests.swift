import Testing

@testable import MoSensing

@Suite("Names of input devices")
struct EvdevListTests {
  @Test("a name finds its device with and without white space at its ends")
  func names() {
    let pads = ["Pad", "USB  Joystick"].enumerated().map { index, title in
      EvdevTraits(path: "/dev/input/event\(index)", title: title)
    }
    for name in ["USB  Joystick", "USB  Joystick  ", " USB  Joystick"] {
      #expect(EvdevList.path(of: name, among: pads) == "/dev/input/event1")
    }
    #expect(EvdevList.path(of: "USB Joystick", among: pads) == "USB Joystick")
  }
}
