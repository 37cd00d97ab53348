import CEvdev
import MoCore

/// A decoder from an input device's events to presses and releases, which remembers the buttons that are pressed.
///
/// A directional pad that reports two axes, as most do, counts as four buttons.
struct ButtonDecoder {
  private var pressed: [UInt16] = []

  /// Handles an event, and returns the buttons that it pressed or released.
  mutating func take(_ event: EvdevDevice.Event) -> [Button] {
    switch (Int32(event.type), Int32(event.code)) {
    // 2 is a key's repetition; the finger events of a touch device are not buttons.
    case (EV_KEY, let code) where event.value < 2 && !(BTN_DIGI..<BTN_WHEEL).contains(code):
      return set(event.code, event.value == 1, event.time)
    case (EV_ABS, ABS_HAT0X): return cross(BTN_DPAD_LEFT, BTN_DPAD_RIGHT, event)
    case (EV_ABS, ABS_HAT0Y): return cross(BTN_DPAD_UP, BTN_DPAD_DOWN, event)
    default: return []
    }
  }

  /// Returns presses for the buttons that are already pressed when the device is opened.
  ///
  /// Without this, a pedal that is held at that time would report nothing until its release.
  ///
  /// - Parameter value: returns the state of a key or an axis of the device.
  mutating func find(at time: HostTime, _ value: (_ type: Int32, _ code: Int32) -> Int32) -> [Button] {
    var found: [Button] = []
    for code in 0...KEY_MAX where value(EV_KEY, code) == 1 {
      found += take(EvdevDevice.Event(type: EV_KEY, code: code, value: 1, time: time))
    }
    for code in [ABS_HAT0X, ABS_HAT0Y] where value(EV_ABS, code) != 0 {
      found += take(EvdevDevice.Event(type: EV_ABS, code: code, value: value(EV_ABS, code), time: time))
    }
    return found
  }

  /// Releases all buttons, since the device is gone.
  mutating func release(at time: HostTime) -> [Button] {
    defer { pressed = [] }
    return pressed.map { Button(time: time, code: $0, isPressed: false) }
  }

  private mutating func cross(_ less: Int32, _ more: Int32, _ event: EvdevDevice.Event) -> [Button] {
    // The release comes first: a directional pad is never pressed at both ends at the same time.
    set(UInt16(event.value < 0 ? more : less), false, event.time)
      + (event.value == 0
        ? set(UInt16(more), false, event.time)
        : set(UInt16(event.value < 0 ? less : more), true, event.time))
  }

  /// Sets the state of a button, and returns the change; empty if the state is unchanged.
  private mutating func set(_ code: UInt16, _ isPressed: Bool, _ time: HostTime) -> [Button] {
    guard pressed.contains(code) != isPressed else { return [] }
    if isPressed { pressed.append(code) } else { pressed.removeAll { $0 == code } }
    return [Button(time: time, code: code, isPressed: isPressed)]
  }
}
