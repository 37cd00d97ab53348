import CEvdev
import MoCore
import MoOSC

/// A key, a pad's button or a pedal, in the moment in which it is pressed or released.
///
/// - Thread: any; it is a plain value.
/// - Real-time safe: yes, but for `name`.
public struct Button: SensorReading {
  /// On tapes and in the network: `,si`, the name, and 1 for pressed or 0.
  public static let address = "/momu/button"

  /// A press left out would never end.
  public static let canBeThinned = false

  /// When the kernel saw it.
  public var time: HostTime
  /// The kernel's number of it (linux/input-event-codes.h).
  public var code: UInt16
  /// Whether it is pressed now.
  public var isPressed: Bool

  /// A button given by the kernel's number.
  public init(time: HostTime, code: UInt16, isPressed: Bool) {
    self.time = time
    self.code = code
    self.isPressed = isPressed
  }

  /// The kernel's name of it, such as `BTN_SOUTH`, `KEY_A` or, where it has none, its number.
  public var name: String {
    guard let name = libevdev_event_code_get_name(UInt32(EV_KEY), UInt32(code)) else { return "\(code)" }
    return String(cString: name)
  }

  /// The kernel's number of a name; nil for one that is none.
  public static func code(_ name: String) -> UInt16? {
    let code = libevdev_event_code_from_name(UInt32(EV_KEY), name)
    return code >= 0 ? UInt16(code) : UInt16(name)
  }

  /// The reading that `,si` says.
  public init?(time: HostTime, arguments: [OSCArgument]) {
    guard arguments.count == 2, let name = arguments[0].text, let code = Button.code(name) else { return nil }
    switch arguments[1] {
    case .bool(let isPressed): self.init(time: time, code: code, isPressed: isPressed)
    default:
      guard let value = arguments[1].number else { return nil }
      self.init(time: time, code: code, isPressed: value != 0)
    }
  }

  /// As `,si`.
  public var arguments: [OSCArgument] { [.string(name), .int32(isPressed ? 1 : 0)] }
}
