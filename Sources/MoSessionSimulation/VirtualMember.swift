import MoCore
import MoSessionCore

/// A member of the virtual orchestra: the real protocol, on a host clock that is not quite right.
package struct VirtualMember: Sendable {
  /// The protocol; nil while the member is not there.
  package var core: SessionCore?
  /// Where it is on the virtual network.
  package let endpoint: SessionEndpoint
  /// What happened to it, with the true time in seconds.
  package internal(set) var events: [(seconds: Double, event: SessionEvent)] = []
  /// What was played for it, as it was handed over, with the true time in seconds.
  package var heard: [(seconds: Double, play: SessionHeard)] = []
  /// Datagrams it has sent, those of them to all, and their bytes.
  package internal(set) var sent = (datagrams: 0, toAll: 0, bytes: 0)
  /// Datagrams of it that the access point had no room for.
  package internal(set) var dropped = 0
  /// Datagrams it has received, and their bytes.
  package internal(set) var received = (datagrams: 0, bytes: 0)
  /// How often it was woken.
  package internal(set) var ticks = 0

  /// When it came last, in seconds of true time; nil while it is not there.
  package internal(set) var joinedAt: Double?

  /// The last true time at which nothing was to be heard of it, of those at which it did or took in anything.
  package private(set) var wasSilent = Int64.min

  /// Called after everything that it does.
  var watcher: (@Sendable (inout SessionCore, HostTime) -> Void)?

  /// Whether it is there.
  var isThere: Bool { joinedAt != nil }

  /// How it takes part.
  package internal(set) var settings: SessionCore.Settings
  /// The host clock: where it stood at true time zero, in nanoseconds, and how much too fast it runs.
  var offset: Int64
  let skew: Double
  /// The tick that is waited for, so that one that has been superseded is passed over.
  var awaited: Int64 = .max
  /// The network's state for what it receives: whether a burst of losses is going on.
  var isLosing = false

  /// Does what is due.
  mutating func tick(at time: Int64) {
    ticks += 1
    let host = host(at: time)
    core?.tick(at: host)
  }

  /// Takes in a datagram.
  mutating func receive(_ datagram: [UInt8], from sender: SessionEndpoint, at time: Int64) {
    received.datagrams += 1
    received.bytes += datagram.count
    let host = host(at: time)
    core?.receive(datagram, from: sender, at: host, now: host)
  }

  /// Takes out what it wants sent, and notes what has happened to it.
  mutating func drainOutgoing(at time: Int64) -> [Outgoing] {
    let seconds = Double(time) * 1e-9
    let host = host(at: time)
    if core?.beatClock.isPlaying(at: host) == false { wasSilent = time }
    if let watcher, core != nil { watcher(&core!, host) }
    for event in core?.drainEvents() ?? [] { events.append((seconds, event)) }
    for play in core?.drainHeard() ?? [] { heard.append((seconds, play)) }
    return core?.drainOutgoing() ?? []
  }

  /// When it is to do something next by its own clock; nil while it is not there.
  var nextTick: HostTime? { core?.nextTick }

  /// The host clock at a true time in nanoseconds.
  package func host(at time: Int64) -> HostTime {
    HostTime(nanoseconds: time &+ offset &+ Int64((Double(time) * skew).rounded()))
  }

  /// The true time at which the host clock shows a moment.
  package func time(at host: HostTime) -> Int64 {
    Int64((Double(host.nanoseconds &- offset) / (1 + skew)).rounded(.up))
  }

  /// The beat it shows at a true time; nil while there is none.
  package func beat(atNanoseconds time: Int64) -> Double? { core?.beatClock.beat(at: host(at: time)) }

  /// The tempo it shows at a true time; nil while there is none.
  package func tempo(atNanoseconds time: Int64) -> Double? { core?.beatClock.tempo(at: host(at: time)) }
}
