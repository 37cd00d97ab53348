import Glibc
import MoCore
import MoMu
import MoSessionCore

/// A collector of data about this machine's health, such as underruns, for members that check the room before a
/// concert.
struct HealthWatch {
  /// The trim in milliseconds: the delay that the sound device does not report; nil if it was neither set nor measured.
  var trim: Double?
  /// The readings of the sound device's counter of underruns, taken once a second during the last 60 s.
  private var underruns: [(at: HostTime, count: Int)] = []

  /// The number of seconds before the present time in which underruns are counted.
  private static let window = 60.0

  init(trim: Double? = nil) { self.trim = trim }

  /// Returns the machine's health now; call it once a second.
  mutating func measure(at now: HostTime, link: MemberHealth.Link) -> MemberHealth {
    let count = MoAudio.xruns
    // A reopened device counts from 0.
    if let last = underruns.last, last.count > count { underruns = [] }
    underruns.removeAll { now.seconds(since: $0.at) > Self.window }
    underruns.append((now, count))
    var health = MemberHealth(release: MoMuRelease.current)
    health.link = link
    // A virtual card or a file has no delay to measure.
    let device = MoAudio.status.device ?? "virtual"
    health.isSounding = MoAudio.isRunning && device != "virtual" && !device.hasPrefix("wav:")
    (health.isTrimmed, health.trim) = (trim != nil, Float(trim ?? 0))
    health.soundLoad = Float(MoAudio.load)
    health.machineLoad = Self.machineLoad
    health.underruns = Int32(clamping: count - (underruns.first?.count ?? count))
    return health
  }

  /// The number of running and waiting tasks per processor core, averaged over the last minute; 0 if it is unknown.
  private static var machineLoad: Float {
    var load = 0.0
    guard getloadavg(&load, 1) == 1 else { return 0 }
    return Float(load / Double(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
  }
}

extension MemberHealth.Link {
  /// Creates the kind of network connection (cable, Wi-Fi or both) of a machine with the given interfaces.
  init(_ interfaces: [NetInterface]) {
    let used = interfaces.filter { $0.isUp && !$0.isLoopback && !$0.isVirtual && !$0.addresses.isEmpty }
    switch (used.contains { !$0.isWireless }, used.contains(where: \.isWireless)) {
    case (true, true): self = .both
    case (true, false): self = .wire
    case (false, true): self = .wireless
    case (false, false): self = .unknown
    }
  }
}
