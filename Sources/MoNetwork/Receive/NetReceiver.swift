import MoCore
import MoOSC
import Synchronization

/// The path of packets from their arrival to the callbacks.
///
/// Messages are checked, sorted by address, stored until they are due, and delivered in order. This class does not use
/// sockets, so that a tape, a test or a fuzzer can replace the network.
///
/// - Thread: any; only one thread at a time may pass packets in, and only one thread at a time may deliver.
package final class NetReceiver: @unchecked Sendable {
  // Unchecked: `dispatcher` is used only under `lock`, except for a slot of the backlog that is in no queue.
  // `dispatcher` is allocated separately, since Swift's exclusivity check, which the lock makes unnecessary, would cost
  // time for every message.
  private let lock = MoMutex(inheritsPriority: false)
  private let dispatcher: UnsafeMutablePointer<NetDispatcher>
  private let backlog: NetMessageQueue
  private let warn: @Sendable (String) -> Void
  /// The number of times this object was closed.
  ///
  /// If the number changes while the callbacks of a message are called, the server was stopped: the remaining callbacks
  /// of the message are not called.
  let closings = Atomic<Int>(0)

  /// The largest time from the arrival of a message to its time tag, in nanoseconds.
  ///
  /// A message with a later time tag is dropped, since its sender's clock must be wrong.
  let horizon = Atomic<Int64>(60_000_000_000)

  init(clock: any TimeSource, wall: any NetClock, warn: @escaping @Sendable (String) -> Void) {
    dispatcher = .allocate(capacity: 1)
    dispatcher.initialize(to: NetDispatcher(clock: clock, wall: wall))
    backlog = dispatcher.pointee.backlog
    self.warn = warn
  }

  deinit {
    dispatcher.deinitialize(count: 1)
    dispatcher.deallocate()
  }

  private func locked<Result>(_ body: (inout NetDispatcher) -> Result) -> Result {
    lock.withLock { body(&dispatcher.pointee) }
  }

  /// Replaces the host clock and the wall clock.
  package func use(clock: any TimeSource, wall: any NetClock) { locked { $0.use(clock: clock, wall: wall) } }

  /// Replaces the host clock and the wall clock with a clock that counts from 1970, for tests and measurements in which
  /// the program itself advances the clock.
  package func use(clock: any TimeSource) { use(clock: clock, wall: FixedNetClock(offset: 0)) }

  // MARK: callbacks

  package func add(_ handler: NetMethod) -> MoToken {
    locked { $0.routing.add(handler) }
    return MoToken { [weak self] in
      self?.locked { $0.routing.remove(handler) }
      handler.cancel()
    }
  }

  /// Removes all callbacks that were added for exactly this address or pattern.
  package func removeAll(at pattern: String) {
    let found = locked { dispatcher in
      let found = dispatcher.routing.handlers.filter { $0.pattern.text == pattern }
      for handler in found { dispatcher.routing.remove(handler) }
      return found
    }
    for handler in found { handler.cancel() }
  }

  // MARK: arrival

  /// Calls `body` while the lock is held; `body` passes one or several packets to the dispatcher.
  ///
  /// - Parameter now: the present time, if the caller has just read it.
  package func withDispatcher(at now: HostTime? = nil, _ body: (inout NetDispatcher) -> Void) {
    lock.acquire()
    dispatcher.pointee.refreshOffset(at: now)
    dispatcher.pointee.horizon = horizon.load(ordering: .relaxed)
    body(&dispatcher.pointee)
    let warnings = dispatcher.pointee.takeWarnings()
    lock.release()
    for text in warnings { warn(text) }
  }

  // MARK: delivery

  /// The time at which the next message is due: `distantPast` for a message that can be delivered now; nil if no
  /// message waits.
  var nextTime: HostTime? {
    locked { dispatcher in
      guard dispatcher.backlog.isLineEmpty else { return .distantPast }
      if dispatcher.backlog.nextTime != nil { dispatcher.refreshOffset() }
      return dispatcher.backlog.nextTime
    }
  }

  /// Whether MoMu does not read from TCP connections because too many messages wait; this slows their senders down.
  package var isBusy: Bool { locked { $0.backlog.isBusy } }

  /// Delivers all messages that are due, and future messages to the callbacks that receive these on arrival.
  ///
  /// - Parameter goesOn: called before each message; the delivery ends if the result is false.
  /// - Returns: whether a message was delivered.
  @discardableResult
  package func deliver(for server: NetServer, while goesOn: () -> Bool = { true }) -> Bool {
    var finished: (slot: Int32, outcome: NetCallResult)?
    while true {
      let canGoOn = goesOn()
      guard let slot = locked({ $0.next(finished, goesOn: canGoOn) }) else { return finished != nil }
      finished = (slot, call(slot, server))
    }
  }

  /// Calls the callbacks of a message.
  ///
  /// The message's slot is in no queue, so only this thread uses the slot, and needs no lock.
  private func call(_ slot: Int32, _ server: NetServer) -> NetCallResult {
    guard let route = backlog[slot].route else { return .full }
    let isAhead = backlog[slot].isAhead
    let isOnTimeOnly = backlog[slot].isOnTimeOnly
    let bytes = UnsafeRawBufferPointer(start: backlog[slot].bytes, count: backlog[slot].length)
    let context = NetContext(
      peer: backlog[slot].peer, arrival: backlog[slot].arrival, time: backlog[slot].time,
      timeTag: backlog[slot].timeTag, length: bytes.count, server: server,
      closing: closings.load(ordering: .acquiring))
    var outcome = NetCallResult.mismatched
    let read: ()? = try? OSCMessageView.read(bytes) { view in
      let values = NetValues(view: view, address: route.text)
      for handler in route.handlers where isAhead ? handler.isAhead : !(isOnTimeOnly && handler.isAhead) {
        guard closings.load(ordering: .acquiring) == context.closing else {
          if outcome == .mismatched { outcome = .full }
          return
        }
        switch handler.body.pass({ $0(values, context) }) {
        case .taken?: outcome = .taken
        case .full?: if outcome != .taken { outcome = .full }
        case .mismatched?: warnMismatch(handler, view, context)
        // The callback was cancelled while the message waited, which is not an error.
        case nil: if outcome == .mismatched { outcome = .full }
        }
      }
    }
    return read == nil ? .full : outcome
  }

  private func warnMismatch(_ handler: NetMethod, _ view: OSCMessageView, _ context: NetContext) {
    guard handler.mayWarn() else { return }
    warn(
      "\(view.message.address.printable) came from \(context.peer.address) with the types "
        + "\"\(view.types.printable)\", "
        + "but its callback expects \(handler.wants): such messages count as mismatched")
  }

  // MARK: opening and closing

  package func open() { locked { $0.isOpen = true } }

  /// Drops all waiting messages, and all messages that arrive before `open()` is called.
  func close() {
    closings.wrappingAdd(1, ordering: .releasing)
    locked { dispatcher in
      dispatcher.isOpen = false
      dispatcher.backlog.removeAll { waiting in
        let sender = waiting.sender
        dispatcher.senders.count(sender) { $0.dropped += 1 }
      }
    }
  }

  // MARK: status

  /// The nanoseconds to add to a host time to get the wall-clock time, in nanoseconds since 1970.
  var wallOffset: Int64 {
    locked { dispatcher in
      dispatcher.refreshOffset()
      return dispatcher.offset
    }
  }

  /// The number of addresses and received patterns in the table of callbacks.
  package var remembered: Int { locked { $0.routing.count } }

  /// Returns the number of messages received from the sender at an address; nil if this sender is unknown or not
  /// counted separately.
  func received(from address: NetAddress) -> Int? {
    locked { $0.senders.list.first { $0.address == address }?.counts.received }
  }

  /// The counts of all messages so far.
  package var statistics: NetStatistics {
    locked { dispatcher in
      var statistics = NetStatistics()
      statistics.counts = dispatcher.senders.total
      statistics.waiting = dispatcher.backlog.count
      statistics.senders = dispatcher.senders.list.filter { $0.lastHeard != .distantPast }
      return statistics
    }
  }
}
