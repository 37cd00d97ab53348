import MoTime

/// A member of the virtual orchestra: the real protocol, on a host clock that is not quite right.
public struct VirtualMember: Sendable {
  /// The protocol; nil while the member is not there.
  public internal(set) var core: SessionCore?
  /// Where it is on the virtual network.
  public let endpoint: SessionEndpoint
  /// What happened to it, with the true time in seconds.
  public internal(set) var events: [(seconds: Double, event: SessionEvent)] = []
  /// What was played for it, as it was handed over, with the true time in seconds.
  public internal(set) var heard: [(seconds: Double, play: SessionHeard)] = []
  /// What it has put down for a tape, where it is recorded.
  public internal(set) var tape: [SessionTapeEntry] = []
  /// Datagrams it has sent, those of them to all, and their bytes.
  public internal(set) var sent = (datagrams: 0, toAll: 0, bytes: 0)
  /// Datagrams of it that the access point had no room for.
  public internal(set) var dropped = 0
  /// Datagrams it has received, and their bytes.
  public internal(set) var received = (datagrams: 0, bytes: 0)
  /// How often it was woken.
  public internal(set) var ticks = 0

  /// When it came last, in seconds of true time; nil while it is not there.
  public internal(set) var joinedAt: Double?

  /// The last true time at which nothing was to be heard of it, of those at which it did or took in anything.
  private(set) var wasSilent = Int64.min

  /// Whether it is there.
  var isThere: Bool { joinedAt != nil }

  var settings: SessionCore.Settings
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
  mutating func takeOutgoing(at time: Int64) -> [Outgoing] {
    let seconds = Double(time) * 1e-9
    let host = host(at: time)
    if core?.beatClock.isPlaying(at: host) == false { wasSilent = time }
    tape += core?.takeTape(at: host) ?? []
    for event in core?.takeEvents() ?? [] { events.append((seconds, event)) }
    for play in core?.takeHeard() ?? [] { heard.append((seconds, play)) }
    return core?.takeOutgoing() ?? []
  }

  /// When it is to do something next by its own clock; nil while it is not there.
  var nextTick: HostTime? { core?.nextTick }

  /// The host clock at a true time in nanoseconds.
  func host(at time: Int64) -> HostTime {
    HostTime(nanoseconds: time &+ offset &+ Int64((Double(time) * skew).rounded()))
  }

  /// The true time at which the host clock shows a moment.
  func time(at host: HostTime) -> Int64 {
    Int64((Double(host.nanoseconds &- offset) / (1 + skew)).rounded(.up))
  }

  /// The beat it shows at a true time; nil while there is none.
  public func beat(atNanoseconds time: Int64) -> Double? { core?.beatClock.beat(at: host(at: time)) }

  /// The tempo it shows at a true time; nil while there is none.
  public func tempo(atNanoseconds time: Int64) -> Double? { core?.beatClock.tempo(at: host(at: time)) }
}
