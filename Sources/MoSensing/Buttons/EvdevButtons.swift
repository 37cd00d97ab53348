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
    "evdev", forms: ["evdev:PATH"], folder: EvdevList.folder,
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
      try device.drain(as: name) { event in for button in decoder.take(event) { deliver(button) } }
    } catch {
      for button in decoder.release(at: now) { deliver(button) }
      throw error
    }
  }
}

extension EvdevTraits {
  /// Whether the device is a game pad, a joystick, or a device with "pedal" in its name.
  var isPad: Bool {
    has(key: BTN_GAMEPAD) || has(key: BTN_JOYSTICK) || has(key: BTN_TRIGGER_HAPPY)
      || hasKeys && title.lowercased().contains("pedal")
  }
}
