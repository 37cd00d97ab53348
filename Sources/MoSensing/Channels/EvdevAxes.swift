import CEvdev
import MoCore
import MoRuntime

/// All axes of an input device, by the kernel's names: sticks, triggers, wheels, sliders.
///
/// The values of an axis with a range are -1 … 1 if the axis rests in the middle, as a stick does, else 0 … 1
/// (`isCentred`). The values of a dial or wheel without a range are the counts by which it was turned.
final class EvdevAxes: EventSource {
  let name: String
  let descriptor: Int32?
  let keepsDescriptor = true
  /// The time at which to report the positions that all axes had when the device was opened; nil after the report.
  private(set) var nextTime: HostTime?
  private let device: EvdevDevice
  private let deliver: @Sendable (ChannelReading) -> Void
  private var channels: [Int32: Channel] = [:]

  /// An axis that has sent a value, or a dial or wheel.
  private struct Channel {
    var name: ChannelName
    var isCentred: Bool
  }

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
    let axis = type == EV_ABS ? device.axis(code) : nil
    let channel: Channel
    if let known = channels[key] {
      channel = known
    } else {
      guard let text = libevdev_event_code_get_name(UInt32(type), UInt32(code)) else { return }
      channel = Channel(
        name: ChannelName(String(cString: text)),
        isCentred: axis.map { EvdevAxes.isCentred(code, $0, device.has, device.axis) } ?? false)
      channels[key] = channel
    }
    let value =
      type == EV_REL ? Float(value) : axis.map { EvdevAxes.part(value, $0, channel.isCentred) } ?? 0
    deliver(ChannelReading(time: time, channel: channel.name, value: value))
  }

  /// Returns whether an axis rests in the middle of its range.
  ///
  /// An axis with a minimum below 0 rests in the middle. Of the other axes, the sticks of pads and joysticks rest in
  /// the middle, but not pedals, throttles and triggers. The code decides, since hid-playstation reports no dead zone
  /// (`flat`) for sticks, and hid-generic reports one for triggers, too. If the code does not decide, the dead zone
  /// does.
  ///
  /// hid-generic keeps the codes of the pad. If a pad with the DualShock's layout does not belong to hid-playstation,
  /// ABS_Z and ABS_RZ are its right stick, and ABS_RX and ABS_RY its triggers. All these axes have the same range. The
  /// triggers of other pads of hid-generic have a smaller range than the sticks.
  ///
  /// - Parameters:
  ///   - has: returns whether the device has a key or an axis.
  ///   - axisOf: returns the description of an axis; nil if the device does not have it.
  static func isCentred(
    _ code: Int32, _ axis: input_absinfo, _ has: (_ type: Int32, _ code: Int32) -> Bool,
    _ axisOf: (_ code: Int32) -> input_absinfo?
  ) -> Bool {
    guard axis.minimum >= 0 else { return true }
    let isPad = has(EV_KEY, BTN_GAMEPAD)
    let isDualShock =
      isPad && axis.flat > 0
      && [ABS_X, ABS_Z, ABS_RX].allSatisfy { other in
        axisOf(other).map { $0.minimum == axis.minimum && $0.maximum == axis.maximum } ?? false
      }
    switch code {
    case ABS_GAS, ABS_BRAKE, ABS_THROTTLE: return false
    case ABS_RX where isDualShock, ABS_RY where isDualShock: return false
    case ABS_X, ABS_Y, ABS_RX, ABS_RY: return isPad || has(EV_KEY, BTN_JOYSTICK) || axis.flat > 0
    // Without ABS_RX, these are the axes of a pad's right stick; with it, they are usually the triggers.
    case ABS_Z, ABS_RZ: return axis.flat > 0 && (isDualShock || !(isPad && has(EV_ABS, ABS_RX)))
    default: return axis.flat > 0
    }
  }

  /// Returns the position of a value on its axis, -1 … 1 or 0 … 1; 0 for an axis without a range.
  static func part(_ value: Int32, _ axis: input_absinfo, _ isCentred: Bool) -> Float {
    guard axis.maximum > axis.minimum else { return 0 }
    let part = (Float(value) - Float(axis.minimum)) / (Float(axis.maximum) - Float(axis.minimum))
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
