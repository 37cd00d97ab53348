import CMoSystem
import Glibc
import MoCore
import MoRuntime

/// An input line of a GPIO chip, such as a switch or a motion detector: 0 and 1, with the kernel's time stamp.
///
/// The channel has the name of the line. The first value comes when the line is opened, and another value at each
/// change.
final class GPIOSource: EventSource {
  let name: String
  let descriptor: Int32?
  let keepsDescriptor = true
  private let channel: ChannelName
  private let deliver: @Sendable (ChannelReading) -> Void
  private var hasBegun = false

  /// The due time of the line's first value, in the past, so that the value is read immediately; nil after that.
  var nextTime: HostTime? { hasBegun ? nil : .distantPast }

  /// The largest number of changes that a single read returns, equal to the size of the kernel's buffer for a line.
  private static let most: Int32 = 16

  /// The row for GPIO lines in the sensor's table of sources.
  ///
  /// The row's folder is watched, since chips on USB appear and disappear.
  static let row = SensorRow<ChannelReading>(
    "gpio", forms: ["gpio:CHIP/LINE"], folder: "/dev",
    devices: {
      GPIOPin.chips.map { chip in
        let isOpen = access("/dev/\(chip)", R_OK | W_OK) == 0
        return NamedDevice(
          name: "gpio:\(chip)/0",
          about: isOpen
            ? "a GPIO chip's line 0; gpioinfo shows all"
            : "may not be used: sudo usermod -aG gpio $USER, then log in again",
          isReal: true, isOpen: isOpen)
      }
    },
    check: { detail throws(SensorError) in _ = try GPIOPin(detail) },
    open: { detail, opening in
      guard let detail, !detail.isEmpty else { return nil }
      return OpenSource(try GPIOSource(detail, deliver: opening.deliver))
    })

  /// - Throws: `SensorError`.
  init(
    _ detail: String, deliver: @escaping @Sendable (ChannelReading) -> Void
  ) throws(SensorError) {
    let pin = try GPIOPin(detail)
    descriptor = try pin.request()
    name = "gpio:\(detail)"
    channel = ChannelName(pin.line)
    self.deliver = deliver
  }

  deinit { if let descriptor { close(descriptor) } }

  func service(until now: HostTime) throws {
    guard let descriptor else { return }
    if !hasBegun {
      hasBegun = true
      let value = momu_gpio_get(descriptor)
      if value >= 0 { deliver(ChannelReading(time: now, channel: channel, value: Float(value))) }
    }
    var changes = [momu_gpio_change](
      repeating: momu_gpio_change(time_ns: 0, value: false), count: Int(Self.most))
    while true {
      let count = momu_gpio_changes(descriptor, &changes, Self.most)
      guard count > 0 else {
        if count == -EAGAIN || count == -EINTR { return }
        throw SensorError.wentAway(
          name: name, reason: count == 0 ? "its chip was removed" : String(cString: strerror(-count)))
      }
      for change in changes[..<Int(count)] {
        let time = SystemClock().hostTime(of: Int64(change.time_ns), on: .monotonic)
        deliver(ChannelReading(time: time, channel: channel, value: change.value ? 1 : 0))
      }
      if count < Self.most { return }
    }
  }
}
