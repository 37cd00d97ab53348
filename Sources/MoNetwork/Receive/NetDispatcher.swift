import MoCore
import MoOSC

/// A dispatcher of received messages: it assigns them to callbacks, stores them until they are due, returns them in
/// order, and counts them.
///
/// - Thread: any, but one at a time; the lock of `NetReceiver` ensures this.
package struct NetDispatcher {
  var routing = NetAddressSpace()
  let backlog = NetMessageQueue()
  var senders = NetSenders()
  var isOpen = true
  /// The largest time from the arrival of a message to its time tag, in nanoseconds; a message with a later time tag is
  /// dropped.
  var horizon: Int64 = 0
  /// The warnings to log after the lock of `NetReceiver` is released, since the log's handler may call a function that
  /// needs this lock.
  private var warnings: [String] = []
  /// The nanoseconds to add to a host time to get the wall-clock time, in nanoseconds since 1970.
  private(set) var offset: Int64
  private var offsetRead = HostTime.distantPast
  private var warned: Set<Int> = []
  private var clock: any TimeSource
  private var wall: any NetClock

  /// The time for which `offset` is used before it is read again, in nanoseconds; in this time, NTP shifts the wall
  /// clock by less than 5 µs.
  private static let offsetHolds: Int64 = 5_000_000
  /// The jump of the wall clock, in nanoseconds, beyond which MoMu concludes that the clock was set or the machine was
  /// suspended.
  private static let step: Int64 = 20_000_000

  init(clock: any TimeSource, wall: any NetClock) {
    self.clock = clock
    self.wall = wall
    offset = wall.wallOffset()
  }

  /// Replaces the host clock and the wall clock.
  mutating func use(clock: any TimeSource, wall: any NetClock) {
    self.clock = clock
    self.wall = wall
    offset = wall.wallOffset()
    offsetRead = .distantPast
  }

  // MARK: arrival

  private struct Origin {
    var peer: NetPeer
    var sender: Int
    var arrival: HostTime
  }

  /// Returns the host time for a wall-clock timestamp of the kernel, at most `now`; `now` if the timestamp is 0, which
  /// means that the kernel gave none.
  func hostTime(ofWall nanoseconds: Int64, now: HostTime) -> HostTime {
    guard nanoseconds != 0 else { return now }
    return min(HostTime(nanoseconds: nanoseconds &- offset), now)
  }

  /// Accepts a packet that arrived at `arrival`: puts its messages into queues, or counts the packet as malformed.
  package mutating func accept(_ bytes: UnsafeRawBufferPointer, from peer: NetPeer, at arrival: HostTime) {
    let sender = senders.number(of: peer.address)
    senders.setLastHeard(sender, at: arrival)
    do throws(OSCError) {
      let skipped = try OSCPacketReader.messages(of: bytes) { message, tag in
        sort(message, tag, Origin(peer: peer, sender: sender, arrival: arrival))
      }
      if skipped > 0 { skip(skipped, sender, peer) }
    } catch {
      senders.count(sender) { $0.malformed += 1 }
      warnOnce(sender) { "a packet from \(peer.address) was dropped: \(error)" }
    }
  }

  /// Counts the messages of a bundle that have a type that MoMu does not know.
  private mutating func skip(_ count: Int, _ sender: Int, _ peer: NetPeer) {
    senders.count(sender) {
      $0.received += count
      $0.mismatched += count
    }
    warnOnce(sender) {
      "messages from \(peer.address) were dropped, since a type in them is unknown: send only the types "
        + OSCArgument.knownTypes
    }
  }

  /// Puts a message into the queue in which it waits for delivery; drops it if no callback matches or a limit is
  /// exceeded.
  private mutating func sort(_ bytes: UnsafeRawBufferPointer, _ tag: OSCTimeTag?, _ origin: Origin) {
    // A tag of zero, long past or in 2036, comes from a sender that sets no time.
    let tag = tag.flatMap { $0.rawValue <= OSCTimeTag.immediate.rawValue ? nil : $0 }
    let time = tag.map { $0.hostTime(wallOffset: offset) } ?? origin.arrival
    guard let route = routing.route(for: OSCPacketReader.address(ofMessage: bytes)) else {
      return senders.count(origin.sender) {
        $0.received += 1
        $0.unmatched += 1
      }
    }
    let ahead = time.nanoseconds &- origin.arrival.nanoseconds
    guard ahead <= horizon else {
      drop(origin.sender)
      return warnOnce(origin.sender) {
        "the clock of \(origin.peer.address) is \(ahead / 1_000_000_000) s ahead of this machine's: its bundles "
          + "are dropped. Set both clocks (timedatectl set-ntp true), or send them with the time tag 'immediately'"
      }
    }
    let isLate = ahead < 0
    if isLate, let longest = route.longestLate, Double(-ahead) * 1e-9 > longest {
      return senders.count(origin.sender) {
        $0.received += 1
        $0.late += 1
        $0.dropped += 1
      }
    }
    if isLate { senders.count(origin.sender) { $0.late += 1 } }
    let isFuture = ahead > 0 && time > clock.now
    let isLatest = route.policy == .latest && !isFuture
    // The newest message replaces the one that waits; a message that was overtaken on its way is not the newest.
    let replaced = isLatest && route.waiting >= 0 ? route.waiting : nil
    if let replaced, backlog[replaced].time > time { return drop(origin.sender) }
    let isAhead = isFuture && route.hasAhead
    let queue: NetMessageQueue.Queue = isLatest ? .latest : isFuture && !isAhead ? .future : .normal
    guard let slot = backlog.store(bytes, from: origin.peer, at: time, in: replaced, to: queue)
    else { return drop(origin.sender) }
    if replaced != nil { senders.count(backlog[slot].sender) { $0.dropped += 1 } }
    if isLatest { route.waiting = slot }
    backlog[slot].route = route
    backlog[slot].sender = origin.sender
    backlog[slot].arrival = origin.arrival
    backlog[slot].timeTag = tag
    backlog[slot].isAhead = isAhead
    backlog[slot].isOnTimeOnly = false
    senders.count(origin.sender) { $0.received += 1 }
  }

  private mutating func drop(_ sender: Int) {
    senders.count(sender) {
      $0.received += 1
      $0.dropped += 1
    }
  }

  // MARK: delivery

  /// Returns the index, in `backlog`, of the next message to deliver; nil if none is due, or if `goesOn` is false.
  ///
  /// - Parameter finished: the index (`slot`) of the message that was delivered just before, and the result of its
  ///   callbacks, which is counted; nil for none.
  mutating func next(_ finished: (slot: Int32, outcome: NetCallResult)?, goesOn: Bool) -> Int32? {
    if let finished { finish(finished.slot, finished.outcome) }
    while goesOn, let slot = nextDue() ?? backlog.popFirst() {
      let route = backlog[slot].route
      if route?.waiting == slot { route?.waiting = -1 }
      let isInOrder =
        backlog[slot].isAhead
        || route?.keepsOrder(backlog[slot].time, from: backlog[slot].sender) != false
      if isOpen && isInOrder { return slot }
      senders.count(backlog[slot].sender) { $0.dropped += 1 }
      backlog.release(slot)
    }
    // Between messages, so that the next one does not have to wait for it.
    if finished != nil { refreshOffset(after: Self.offsetHolds / 2) }
    return nil
  }

  /// Removes and returns the slot of the next message that waited for its time tag and is now due; nil if there is
  /// none.
  ///
  /// The clock is read only if any message waits for its time tag.
  private mutating func nextDue() -> Int32? {
    guard backlog.nextTime != nil else { return nil }
    refreshOffset()
    return backlog.popDue(by: clock.now)
  }

  private mutating func finish(_ slot: Int32, _ outcome: NetCallResult) {
    if backlog[slot].isAhead, backlog[slot].route?.hasOnTime == true, isOpen {
      backlog[slot].isAhead = false
      backlog[slot].isOnTimeOnly = true
      if backlog.wait(slot) { return }
      senders.count(backlog[slot].sender) { $0.dropped += 1 }
    } else {
      senders.count(backlog[slot].sender) {
        switch outcome {
        case .taken: $0.dispatched += 1
        case .mismatched: $0.mismatched += 1
        case .full: $0.dropped += 1
        }
      }
    }
    backlog.release(slot)
  }

  // MARK: time

  /// Reads `offset` again if the last reading is at least `age` nanoseconds old.
  ///
  /// If the wall clock was set or the machine was suspended, the times of the waiting messages are shifted by the
  /// clock's jump.
  ///
  /// - Parameter known: the present time; if nil, the clock is read.
  mutating func refreshOffset(at known: HostTime? = nil, after age: Int64 = Self.offsetHolds) {
    let now = known ?? clock.now
    guard offsetRead == .distantPast || now.nanoseconds &- offsetRead.nanoseconds >= age else {
      return
    }
    let previous = offset
    offset = wall.wallOffset()
    offsetRead = now
    if abs(offset &- previous) > Self.step { backlog.shiftFuture(byNanoseconds: previous &- offset) }
  }

  /// Adds a warning about a sender, once for each sender and only for the first eight senders, so that a flood of
  /// forged senders does not flood the log.
  private mutating func warnOnce(_ sender: Int, _ text: () -> String) {
    guard warned.count < Self.mostWarned, warned.insert(sender).inserted else { return }
    warnings.append(text())
    if warned.count == Self.mostWarned {
      warnings.append("MoMu only counts the faults of further senders")
    }
  }

  private static let mostWarned = 8

  /// Returns the pending warnings and clears them.
  mutating func takeWarnings() -> [String] {
    guard !warnings.isEmpty else { return [] }
    defer { warnings = [] }
    return warnings
  }
}
