import CEvdev
import MoCore
import MoRuntime

/// A source that reads the keys and buttons of an input device of the kernel.
final class EvdevButtons: EventSource {
  let name: String
  let descriptor: Int32?
  let keepsDescriptor = true
  /// The time at which to report the buttons that were pressed when the device was opened; nil after the report.
  private(set) var nextTime: HostTime?
  private let device: EvdevDevice
  private var decoder = ButtonDecoder()
  private let deliver: @Sendable (Button) -> Void

  /// The row for input devices in the sensor's table of sources.
  ///
  /// By default, only pads and pedals are read. A keyboard is read only if the user names its path.
  static let row = SensorRow<Button>(
    "evdev", forms: ["evdev:PATH"], folder: EvdevList.folder, readsInput: { $0.hasKeys },
    devices: { EvdevList.devices { $0.isPad } },
    check: { detail throws(SensorError) in _ = try EvdevPath(detail, "buttons") },
    open: { detail, opening in
      guard let detail, !detail.isEmpty else { return nil }
      return OpenSource(try EvdevButtons(EvdevPath(detail, opening.option), opening))
    })

  init(_ path: EvdevPath, _ opening: SensorOpenContext<Button>) throws(SensorError) {
    device = try EvdevDevice(path: path.path, for: opening)
    guard device.hasKeys else {
      throw .wrongDevice(path: path.path, noun: opening.noun, advice: opening.advice())
    }
    if path.isGrabbed, !device.grab() {
      throw .other("\(path.path) is taken by another program: leave out ?grab, or end that program")
    }
    name = "evdev:\(path.path)"
    descriptor = device.descriptor
    deliver = opening.deliver
    nextTime = opening.run.clock.now
  }

  func service(until now: HostTime) throws {
    if nextTime != nil {
      nextTime = nil
      for button in decoder.find(at: now, { device.value($0, $1) }) { deliver(button) }
    }
    do throws(SensorError) {
      try device.drain(as: name) { event in for button in decoder.decode(event) { deliver(button) } }
    } catch {
      for button in decoder.release(at: now) { deliver(button) }
      throw error
    }
  }
}

extension EvdevTraits {
  /// Whether the device is a game pad, a joystick, or a device with "pedal" in its name.
  package var isPad: Bool {
    has(key: BTN_GAMEPAD) || has(key: BTN_JOYSTICK) || has(key: BTN_TRIGGER_HAPPY)
      || hasKeys && title.lowercased().contains("pedal")
  }
}

/// A decoder from an input device's events to presses and releases, which remembers the buttons that are pressed.
///
/// A directional pad that reports two axes, as most do, counts as four buttons.
package struct ButtonDecoder {
  private var pressed: [UInt16] = []

  package init() {}

  /// Handles an event, and returns the buttons that it pressed or released.
  package mutating func decode(_ event: EvdevDevice.Event) -> [Button] {
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
  package mutating func find(at time: HostTime, _ value: (_ type: Int32, _ code: Int32) -> Int32) -> [Button]
  {
    var found: [Button] = []
    for code in 0...KEY_MAX where value(EV_KEY, code) == 1 {
      found += decode(EvdevDevice.Event(type: EV_KEY, code: code, value: 1, time: time))
    }
    for code in [ABS_HAT0X, ABS_HAT0Y] where value(EV_ABS, code) != 0 {
      found += decode(EvdevDevice.Event(type: EV_ABS, code: code, value: value(EV_ABS, code), time: time))
    }
    return found
  }

  /// Releases all buttons, since the device is gone.
  package mutating func release(at time: HostTime) -> [Button] {
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
