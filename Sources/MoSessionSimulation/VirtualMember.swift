import MoCore
import MoSessionCore

/// A member of the virtual orchestra: the real protocol, on a host clock with an error.
///
/// True time is the time of the simulation, which no clock error changes.
package struct VirtualMember: Sendable {
  /// The member's `SessionCore`, which runs the protocol; nil before the member has joined, and after a crash.
  package var core: SessionCore?
  /// The member's address on the virtual network.
  package let endpoint: SessionEndpoint
  /// The member's events, with the true time in seconds.
  package internal(set) var events: [(seconds: Double, event: SessionEvent)] = []
  /// The plays that the member received, in the order of delivery, with the true time of delivery in seconds.
  package var heard: [(seconds: Double, play: SessionHeard)] = []
  /// The numbers of datagrams that the member has sent, of multicasts and broadcasts among them, and of bytes.
  package internal(set) var sent = (datagrams: 0, toAll: 0, bytes: 0)
  /// The number of the member's datagrams that were dropped, because too many frames waited for the radio channel.
  package internal(set) var dropped = 0
  /// The numbers of datagrams and of bytes that the member has received.
  package internal(set) var received = (datagrams: 0, bytes: 0)
  /// The number of times that the member did the work that was due (`tick`).
  package internal(set) var ticks = 0

  /// The true time of the member's last start in seconds; nil while the member is not there.
  package internal(set) var joinedAt: Double?

  /// The last true time, in nanoseconds, at which the member acted or received something while its rhythm was not
  /// playing.
  package private(set) var lastSilentTime = Int64.min

  /// A closure that is called after each of the member's actions, with the member's core and host time; nil for none.
  var watcher: (@Sendable (inout SessionCore, HostTime) -> Void)?

  /// Whether the member has joined and not crashed.
  var isThere: Bool { joinedAt != nil }

  /// The member's settings.
  package internal(set) var settings: SessionCore.Settings
  package internal(set) var clock: VirtualClock
  /// The true time of the member's next tick, in nanoseconds; ticks in the queue with another time are outdated, and
  /// are skipped.
  var awaited: Int64 = .max
  /// Whether a burst of losses of packets to the member is in progress.
  var isLosing = false

  /// Does the member's work that is due at a true time, in nanoseconds.
  mutating func tick(at time: Int64) {
    ticks += 1
    let host = clock.host(at: time)
    core?.tick(at: host)
  }

  /// Receives a datagram.
  mutating func receive(_ datagram: [UInt8], from sender: SessionEndpoint, at time: Int64) {
    received.datagrams += 1
    received.bytes += datagram.count
    let host = clock.host(at: time)
    core?.receive(datagram, from: sender, at: host, now: host)
  }

  /// Removes and returns the datagrams to send, and records the member's events.
  mutating func drainOutgoing(at time: Int64) -> [Outgoing] {
    let seconds = Double(time) * 1e-9
    let host = clock.host(at: time)
    if core?.inPlace({ $0.beatClock.isPlaying(at: host) }) == false { lastSilentTime = time }
    if let watcher { core?.inPlace { watcher(&$0, host) } }
    for event in core?.drainEvents() ?? [] { events.append((seconds, event)) }
    for play in core?.drainHeard() ?? [] { heard.append((seconds, play)) }
    return core?.drainOutgoing() ?? []
  }

  /// Sets and returns the true time of the member's next tick, after `now`; nil if that time has not changed.
  mutating func awaitTick(after now: Int64) -> Int64? {
    guard let next = core?.inPlace({ $0.nextTick }) else { return nil }
    let tick = max(now, clock.time(at: next))
    guard tick != awaited else { return nil }
    awaited = tick
    return tick
  }

  /// Returns the host clock at a true time in nanoseconds.
  package func host(at time: Int64) -> HostTime { clock.host(at: time) }

  /// Returns the beat that the member shows at a true time; nil while there is none.
  package func beat(atNanoseconds time: Int64) -> Double? { core?.beatClock.beat(at: host(at: time)) }

  /// Returns the tempo that the member shows at a true time; nil while there is none.
  package func tempo(atNanoseconds time: Int64) -> Double? {
    core?.beatClock.tempo(at: host(at: time))?.beatsPerMinute
  }
}

extension SessionCore {
  /// Calls a closure with this core in place: a copy of the core would take longer than most actions of the core.
  fileprivate mutating func inPlace<Result>(_ body: (inout SessionCore) -> Result) -> Result { body(&self) }
}

/// A host clock with an error: it differs from the true time, which is the time of the simulation.
package struct VirtualClock: Sendable {
  /// The clock's value at true time zero, in nanoseconds.
  var offset: Int64
  /// The relative error of the clock's rate; above 0, the clock runs fast.
  let skew: Double

  /// Returns the clock's value at a true time in nanoseconds.
  package func host(at time: Int64) -> HostTime {
    HostTime(nanoseconds: time &+ offset &+ Int64((Double(time) * skew).rounded()))
  }

  /// Returns the true time in nanoseconds at which the clock has a value.
  package func time(at host: HostTime) -> Int64 {
    Int64((Double(host.nanoseconds &- offset) / (1 + skew)).rounded(.up))
  }
}
