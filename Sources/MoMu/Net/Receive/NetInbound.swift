import MoOSC
import MoTime
import Synchronization

/// What becomes of packets between their arrival and the callbacks.
///
/// They are checked, sorted by address, kept until their time, and delivered in order. It knows no sockets, so that
/// a tape, a test or a fuzzer can be the network.
///
/// - Thread: packets are taken in by one thread at a time, delivered by one at a time; everything else by any.
final class NetInbound: @unchecked Sendable {
  // Unchecked: all that changes is guarded by `lock`.
  private let lock = MoMutex()
  private var routing = NetRouting()
  private let backlog = NetBacklog()
  private var senders = NetSenders()
  private var isOpen = true
  private var offset: Int64
  private var offsetRead = HostTime.distantPast
  private var warned: Set<Int> = []
  private var clock: any TimeSource
  private var wall: any NetClock
  /// What is to be said once the lock is open: whoever hears it may ask this inbound something.
  private var warnings: [String] = []
  private let warn: @Sendable (String) -> Void

  /// How far ahead a message may lie, in seconds: beyond it, its sender's clock is wrong, and it is dropped.
  let horizon = Atomic<Int64>(60_000_000_000)

  /// How long a reading of the wall clock holds: NTP turns it by less than 5 µs in this.
  private static let offsetHolds: Int64 = 5_000_000
  /// By how much the wall clock must move at once to have been set, or the machine to have slept.
  private static let step: Int64 = 20_000_000

  init(clock: any TimeSource, wall: any NetClock, warn: @escaping @Sendable (String) -> Void) {
    self.clock = clock
    self.wall = wall
    self.warn = warn
    offset = wall.wallOffset()
  }

  /// Goes by other clocks from now on.
  func use(clock: any TimeSource, wall: any NetClock) {
    lock.withLock {
      self.clock = clock
      self.wall = wall
      offsetRead = .distantPast
      offset = wall.wallOffset()
    }
  }

  // MARK: callbacks

  func add(_ handler: NetHandler) -> MoToken {
    lock.withLock { routing.add(handler) }
    return MoToken { [weak self] in
      self?.lock.withLock { self?.routing.remove(handler) }
      handler.cancel()
    }
  }

  /// Takes away every callback of a pattern.
  func removeAll(at pattern: String) {
    let found = lock.withLock { routing.handlers.filter { $0.pattern.text == pattern } }
    for handler in found {
      lock.withLock { routing.remove(handler) }
      handler.cancel()
    }
  }

  var hasHandlers: Bool { lock.withLock { !routing.handlers.isEmpty } }

  // MARK: arrival

  /// Takes packets in, several at once.
  func intake(_ body: (borrowing Intake) -> Void) {
    let warnings = lock.withLock {
      refreshOffset()
      body(Intake(inbound: self))
      defer { self.warnings.removeAll() }
      return self.warnings
    }
    for text in warnings { warn(text) }
  }

  /// Leave to take packets in, while the lock is held.
  struct Intake: ~Copyable {
    fileprivate let inbound: NetInbound

    /// Takes in a packet.
    ///
    /// - Parameter arrival: when it came; nil for now.
    func accept(_ bytes: UnsafeRawBufferPointer, from peer: NetPeer, at arrival: HostTime) {
      inbound.accept(bytes, from: peer, at: arrival)
    }

    /// The host time of a kernel stamp on the wall clock; `now` where there is none.
    func hostTime(ofWall nanoseconds: Int64, now: HostTime) -> HostTime {
      guard nanoseconds != 0 else { return now }
      return min(HostTime(nanoseconds: nanoseconds &- inbound.offset), now)
    }
  }

  private func accept(_ bytes: UnsafeRawBufferPointer, from peer: NetPeer, at arrival: HostTime) {
    let sender = senders.number(of: peer.address)
    senders.heard(sender, at: arrival)
    do throws(OSCError) {
      try OSCPacketWalk.messages(of: bytes) { message, tag in
        sort(message, tag, Origin(peer: peer, sender: sender, arrival: arrival))
      }
    } catch {
      senders.count(sender) { $0.malformed += 1 }
      warnOnce(sender) { "a packet from \(peer.address) was dropped: \(error)" }
    }
  }

  private struct Origin {
    var peer: NetPeer
    var sender: Int
    var arrival: HostTime
  }

  /// Puts one message where it belongs.
  private func sort(_ bytes: UnsafeRawBufferPointer, _ tag: OSCTimeTag?, _ origin: Origin) {
    let tag = tag == .immediate ? nil : tag
    let time = tag.map { $0.hostTime(wallOffset: offset) } ?? origin.arrival
    guard let route = routing.route(for: OSCPacketWalk.address(ofMessage: bytes)) else {
      return senders.count(origin.sender) {
        $0.received += 1
        $0.unmatched += 1
      }
    }
    let ahead = time.nanoseconds &- origin.arrival.nanoseconds
    guard ahead <= horizon.load(ordering: .relaxed) else {
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
    if route.policy == .latest, !isFuture, route.waiting >= 0 {
      // The newest takes the place of the one that waits; one that was overtaken on its way is none.
      guard backlog[route.waiting].time <= time else { return drop(origin.sender) }
      let replaced = backlog[route.waiting].sender
      if backlog.fill(route.waiting, bytes) {
        senders.count(replaced) { $0.dropped += 1 }
        return note(route.waiting, route, tag, time, origin)
      }
    }
    guard let slot = backlog.take(bytes, from: origin.peer) else { return drop(origin.sender) }
    note(slot, route, tag, time, origin)
    guard isFuture else {
      if route.policy == .latest { route.waiting = slot }
      return backlog.append(slot)
    }
    if route.hasAhead {
      backlog[slot].isAhead = true
      return backlog.append(slot)
    }
    wait(slot)
  }

  private func note(_ slot: Int32, _ route: NetRoute, _ tag: OSCTimeTag?, _ time: HostTime, _ origin: Origin)
  {
    backlog[slot].route = route
    backlog[slot].peer = origin.peer
    backlog[slot].sender = origin.sender
    backlog[slot].arrival = origin.arrival
    backlog[slot].time = time
    backlog[slot].timeTag = tag
    backlog[slot].isAhead = false
    backlog[slot].isOnTimeOnly = false
    senders.count(origin.sender) { $0.received += 1 }
  }

  private func wait(_ slot: Int32) {
    guard !backlog.wait(slot) else { return }
    senders.count(backlog[slot].sender) { $0.dropped += 1 }
    backlog.release(slot)
  }

  private func drop(_ sender: Int) {
    senders.count(sender) {
      $0.received += 1
      $0.dropped += 1
    }
  }

  // MARK: delivery

  /// When something is to be delivered next; nil where nothing waits.
  var nextTime: HostTime? {
    lock.withLock { backlog.isLineEmpty ? backlog.nextTime : .distantPast }
  }

  /// Whether so much waits that those who can be asked to wait should be.
  var isHalfFull: Bool { lock.withLock { backlog.count > NetBacklog.capacity / 2 } }

  /// Delivers all that is due by now, and nothing before its time.
  ///
  /// - Returns: whether something was delivered.
  @discardableResult
  func deliver(for server: NetServer, while goesOn: () -> Bool = { true }) -> Bool {
    var finished: (slot: Int32, outcome: NetOutcome)?
    var hasDelivered = false
    while let slot = next(finished, goesOn: goesOn()) {
      hasDelivered = true
      finished = (slot, call(slot, server))
    }
    return hasDelivered
  }

  /// Settles the message before and takes out the next; nil where none is due.
  private func next(_ finished: (slot: Int32, outcome: NetOutcome)?, goesOn: Bool) -> Int32? {
    lock.withLock {
      if let finished { settle(finished.slot, finished.outcome) }
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
      return nil
    }
  }

  /// What waited for its time and is due; time is read only where something does.
  private func nextDue() -> Int32? {
    guard backlog.nextTime != nil else { return nil }
    refreshOffset()
    return backlog.popDue(by: clock.now)
  }

  private func settle(_ slot: Int32, _ outcome: NetOutcome) {
    if backlog[slot].isAhead, backlog[slot].route?.hasOnTime == true, isOpen {
      backlog[slot].isAhead = false
      backlog[slot].isOnTimeOnly = true
      return wait(slot)
    }
    senders.count(backlog[slot].sender) {
      switch outcome {
      case .taken: $0.dispatched += 1
      case .mismatched: $0.mismatched += 1
      case .full: $0.dropped += 1
      }
    }
    backlog.release(slot)
  }

  /// Calls the callbacks of a message that is out of every line, so that its slot is this thread's alone.
  private func call(_ slot: Int32, _ server: NetServer) -> NetOutcome {
    let (handlers, isAhead, isOnTimeOnly) = (
      backlog[slot].route?.handlers ?? [], backlog[slot].isAhead, backlog[slot].isOnTimeOnly
    )
    let bytes = UnsafeRawBufferPointer(start: backlog[slot].bytes, count: backlog[slot].length)
    let context = NetContext(
      peer: backlog[slot].peer, arrival: backlog[slot].arrival, time: backlog[slot].time,
      timeTag: backlog[slot].timeTag, server: server)
    let outcome = try? OSCMessageView.read(bytes) { view in
      var outcome = NetOutcome.mismatched
      let values = NetValues(view: view)
      for handler in handlers where isAhead ? handler.isAhead : !(isOnTimeOnly && handler.isAhead) {
        switch handler.call(values, context) {
        case .taken?: outcome = .taken
        case .full?: if outcome != .taken { outcome = .full }
        case .mismatched?:
          if handler.mayComplain() {
            warn(
              "\(view.message.address) came from \(context.peer.address) with the types \"\(view.types)\", "
                + "but its callback wants \(handler.wants): such messages are counted as mismatched")
          }
        case nil:
          // It was cancelled while the message waited; that is nobody's mistake.
          if outcome == .mismatched { outcome = .full }
        }
      }
      return outcome
    }
    return outcome ?? .full
  }

  // MARK: opening and closing

  func open() { lock.withLock { isOpen = true } }

  /// Gives up everything that waits; what comes is dropped until `open()`.
  func close() {
    lock.withLock {
      isOpen = false
      backlog.removeAll { waiting in
        let sender = waiting.sender
        senders.count(sender) { $0.dropped += 1 }
      }
    }
  }

  // MARK: time and counts

  /// The distance of the wall clock now.
  var wallOffset: Int64 {
    lock.withLock {
      refreshOffset()
      return offset
    }
  }

  /// Follows the wall clock, and takes along what waits when it was set or the machine has slept.
  private func refreshOffset() {
    let now = clock.now
    guard offsetRead == .distantPast || now.nanoseconds &- offsetRead.nanoseconds >= Self.offsetHolds else {
      return
    }
    let previous = offset
    offset = wall.wallOffset()
    offsetRead = now
    if abs(offset &- previous) > Self.step { backlog.shiftFuture(byNanoseconds: previous &- offset) }
  }

  private func warnOnce(_ sender: Int, _ text: () -> String) {
    guard warned.insert(sender).inserted else { return }
    warnings.append(text())
  }

  /// What has been seen.
  var statistics: NetStatistics {
    lock.withLock {
      var statistics = NetStatistics()
      statistics.counts = senders.total
      statistics.waiting = backlog.count
      statistics.senders = senders.list.filter { $0.lastHeard != .distantPast }
      return statistics
    }
  }
}
