import Glibc
import MoCore
import MoRuntime

/// A source that polls all single channels of an Industrial I/O device, such as light, distance, voltage.
///
/// A channel's name is the kernel's, without `in_`: `illuminance`, `proximity`, `voltage0`, `accel_x`. Its value is in
/// the kernel's unit: lux, metres, millivolts, m/s².
final class IIOChannels: EventSource {
  let name: String
  let descriptor: Int32? = nil
  private let clock: any TimeSource
  private let deliver: @Sendable (ChannelReading) -> Void
  private let channels: [Channel]
  private let device: IIODevice
  private var due: HostTime
  private var failures = 0

  /// The polling period in nanoseconds: short enough to follow changes of brightness or distance, and long enough for
  /// a slow bus.
  private static let period: Int64 = 20_000_000
  private static let patience = 20

  private struct Channel {
    var name: ChannelName
    var attribute: String
    var offset: Double
    var scale: Double
  }

  static let row = SensorRow<ChannelReading>(
    "iio", forms: ["iio:N"], folder: "/dev", readsChip: { !IIODevice.channels(among: $0).isEmpty },
    alwaysPolls: true,
    devices: {
      IIODevice.all().map { NamedDevice(name: "iio:\($0.detail)", about: $0.title, isReal: true) }
    },
    open: { detail, opening in
      guard let detail, !detail.isEmpty else { return nil }
      return OpenSource(
        try IIOChannels(
          IIODevice(detail), clock: opening.run.clock, mustAnswer: opening.run.waitsForDevices,
          deliver: opening.deliver))
    })

  /// - Parameter mustAnswer: whether the chip is refused if no channel can be read now. A program that waits for devices
  ///   opens a chip again and again, and a chip that fell off its bus still has its attributes. In another program, the
  ///   chip may answer later.
  init(
    _ device: IIODevice, clock: any TimeSource, mustAnswer: Bool = false,
    deliver: @escaping @Sendable (ChannelReading) -> Void
  ) throws(SensorError) {
    self.device = device
    self.clock = clock
    self.deliver = deliver
    name = "iio:\(device.detail)"
    due = clock.now
    var channels: [Channel] = []
    var flaws: [String] = []
    for (name, file) in device.channels {
      let isRaw = file.hasSuffix("_raw")
      // `voltage0` falls back to `voltage`, `accel_x` to `accel`.
      let kind = String(name.prefix { $0 != "_" && !$0.isNumber })
      func number(_ what: String) -> Double? {
        guard isRaw else { return nil }
        return device.number("in_\(name)_\(what)") ?? device.number("in_\(kind)_\(what)")
      }
      if isRaw, let flaw = device.flaw(of: [name, kind]) {
        flaws.append(flaw)
        continue
      }
      channels.append(
        Channel(
          name: ChannelName(name), attribute: file, offset: number("offset") ?? 0,
          scale: number("scale") ?? 1))
    }
    if let flaw = flaws.first {
      guard !channels.isEmpty else { throw .other(flaw) }
      MoLog.log(.warning, flaw)
    }
    guard !channels.isEmpty else {
      throw .noDevice(path: device.folder, advice: "ls \(IIODevice.devices) lists the devices")
    }
    guard !mustAnswer || channels.contains(where: { device.number($0.attribute) != nil }) else {
      throw .other(
        "iio:\(device.detail) has no channel that can be read: check its wires, or end the "
          + "program that reads it")
    }
    self.channels = channels
  }

  var nextTime: HostTime? { due }

  func service(until now: HostTime) throws {
    guard due <= now else { return }
    let late = (now.nanoseconds &- due.nanoseconds) / Self.period
    due = due.advanced(byNanoseconds: (late + 1) * Self.period)
    var heard = 0
    for channel in channels {
      guard let raw = device.number(channel.attribute) else { continue }
      let value = Float((raw + channel.offset) * channel.scale)
      guard value.isFinite else { continue }
      heard += 1
      deliver(ChannelReading(time: clock.now, channel: channel.name, value: value))
    }
    failures = heard > 0 ? 0 : failures + 1
    if failures >= Self.patience || device.title.isEmpty {
      throw SensorError.wentAway(name: name, reason: "it says nothing more")
    }
  }
}
