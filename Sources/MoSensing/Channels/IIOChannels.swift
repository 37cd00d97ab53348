import Glibc
import MoCore
import MoRuntime

/// A source that polls single channels of an Industrial I/O device, such as light, distance, voltage.
///
/// A channel's name is the kernel's, without `in_`: `illuminance`, `proximity`, `voltage0`, `accel_x`. Its value is in
/// the kernel's unit: lux, metres, millivolts, m/s².
package final class IIOChannels: EventTimer {
  package let name: String
  private let clock: any TimeSource
  private let deliver: @Sendable (ChannelReading) -> Void
  private let channels: [Channel]
  private let device: IIODevice
  /// The only channel that is polled; nil if all channels are polled.
  private let wanted: String?
  private let period: Int64
  package private(set) var nextTime: HostTime?
  private var failures = 0

  /// The usual polling period, which is also the shortest, in nanoseconds.
  ///
  /// The period is short enough to follow changes of brightness or distance, and long enough for a slow bus.
  private static let usualPeriod: Int64 = 20_000_000
  /// The slowest polling rate, in readings per second; at a slower rate, a fault would be found late.
  private static let slowestRate = 1.0
  /// The number of consecutive polls without a value after which the device counts as lost.
  ///
  /// A single such poll does not count, since a bus may be busy for a moment.
  private static let mostFailures = 20

  private struct Channel {
    var name: ChannelName
    var attribute: String
    var offset: Double
    var scale: Double

    /// Returns the present value in the channel's unit; nil if the value cannot be read or is not finite.
    func value(from device: IIODevice) -> Float? {
      guard let raw = device.number(attribute) else { return nil }
      let value = Float((raw + offset) * scale)
      return value.isFinite ? value : nil
    }
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
          need: opening.need, deliver: opening.deliver))
    })

  /// - Parameters:
  ///   - mustAnswer: whether the chip is refused if no needed channel can be read now. A program that waits for devices
  ///     opens a chip again and again, and a disconnected chip still has its attributes. In another program, the
  ///     chip may answer later.
  ///   - need: the channel to poll, and how often; nil for all channels, 50 times a second.
  package init(
    _ device: IIODevice, clock: any TimeSource, mustAnswer: Bool = false, need: ChannelNeed? = nil,
    deliver: @escaping @Sendable (ChannelReading) -> Void
  ) throws(SensorError) {
    self.device = device
    self.clock = clock
    self.deliver = deliver
    let wanted = need?.channel
    self.wanted = wanted
    period = max(Self.usualPeriod, Int64(1e9 / max(Self.slowestRate, need?.rate ?? .infinity)))
    name = "iio:\(device.detail)"
    nextTime = Self.moment(from: clock.now)
    let known = device.channels
    if let wanted, !known.isEmpty, !known.contains(where: { $0.name == wanted }) {
      throw .other(ChannelName.missing(wanted, of: "iio:\(device.detail)", among: known.map(\.name)))
    }
    var channels: [Channel] = []
    var problems: [String] = []
    for (name, file) in known where wanted == nil || name == wanted {
      let isRaw = file.hasSuffix("_raw")
      // Channels share attributes: `voltage0` those of `voltage`, `accel_x` those of `accel`, and `voltage0-voltage1`
      // those of `voltage-voltage`.
      let kind = String(name.prefix { $0 != "_" && !$0.isNumber })
      let shared = name.contains("-") ? "\(kind)-\(kind)" : kind
      func number(_ what: String) -> Double? {
        guard isRaw else { return nil }
        return device.number("in_\(name)_\(what)") ?? device.number("in_\(shared)_\(what)")
      }
      if isRaw, let problem = device.problem(of: [name, shared]) {
        problems.append(problem)
        continue
      }
      channels.append(
        Channel(
          name: ChannelName(name), attribute: file, offset: number("offset") ?? 0,
          scale: number("scale") ?? 1))
    }
    if let problem = problems.first {
      guard !channels.isEmpty else { throw .other(problem) }
      MoLog.log(.warning, problem)
    }
    guard !channels.isEmpty else {
      throw .noDevice(path: device.folder, advice: "ls \(IIODevice.devices) lists the devices")
    }
    guard !mustAnswer || channels.contains(where: { $0.value(from: device) != nil }) else {
      if let wanted {
        throw .other(
          "iio:\(device.detail) cannot read its channel \(wanted): check its wires, or end the program "
            + "that reads it")
      }
      throw .other(
        "iio:\(device.detail) has no channel that can be read: check its wires, or end the "
          + "program that reads it")
    }
    self.channels = channels
  }

  package func service(until now: HostTime) throws {
    guard isDue(at: now) else { return }
    var received = 0
    for channel in channels {
      guard let value = channel.value(from: device) else { continue }
      received += 1
      deliver(ChannelReading(time: clock.now, channel: channel.name, value: value))
    }
    failures = received > 0 ? 0 : failures + 1
    // After a failure, the next poll comes soon, so that a slow rate does not delay the discovery of a fault.
    if period == Self.usualPeriod || failures > 0 {
      nextTime = Self.moment(from: now.advanced(byNanoseconds: 1))
    } else {
      // The pause is never shorter than the period: a reading that comes early would wait for a rig's `rate`.
      nextTime = now.advanced(byNanoseconds: period)
    }
    guard failures > 0 else { return }
    if device.title.isEmpty { throw SensorError.wentAway(name: name, reason: "it says nothing more") }
    guard failures >= Self.mostFailures else { return }
    throw SensorError.wentAway(
      name: name, reason: wanted.map { "its channel \($0) cannot be read" } ?? "it says nothing more")
  }

  /// Returns the first moment from `time` on at which all sources of the usual rate are due.
  ///
  /// Because they are due together, several sources wake the machine no more often than a single source.
  private static func moment(from time: HostTime) -> HostTime {
    HostTime(nanoseconds: (time.nanoseconds + usualPeriod - 1) / usualPeriod * usualPeriod)
  }
}
