import MoCore
import MoOSC
import Synchronization

/// What becomes of packets between their arrival and the callbacks.
///
/// They are checked, sorted by address, kept until their time, and delivered in order. It knows no sockets, so that
/// a tape, a test or a fuzzer can be the network.
///
/// - Thread: packets are taken in by one thread at a time, delivered by one at a time; everything else by any.
package final class NetReceiver: @unchecked Sendable {
  // Unchecked: `mail` is used under `lock` alone, but for a slot of the backlog that is out of every line. It has a
  // place of its own, as no lock needs Swift's watch over two uses at once, which every message would pay for.
  private let lock = MoMutex(inheritsPriority: false)
  private let mail: UnsafeMutablePointer<NetDispatcher>
  private let backlog: NetMessageQueue
  private let warn: @Sendable (String) -> Void
  /// How often it was closed: none of a message's callbacks is called any more once one has stopped the server.
  let closings = Atomic<Int>(0)

  /// How many nanoseconds ahead a message may lie: beyond it, its sender's clock is wrong, and it is dropped.
  let horizon = Atomic<Int64>(60_000_000_000)

  init(clock: any TimeSource, wall: any NetClock, warn: @escaping @Sendable (String) -> Void) {
    mail = .allocate(capacity: 1)
    mail.initialize(to: NetDispatcher(clock: clock, wall: wall))
    backlog = mail.pointee.backlog
    self.warn = warn
  }

  deinit {
    mail.deinitialize(count: 1)
    mail.deallocate()
  }

  private func locked<Result>(_ body: (inout NetDispatcher) -> Result) -> Result {
    lock.withLock { body(&mail.pointee) }
  }

  /// Goes by other clocks from now on.
  func use(clock: any TimeSource, wall: any NetClock) { locked { $0.use(clock: clock, wall: wall) } }

  /// Goes by a clock whose zero is 1970, for measurements in counted time.
  package func use(clock: any TimeSource) { use(clock: clock, wall: FixedNetClock(offset: 0)) }

  // MARK: callbacks

  func add(_ handler: NetMethod) -> MoToken {
    locked { $0.routing.add(handler) }
    return MoToken { [weak self] in
      self?.locked { $0.routing.remove(handler) }
      handler.cancel()
    }
  }

  /// Takes away every callback of a pattern.
  func removeAll(at pattern: String) {
    let found = locked { mail in
      let found = mail.routing.handlers.filter { $0.pattern.text == pattern }
      for handler in found { mail.routing.remove(handler) }
      return found
    }
    for handler in found { handler.cancel() }
  }

  // MARK: arrival

  /// Takes packets in, several at once.
  ///
  /// - Parameter now: the moment it is, where it has just been asked for.
  package func intake(at now: HostTime? = nil, _ body: (inout Intake) -> Void) {
    let horizon = horizon.load(ordering: .relaxed)
    lock.acquire()
    mail.pointee.refreshOffset(at: now)
    var intake = Intake(mail: mail, horizon: horizon)
    body(&intake)
    let warnings = mail.pointee.takeWarnings()
    lock.release()
    for text in warnings { warn(text) }
  }

  /// Leave to take packets in, while the lock is held: not to be kept.
  package struct Intake {
    fileprivate let mail: UnsafeMutablePointer<NetDispatcher>
    fileprivate let horizon: Int64

    /// Takes in a packet that came at a moment.
    package mutating func accept(_ bytes: UnsafeRawBufferPointer, from peer: NetPeer, at arrival: HostTime) {
      mail.pointee.accept(bytes, from: peer, at: arrival, horizon: horizon)
    }

    /// The host time of a kernel stamp on the wall clock; `now` where there is none.
    func hostTime(ofWall nanoseconds: Int64, now: HostTime) -> HostTime {
      guard nanoseconds != 0 else { return now }
      return min(HostTime(nanoseconds: nanoseconds &- mail.pointee.offset), now)
    }
  }

  // MARK: delivery

  /// When something is to be delivered next; nil where nothing waits.
  var nextTime: HostTime? {
    locked { mail in
      guard mail.backlog.isLineEmpty else { return .distantPast }
      if mail.backlog.nextTime != nil { mail.refreshOffset() }
      return mail.backlog.nextTime
    }
  }

  /// Whether so much waits that those who can be asked to wait should be.
  var isBusy: Bool { locked { $0.backlog.isBusy } }

  /// Delivers all that is due by now, and nothing before its time.
  ///
  /// - Parameter goesOn: asked before each message.
  /// - Returns: whether something was delivered.
  @discardableResult
  package func deliver(for server: NetServer, while goesOn: () -> Bool = { true }) -> Bool {
    var finished: (slot: Int32, outcome: NetCallResult)?
    var hasDelivered = false
    while true {
      let canGoOn = goesOn()
      guard let slot = locked({ $0.next(finished, goesOn: canGoOn) }) else { return hasDelivered }
      hasDelivered = true
      finished = (slot, call(slot, server))
    }
  }

  /// Calls the callbacks of a message that is out of every line, so that its slot is this thread's alone.
  private func call(_ slot: Int32, _ server: NetServer) -> NetCallResult {
    guard let route = backlog[slot].route else { return .full }
    let isAhead = backlog[slot].isAhead
    let isOnTimeOnly = backlog[slot].isOnTimeOnly
    let bytes = UnsafeRawBufferPointer(start: backlog[slot].bytes, count: backlog[slot].length)
    let context = NetContext(
      peer: backlog[slot].peer, arrival: backlog[slot].arrival, time: backlog[slot].time,
      timeTag: backlog[slot].timeTag, server: server, closing: closings.load(ordering: .acquiring))
    var outcome = NetCallResult.mismatched
    let read: ()? = try? OSCMessageView.read(bytes) { view in
      let values = NetValues(view: view, address: route.text)
      for handler in route.handlers where isAhead ? handler.isAhead : !(isOnTimeOnly && handler.isAhead) {
        guard closings.load(ordering: .acquiring) == context.closing else {
          if outcome == .mismatched { outcome = .full }
          return
        }
        switch handler.call(values, context) {
        case .taken?: outcome = .taken
        case .full?: if outcome != .taken { outcome = .full }
        case .mismatched?: complain(handler, view, context)
        // It was cancelled while the message waited; that is nobody's mistake.
        case nil: if outcome == .mismatched { outcome = .full }
        }
      }
    }
    return read == nil ? .full : outcome
  }

  private func complain(_ handler: NetMethod, _ view: OSCMessageView, _ context: NetContext) {
    guard handler.mayComplain() else { return }
    warn(
      "\(view.message.address.printable) came from \(context.peer.address) with the types "
        + "\"\(view.types.printable)\", "
        + "but its callback wants \(handler.wants): such messages are counted as mismatched")
  }

  // MARK: opening and closing

  func open() { locked { $0.isOpen = true } }

  /// Gives up everything that waits; what comes is dropped until `open()`.
  func close() {
    closings.wrappingAdd(1, ordering: .releasing)
    locked { mail in
      mail.isOpen = false
      mail.backlog.removeAll { waiting in
        let sender = waiting.sender
        mail.senders.count(sender) { $0.dropped += 1 }
      }
    }
  }

  // MARK: looks

  /// Nanoseconds from the host clock to the wall clock.
  var wallOffset: Int64 {
    locked { mail in
      mail.refreshOffset()
      return mail.offset
    }
  }

  /// How many addresses stand in the table.
  var remembered: Int { locked { $0.routing.count } }

  /// How many messages came from an address; nil where its sender is not told apart from others.
  func received(from address: NetAddress) -> Int? {
    locked { $0.senders.list.first { $0.address == address }?.counts.received }
  }

  /// What has been seen.
  var statistics: NetStatistics {
    locked { mail in
      var statistics = NetStatistics()
      statistics.counts = mail.senders.total
      statistics.waiting = mail.backlog.count
      statistics.senders = mail.senders.list.filter { $0.lastHeard != .distantPast }
      return statistics
    }
  }
}
