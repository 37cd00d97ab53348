import CEvdev
import MoCore
import MoOSC

/// A press or release of a key, a pad's button or a pedal.
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes, except for `name`.
public struct Button: SensorReading {
  /// The OSC address on tapes and in the network; arguments `,si`: the name, 1 (pressed) or 0 (released).
  public static let address = "/momu/button"

  /// The value before the first measurement: a released button of code 0.
  public static var initial: Self { Self(time: .zero, code: 0, isPressed: false) }

  /// Whether readings may be skipped: false, since a press without its release would never end.
  public static let canBeThinned = false

  /// The time at which the kernel registered the press or release.
  public var time: HostTime
  /// The kernel's number of the button (linux/input-event-codes.h).
  public var code: UInt16
  /// Whether the button was pressed; false if it was released.
  public var isPressed: Bool

  /// Creates a button from the kernel's number.
  public init(time: HostTime, code: UInt16, isPressed: Bool) {
    self.time = time
    self.code = code
    self.isPressed = isPressed
  }

  /// The kernel's name of the button, such as `BTN_SOUTH` or `KEY_A`; its number if the button has no name.
  public var name: String {
    guard let name = libevdev_event_code_get_name(UInt32(EV_KEY), UInt32(code)) else { return "\(code)" }
    return String(cString: name)
  }

  /// Returns the kernel's number for a name, or for a number as text; nil if the name is unknown.
  public static func code(_ name: String) -> UInt16? {
    let code = libevdev_event_code_from_name(UInt32(EV_KEY), name)
    return code >= 0 ? UInt16(code) : UInt16(name)
  }

  /// Creates the reading from OSC arguments of types `,si`; nil if they are not a known button and a number.
  public init?(time: HostTime, arguments: [OSCArgument]) {
    guard arguments.count == 2, let name = arguments[0].text, let code = Button.code(name) else { return nil }
    switch arguments[1] {
    case .bool(let isPressed): self.init(time: time, code: code, isPressed: isPressed)
    default:
      guard let value = arguments[1].number else { return nil }
      self.init(time: time, code: code, isPressed: value != 0)
    }
  }

  /// The reading as OSC arguments of types `,si`.
  public var arguments: [OSCArgument] { [.string(name), .int32(isPressed ? 1 : 0)] }
}
