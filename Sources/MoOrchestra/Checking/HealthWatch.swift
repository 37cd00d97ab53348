import Glibc
import MoCore
import MoMu
import MoSessionCore

/// How this machine is, for others who check the room before a concert.
struct HealthWatch {
  /// Milliseconds by which the sound device is taken to sound too late; nil if that was not given or measured.
  var trim: Double?
  /// How often the sound device had run dry, once a second.
  private var underruns: [(at: HostTime, count: Int)] = []

  /// Seconds over which underruns are counted.
  private static let window = 60.0

  init(trim: Double? = nil) { self.trim = trim }

  /// How the machine is now; wanted once a second.
  mutating func look(at now: HostTime, link: MemberHealth.Link) -> MemberHealth {
    let count = MoAudio.xruns
    // A device that was opened anew counts from 0.
    if let last = underruns.last, last.count > count { underruns = [] }
    underruns.removeAll { now.seconds(since: $0.at) > Self.window }
    underruns.append((now, count))
    var health = MemberHealth(release: MoMuRelease.current)
    health.link = link
    health.isSounding = MoAudio.isRunning
    (health.isTrimmed, health.trim) = (trim != nil, Float(trim ?? 0))
    health.soundLoad = Float(MoAudio.load)
    health.machineLoad = Self.machineLoad
    health.underruns = Int32(clamping: count - (underruns.first?.count ?? count))
    return health
  }

  /// Tasks that run or wait for each processor core, over the last minute; 0 if the system does not tell.
  private static var machineLoad: Float {
    var load = 0.0
    guard getloadavg(&load, 1) == 1 else { return 0 }
    return Float(load / Double(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
  }
}

extension MemberHealth.Link {
  /// By what a machine with these interfaces is on the network, as the kernel tells.
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
