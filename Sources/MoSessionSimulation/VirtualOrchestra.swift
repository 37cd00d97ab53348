import MoCore
import MoSessionCore

/// An orchestra in one program: members with different clock rates on a network that delays and loses packets.
///
/// The network can also duplicate and reorder packets.
///
/// The same seed repeats the same events.
///
/// - Thread: one owner.
package struct VirtualOrchestra: Sendable {
  /// All members, including members that have not joined yet or have crashed.
  package var members: [VirtualMember] = []
  /// The present true time, which no clock error changes, in nanoseconds since the start of the simulation.
  package private(set) var now: Int64 = 0
  /// The network; you may change it at any time.
  package var network: SimulatedNetwork
  /// For each member, the number of its part of a divided network; members of different parts do not hear each other.
  package var parts: [Int] = []
  /// For each member, the extra delay of the packets that the member sends, in seconds.
  package var extraDelays: [Double] = []
  /// Routes that carry no packets, each as the sender's index times the number of members, plus the receiver's index.
  ///
  /// A route has one direction: packets from a member to another member can be lost while the packets back arrive.
  package var cut: Set<Int> = []
  /// The indices of the members that neither send nor receive multicasts and broadcasts.
  package var lacksMulticast: Set<Int> = []
  /// For each member, the time (ns) until which its program is stalled, as on an overloaded machine; its packets wait.
  private var stalls: [Int64] = []
  /// For each member, the packets that wait while its program is stalled, with the indices of their senders.
  private var waiting: [[(datagram: [UInt8], from: Int)]] = []

  private var queue = EventQueue()
  private var chance: SimulatedChance
  /// The arrival time (ns) of the last packet on each route, numbered as in `cut`; used if packets keep their order.
  private var latest: [Int: Int64] = [:]

  /// The true time (ns) at which the radio channel is free again, after all waiting Wi-Fi frames.
  private var channelFreeAt = 0.0
  /// The total time for which Wi-Fi frames have occupied the radio channel, in nanoseconds.
  package private(set) var airTime = 0.0

  /// Creates an orchestra whose members have not joined yet.
  ///
  /// - Parameters:
  ///   - count: the number of members in the orchestra, whether they have joined or not.
  ///   - skew: the largest relative error of a clock's rate; the errors are spread evenly over ±`skew`.
  ///   - seed: the seed of the random numbers.
  package init(count: Int, network: SimulatedNetwork, skew: Double = 50e-6, seed: UInt64 = 1) {
    self.network = network
    chance = SimulatedChance(seed: seed)
    for index in 0..<count {
      let share = count > 1 ? Double(index) / Double(count - 1) * 2 - 1 : 0
      let identity = SessionIdentity(
        member: MemberID(chance.next() | 1), installation: MemberID(chance.next() | 1), name: "p\(index + 1)",
        program: "simulation", release: "1")
      members.append(
        VirtualMember(
          core: nil, endpoint: SessionEndpoint(high: UInt64(0x0A00_0000 + index) << 32, port: 6450),
          settings: SessionCore.Settings(room: "Lab", identity: identity),
          clock: VirtualClock(offset: Int64(chance.next() >> 20), skew: share * skew)))
    }
    parts = Array(repeating: 0, count: count)
    extraDelays = Array(repeating: 0, count: count)
    stalls = Array(repeating: 0, count: count)
    waiting = Array(repeating: [], count: count)
    // The clock errors must not follow the order of the members.
    let skews = members.map(\.clock.skew).shuffled(using: &chance)
    for index in members.indices {
      members[index] = VirtualMember(
        core: nil, endpoint: members[index].endpoint, settings: members[index].settings,
        clock: VirtualClock(offset: members[index].clock.offset, skew: skews[index]))
    }
  }

  /// The present true time, which no clock error changes, in seconds since the start of the simulation.
  package var seconds: Double { Double(now) * 1e-9 }

  /// Changes a member's settings before it joins.
  package mutating func configure(_ index: Int, _ change: (inout SessionCore.Settings) -> Void) {
    change(&members[index].settings)
  }

  /// Starts a member like a new program: the member has a new ID if it had joined before.
  package mutating func join(_ index: Int) {
    if !members[index].events.isEmpty {
      members[index].settings.identity.member = MemberID(chance.next() | 1)
    }
    members[index].settings.secret = members[index].settings.identity.member.bits
    members[index].settings.calendar = 1_800_000_000 + now / 1_000_000_000
    members[index].core = SessionCore(members[index].settings, now: members[index].clock.host(at: now))
    members[index].joinedAt = seconds
    finishTurn(index)
  }

  /// Calls `watcher` with a member's core after each of the member's actions.
  package mutating func watch(
    _ index: Int, _ watcher: @escaping @Sendable (inout SessionCore, HostTime) -> Void
  ) { members[index].watcher = watcher }

  /// Makes a member disappear without a goodbye.
  package mutating func crash(_ index: Int) {
    members[index].core = nil
    members[index].joinedAt = nil
    members[index].awaited = .max
    stalls[index] = 0
    waiting[index] = []
  }

  /// Stalls a member's program for the given time, while its clock and its sound continue.
  package mutating func stall(_ index: Int, seconds: Double) {
    stalls[index] = max(stalls[index], now + Int64(seconds * 1e9))
  }

  /// Wakes a member's machine, which received nothing while it slept.
  package mutating func wake(_ index: Int) {
    stalls[index] = 0
    waiting[index] = []
  }

  /// Whether a member's program is stalled now.
  package func isStalled(_ index: Int) -> Bool { now < stalls[index] }

  /// Makes a member's host clock jump, as after a sleep.
  package mutating func step(_ index: Int, bySeconds seconds: Double) {
    members[index].clock.offset += Int64(seconds * 1e9)
    let host = members[index].clock.host(at: now)
    members[index].core?.clockStepped(at: host)
    finishTurn(index)
  }

  /// Calls a closure with a member's core and host time, and sends the new datagrams.
  ///
  /// - Returns: the closure's result; nil if the member is not there.
  package mutating func act<Result, Failure: Error>(
    _ index: Int, _ body: (inout SessionCore, HostTime) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard members[index].core != nil else { return nil }
    defer { finishTurn(index) }
    let host = members[index].clock.host(at: now)
    return try body(&members[index].core!, host)
  }

  /// Returns the true time, in seconds, at which a member's last datagram arrives; nil if no datagram is under way.
  package func lastArrival(from index: Int) -> Double? {
    queue.lastArrival(from: index).map { Double($0) * 1e-9 }
  }

  /// Lets time pass, up to a true time in seconds.
  package mutating func run(to seconds: Double) {
    let end = Int64(seconds * 1e9)
    while let next = queue.nextTime, next <= end, let (time, event) = queue.removeFirst() {
      now = max(now, time)
      switch event {
      case .tick(let index):
        guard members[index].awaited == time, members[index].isThere else { continue }
        if isStalled(index) {
          members[index].awaited = stalls[index]
          queue.add(event, at: stalls[index])
          continue
        }
        receiveWaiting(index)
        members[index].tick(at: now)
        finishTurn(index)
      case .datagram(let datagram, let from, let to):
        guard members[to].isThere, parts[from] == parts[to], !cut.contains(from * members.count + to) else {
          continue
        }
        if isStalled(to) {
          waiting[to].append((datagram, from))
          continue
        }
        receiveWaiting(to)
        members[to].receive(datagram, from: members[from].endpoint, at: now)
        finishTurn(to)
      case .multicast(let datagram, let from):
        let bits = Double(8 * datagram.count)
        guard let sent = occupyChannel(1 + bits / network.multicastRate * network.framesPerSecond) else {
          members[from].dropped += 1
          continue
        }
        for to in members.indices where to != from && members[to].isThere {
          transmit(datagram, from: from, to: to, at: sent, isToAll: true)
        }
      }
    }
    now = max(now, end)
  }

  private mutating func receiveWaiting(_ index: Int) {
    guard !waiting[index].isEmpty else { return }
    for entry in waiting[index] {
      members[index].receive(entry.datagram, from: members[entry.from].endpoint, at: now)
    }
    waiting[index] = []
  }

  /// Sends a member's outgoing datagrams, stores its events, and sets its next tick.
  private mutating func finishTurn(_ index: Int) {
    for outgoing in members[index].drainOutgoing(at: now) { send(outgoing, from: index) }
    // A tick that was set for later still arrives, and is skipped.
    if let tick = members[index].awaitTick(after: now + 1000) { queue.add(.tick(member: index), at: tick) }
  }

  private mutating func send(_ outgoing: Outgoing, from: Int) {
    // Its members have one address each, so that a datagram for both IPv4 and IPv6 is sent once.
    guard outgoing.destination != .multicastIPv6 else { return }
    members[from].sent.datagrams += 1
    members[from].sent.bytes += outgoing.datagram.count
    switch outgoing.destination {
    case .multicast, .multicastIPv6, .members, .broadcast:
      members[from].sent.toAll += 1
      if network.framesPerSecond > 0 { return multicast(outgoing.datagram, from: from) }
      for to in members.indices where to != from && members[to].isThere {
        transmit(outgoing.datagram, from: from, to: to, at: now, isToAll: true)
      }
    case .one(let endpoint):
      let to = Int(endpoint.high >> 32) - 0x0A00_0000
      guard let sent = occupyChannel(2) else {
        members[from].dropped += 1
        return
      }
      if members.indices.contains(to) {
        transmit(outgoing.datagram, from: from, to: to, at: sent, isToAll: false)
      }
    }
  }

  /// Sends a multicast to the access point, which holds the multicast until the next multiple of `multicastInterval`.
  private mutating func multicast(_ datagram: [UInt8], from: Int) {
    guard let there = occupyChannel(1) else {
      members[from].dropped += 1
      return
    }
    let grid = network.multicastInterval * 1e9
    let time = grid > 0 ? Int64(((Double(there) / grid).rounded(.up) * grid).rounded(.up)) : there
    queue.add(.multicast(datagram, from: from), at: time)
  }

  /// Queues the given number of Wi-Fi frames for the radio channel.
  ///
  /// - Returns: the time (ns) at which the last of these frames is sent; nil if the queue is full.
  private mutating func occupyChannel(_ frames: Double) -> Int64? {
    guard network.framesPerSecond > 0 else { return now }
    let frame = 1e9 / network.framesPerSecond
    let begin = max(channelFreeAt, Double(now))
    guard begin - Double(now) <= network.mostFrames * frame else { return nil }
    channelFreeAt = begin + frames * frame
    airTime += frames * frame
    return Int64(channelFreeAt)
  }

  private mutating func transmit(_ datagram: [UInt8], from: Int, to: Int, at sent: Int64, isToAll: Bool) {
    guard network.carriesMulticast && lacksMulticast.isDisjoint(with: [from, to]) || !isToAll, !isLost(to: to)
    else { return }
    repeat {
      var delay = network.delay(normal: chance.normal()) + extraDelays[from]
      if isToAll && network.multicastInterval > 0 && network.framesPerSecond == 0 {
        let sent = Double(now) * 1e-9
        delay += (sent / network.multicastInterval).rounded(.up) * network.multicastInterval - sent
      }
      var time = sent + Int64(delay * 1e9)
      if !network.reorders {
        let pair = from * members.count + to
        time = max(time, (latest[pair] ?? 0) + 1)
        latest[pair] = time
      }
      queue.add(.datagram(datagram, from: from, to: to), at: time)
    } while network.duplication > 0 && chance.unit() < network.duplication
  }

  /// Returns whether a packet to a member is lost, by a Markov chain with two states, so that losses come in bursts.
  ///
  /// - Source: E. N. Gilbert, *Capacity of a burst-noise channel*, Bell System Technical Journal 39 (1960).
  private mutating func isLost(to: Int) -> Bool {
    guard network.loss > 0 else { return false }
    let leave = 1 / max(1, network.burst)
    let enter = leave * network.loss / max(1e-9, 1 - network.loss)
    let draw = chance.unit()
    members[to].isLosing = members[to].isLosing ? draw >= leave : draw < enter
    return members[to].isLosing
  }
}
