import CEvdev
import MoCore
import MoRuntime

/// A touch screen, touch pad or mouse of the kernel's input system.
final class EvdevTouch: EventSource {
  let name: String
  let descriptor: Int32?
  let keepsDescriptor = true
  /// The time at which to report the fingers that were down when the device was opened; nil after the report.
  private(set) var nextTime: HostTime?
  private let device: EvdevDevice
  private var decoder: TouchDecoder
  private let deliver: @Sendable (Touch) -> Void

  /// The row for input devices in the sensor's table of sources.
  ///
  /// The row lists touch screens first, then touch pads, then mice and other pointing devices.
  static let row = SensorRow<Touch>(
    "evdev", forms: ["evdev:PATH"], folder: EvdevList.folder,
    readsInput: { $0.isTouchScreen || $0.isTouchPad || $0.isMouse },
    devices: {
      EvdevList.devices { $0.isTouchScreen } + EvdevList.devices { $0.isTouchPad && !$0.isTouchScreen }
        + EvdevList.devices { $0.isMouse && !$0.isTouchScreen && !$0.isTouchPad }
    },
    check: { detail throws(SensorError) in _ = try EvdevPath(detail, "touch") },
    open: { detail, opening in
      guard let detail, !detail.isEmpty else { return nil }
      return OpenSource(try EvdevTouch(EvdevPath(detail, opening.option), opening))
    })

  init(_ path: EvdevPath, _ opening: SensorOpenContext<Touch>) throws(SensorError) {
    device = try EvdevDevice(path: path.path, for: opening)
    let surface = try TouchSurface(device, opening, quarters: path.quarters)
    if path.isGrabbed, !device.grab() {
      throw .other("\(path.path) is taken by another program: leave out ?grab, or end that program")
    }
    name = "evdev:\(path.path)"
    descriptor = device.descriptor
    deliver = opening.deliver
    decoder = TouchDecoder(surface)
    nextTime = opening.run.clock.now
    findFingers(surface)
  }

  func service(until now: HostTime) throws {
    do throws(SensorError) {
      if nextTime != nil {
        nextTime = nil
        notify(decoder.decode(EvdevDevice.Event(type: EV_SYN, code: SYN_REPORT, value: 0, time: now)))
      }
      try device.drain(as: name) { notify(decoder.decode($0)) }
    } catch {
      notify(decoder.cancel(at: now))
      throw error
    }
  }

  private func notify(_ touches: [Touch]) { for touch in touches { deliver(touch) } }

  /// Finds the fingers that are already down, since the kernel reports such a finger only when it moves.
  private func findFingers(_ surface: TouchSurface) {
    switch surface.kind {
    case .slots(let count):
      for slot in 0..<Int32(count) where device.value(slot: slot, ABS_MT_TRACKING_ID) >= 0 {
        decoder.find(
          TouchContact(
            x: device.value(slot: slot, ABS_MT_POSITION_X), y: device.value(slot: slot, ABS_MT_POSITION_Y),
            pressure: device.value(slot: slot, ABS_MT_PRESSURE),
            size: device.value(slot: slot, ABS_MT_TOUCH_MAJOR)),
          inSlot: Int(slot))
      }
      // The device continues in its present slot without naming it.
      _ = decoder.decode(
        EvdevDevice.Event(
          type: EV_ABS, code: ABS_MT_SLOT, value: device.value(EV_ABS, ABS_MT_SLOT), time: .zero))
    case .single where device.value(EV_KEY, BTN_TOUCH) == 1:
      decoder.find(
        TouchContact(
          x: device.value(EV_ABS, ABS_X), y: device.value(EV_ABS, ABS_Y),
          pressure: device.value(EV_ABS, ABS_PRESSURE)), inSlot: 0)
    case .single, .mouse: break
    }
  }
}

/// The path of an input device, and its settings: `PATH?grab&rotate=90`.
package struct EvdevPath: Equatable, Sendable {
  package var path: String
  package var isGrabbed = false
  package var quarters = 0

  /// - Throws: `SensorError.unknownSetting`.
  package init(_ detail: String, _ option: String) throws(SensorError) {
    let parts = detail.split(separator: "?", maxSplits: 1)
    path = parts.first.map { String($0) } ?? detail
    guard parts.count == 2 else { return }
    for setting in parts[1].split(separator: "&") {
      switch setting {
      case "grab": isGrabbed = true
      case "rotate=0": quarters = 0
      case "rotate=90": quarters = 1
      case "rotate=180": quarters = 2
      case "rotate=270": quarters = 3
      default:
        throw .unknownSetting(
          String(setting), option: option, of: "evdev:PATH",
          forms: "?grab, ?rotate=90, 180 or 270, or both: ?grab&rotate=90")
      }
    }
  }
}

extension EvdevTraits {
  package var isTouchScreen: Bool {
    has(property: INPUT_PROP_DIRECT) && (has(axis: ABS_MT_POSITION_X) || has(key: BTN_TOUCH))
  }
  package var isTouchPad: Bool { has(axis: ABS_MT_POSITION_X) || has(key: BTN_TOUCH) && has(axis: ABS_X) }
  package var isMouse: Bool { has(relative: REL_X) && has(key: BTN_LEFT) }
}
