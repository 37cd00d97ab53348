import CMoSystem
import Glibc
import MoCore
import MoRuntime

/// The state of this machine: its temperature, throttling, Wi-Fi, disk, memory and clock.
///
/// Each value is read once every two seconds; values that a machine does not have are left out.
package final class HostSource: EventTimer {
  package let name = "host"
  private let root: String
  private let clock: any TimeSource
  private let isClockSet: () -> Bool?
  private let deliver: @Sendable (ChannelReading) -> Void
  package private(set) var nextTime: HostTime?
  /// The path of the attribute `throttled`, without `root`; nil on a machine without such firmware.
  private lazy var throttling: String? = throttlingPath()

  private static let period: Int64 = 2_000_000_000

  /// - Parameters:
  ///   - root: the prefix of `/proc` and `/sys`; empty for this machine.
  ///   - isClockSet: returns whether the machine's clock is set correctly; nil if that is not known.
  package init(
    root: String = "", clock: any TimeSource, isClockSet: @escaping () -> Bool? = HostSource.kernelSetsClock,
    deliver: @escaping @Sendable (ChannelReading) -> Void
  ) {
    self.root = root
    self.clock = clock
    self.isClockSet = isClockSet
    self.deliver = deliver
    nextTime = clock.now
  }

  package func service(until now: HostTime) {
    guard isDue(at: now) else { return }
    nextTime = now.advanced(byNanoseconds: Self.period)
    for (channel, value) in values() {
      deliver(ChannelReading(time: now, channel: ChannelName(channel), value: value))
    }
  }

  /// Returns the present values.
  package func values() -> [(String, Float)] {
    HostChannel.allCases.compactMap { channel in value(of: channel).map { (channel.rawValue, $0) } }
  }

  private func value(of channel: HostChannel) -> Float? {
    switch channel {
    case .temperature: temperature
    case .throttled: throttled
    case .wifi: signal
    case .disk: disk
    case .memory: memory
    case .clock: clockState
    }
  }

  private func text(_ path: String) -> String? { WholeFile.text(of: root + path) }

  private func number(_ path: String) -> Double? {
    text(path).flatMap { Double($0.prefix { !$0.isWhitespace }) }
  }

  /// The temperature of the hottest thermal zone, in °C.
  private var temperature: Float? {
    let folder = "/sys/class/thermal"
    return SystemFiles.names(in: root + folder).filter { $0.hasPrefix("thermal_zone") }
      .compactMap { number("\(folder)/\($0)/temp") }.max().map { Float($0 / 1000) }
  }

  /// The throttling bits of a Raspberry Pi: 0 if all is well.
  ///
  /// 1 means low voltage, 2 slowed by the firmware, 4 throttled, 8 too hot. The same values times 65,536 mean that the
  /// condition has occurred since boot.
  private var throttled: Float? {
    throttling.flatMap { text($0) }.flatMap { Int($0.prefix { !$0.isWhitespace }, radix: 16) }.map {
      Float($0)
    }
  }

  /// Returns the path of the throttling bits, without `root`; nil if the firmware provides none.
  ///
  /// The folder of the firmware has the name of its parent in the device tree. The parent is `soc` on a Pi 4, and
  /// `soc@107c000000` on a Pi 5.
  private func throttlingPath() -> String? {
    let platform = "/sys/devices/platform"
    let names = SystemFiles.names(in: root + platform).filter { $0.hasPrefix("soc") }
    let folders = names.map { "\(platform)/\($0)" }
    let nested = folders.flatMap { folder in
      SystemFiles.names(in: root + folder).filter { $0.hasPrefix("soc") }.map { "\(folder)/\($0)" }
    }
    return (folders + nested).filter { $0.hasSuffix(":firmware") }.map { "\($0)/get_throttled" }
      .first { access(root + $0, R_OK) == 0 }
  }

  /// The signal strength of the Wi-Fi access point, in dBm.
  private var signal: Float? {
    for line in (text("/proc/net/wireless") ?? "").split(separator: "\n").dropFirst(2) {
      let words = line.split(separator: " ")
      guard words.count > 3, let level = Float(words[3].filter { $0 != "." }) else { continue }
      // Old drivers count down from 256.
      return level > 0 ? level - 256 : level
    }
    return nil
  }

  /// The free share of the root file system, 0 … 1.
  private var disk: Float? {
    var status = statvfs()
    guard statvfs(root + "/", &status) == 0, status.f_blocks > 0 else { return nil }
    return Float(Double(status.f_bavail) / Double(status.f_blocks))
  }

  /// The available share of the memory, 0 … 1.
  private var memory: Float? {
    var (total, available): (Double?, Double?)
    for line in (text("/proc/meminfo") ?? "").split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 1 else { continue }
      if words[0] == "MemTotal:" { total = Double(words[1]) }
      if words[0] == "MemAvailable:" { available = Double(words[1]) }
    }
    guard let total, let available, total > 0 else { return nil }
    return Float(available / total)
  }

  /// 1 if the machine's clock is set correctly, else 0; nil if that is not known.
  private var clockState: Float? {
    guard root.isEmpty else { return nil }
    return isClockSet().map { $0 ? 1 : 0 }
  }

  /// Returns whether the kernel reports the machine's clock as synchronised, by the network or a satellite receiver.
  ///
  /// Returns nil if the process may not read the state of the clock.
  package static func kernelSetsClock() -> Bool? {
    let answer = momu_clock_is_set()
    return answer < 0 ? nil : answer == 1
  }
}

extension SensorKind<ChannelReading> {
  /// The sensor of this machine's state.
  package static let host = SensorKind(
    option: "MoHost", noun: "this machine", usual: "host", address: "/momu/host",
    rows: [
      SensorRow(
        "host", forms: ["host"],
        devices: {
          [NamedDevice(name: "host", about: "this machine's temperature, power, Wi-Fi, disk", isReal: false)]
        },
        open: { _, opening in OpenSource(HostSource(clock: opening.run.clock, deliver: opening.deliver)) })
    ],
    standIn: { _, _ in throw SensorError.other("this machine is always there") })
}

/// A value of the machine's state.
package enum HostChannel: String, CaseIterable, Sendable {
  case temperature, throttled, wifi, disk, memory, clock
}
