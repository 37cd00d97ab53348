import CEvdev
import MoCore
import MoRuntime

/// All axes of an input device, by the kernel's names: sticks, triggers, wheels, sliders.
///
/// The values of an axis with a range are -1 … 1 if the axis rests in the middle, as a stick does, else 0 … 1. An axis
/// counts as resting in the middle if its minimum is below 0, or if the kernel reports a dead zone (`flat`). The values
/// of a dial or wheel without a range are the counts by which it was turned.
final class EvdevAxes: EventSource {
  let name: String
  let descriptor: Int32?
  let keepsDescriptor = true
  /// The time at which to report the positions that all axes had when the device was opened; nil after the report.
  private(set) var nextTime: HostTime?
  private let device: EvdevDevice
  private let deliver: @Sendable (ChannelReading) -> Void
  private var names: [Int32: ChannelName] = [:]

  static let row = SensorRow<ChannelReading>(
    "evdev", forms: ["evdev:PATH"], folder: EvdevList.folder, readsInput: { $0.hasAxes },
    devices: { EvdevList.devices { $0.hasAxes } },
    check: { detail throws(SensorError) in _ = try EvdevPath(detail, "MoSensor") },
    open: { detail, opening in
      guard let detail, !detail.isEmpty else { return nil }
      return OpenSource(try EvdevAxes(EvdevPath(detail, opening.option), opening))
    })

  init(_ path: EvdevPath, _ opening: SensorOpenContext<ChannelReading>) throws(SensorError) {
    device = try EvdevDevice(path: path.path, for: opening)
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
      for code in 0..<ABS_MT_SLOT where device.has(EV_ABS, code) {
        notify(EV_ABS, code, device.value(EV_ABS, code), now)
      }
    }
    try device.drain(as: name) { event in
      switch Int32(event.type) {
      case EV_ABS where event.code < UInt16(ABS_MT_SLOT), EV_REL:
        notify(Int32(event.type), Int32(event.code), event.value, event.time)
      default: break
      }
    }
  }

  private func notify(_ type: Int32, _ code: Int32, _ value: Int32, _ time: HostTime) {
    let key = type << 16 | code
    let name: ChannelName
    if let known = names[key] {
      name = known
    } else {
      guard let text = libevdev_event_code_get_name(UInt32(type), UInt32(code)) else { return }
      name = ChannelName(String(cString: text))
      names[key] = name
    }
    let value = type == EV_REL ? Float(value) : device.axis(code).map { EvdevAxes.part(value, $0) } ?? 0
    deliver(ChannelReading(time: time, channel: name, value: value))
  }

  /// Returns the position of a value on its axis, -1 … 1 or 0 … 1; 0 for an axis without a range.
  static func part(_ value: Int32, _ axis: input_absinfo) -> Float {
    guard axis.maximum > axis.minimum else { return 0 }
    let part = (Float(value) - Float(axis.minimum)) / (Float(axis.maximum) - Float(axis.minimum))
    let isCentred = axis.minimum < 0 || axis.flat > 0
    return min(max(isCentred ? 2 * part - 1 : part, isCentred ? -1 : 0), 1)
  }
}

extension EvdevTraits {
  /// Whether the device has an absolute axis other than the axes of a touch surface's fingers.
  package var hasAxes: Bool { (0..<ABS_MT_SLOT).contains { has(axis: $0) } }

  /// The absolute axes that `MoSensor` reads, by the kernel's names.
  package var axisNames: [String] {
    EvdevTraits.names(EV_ABS, (0..<ABS_MT_SLOT).filter { has(axis: $0) })
  }

  /// All channels of this device that `MoSensor` reads, by the kernel's names: absolute axes, dials and wheels.
  package var channelNames: [String] {
    axisNames + EvdevTraits.names(EV_REL, (0...REL_MAX).filter { has(relative: $0) })
  }

  private static func names(_ type: Int32, _ codes: [Int32]) -> [String] {
    codes.compactMap { code in
      libevdev_event_code_get_name(UInt32(type), UInt32(code)).map { String(cString: $0) }
    }
  }
}
