import CMoSystem
import Glibc
import MoCore
import Synchronization

/// Drives a sequencer: passes received messages to the receiver, and sends messages that are due.
///
/// In real time the pump's thread is `mo-midi`; a test calls `service` itself.
///
/// - Thread: `perform`, `wake` and `stop` from any; the rest from the thread that drives the pump.
package final class MIDIPump: @unchecked Sendable {
  // Unchecked: all but the lock, the signal and the thread belongs to the driving thread.
  private let sequencer: any MIDISequencer
  private let receiver: MIDIReceiver
  package let sender: MIDISender
  package let connections: MIDIConnections
  private let clock: any TimeSource
  private let signal = WakeEvent()
  private let thread = Locked<MoThread?>(nil)
  private let orders = Locked<[@Sendable () -> Void]>([])
  /// The descriptors of the files for which the thread waits.
  ///
  /// The array is not made anew for each wait, so that a wait allocates no memory.
  private var requests: [pollfd]
  /// Whether the pump only sends, and drops all messages that it receives; used on the driving thread only.
  package var isDeaf = false
  /// The ends of the server's earlier pumps whose threads may still run callbacks; used on the driving thread only.
  ///
  /// Until these threads have ended, the pump drops all messages that it receives. If a callback stops and starts the
  /// server, the thread that runs this callback ends only after the callback.
  private var earlier: [End]
  /// The end of the pump's thread.
  let ending = End()

  /// The end of a pump's thread, after which the thread calls no callback any more.
  ///
  /// It is an object of its own, so that it can be kept without the pump and the pump's ports.
  package final class End: Sendable {
    private let hasCome = Atomic<Bool>(false)

    var isReached: Bool { hasCome.load(ordering: .acquiring) }

    func reach() { hasCome.store(true, ordering: .releasing) }
  }
  /// Whether `orders` may contain code to run; while it is false, `service` does not take the lock of `orders`.
  private var isWoken = true
  private let notify: @Sendable (MIDIPortEvent) -> Void
  private let pendingEvents: PortEventQueue
  private var ends = MIDINoteEnds()
  /// The time of the next search for ports; nil if no search is planned.
  ///
  /// The kernel may announce a port before the port has its name, so a second search follows an announcement.
  private var nextLook: HostTime?

  /// The pumps whose threads run at present.
  private static let running = Locked<[pthread_t: MIDIPump]>([:])

  private static let lateName = Duration.milliseconds(200)

  /// - Parameter earlier: the ends of the earlier pumps with the same callbacks.
  package init(
    _ sequencer: any MIDISequencer, _ receiver: MIDIReceiver, clock: any TimeSource,
    after earlier: [End] = [],
    notify: @escaping @Sendable (MIDIPortEvent) -> Void
  ) {
    (self.sequencer, self.receiver, self.clock, self.earlier) = (sequencer, receiver, clock, earlier)
    sender = MIDISender(sequencer)
    self.notify = notify
    // Called after the turn: a callback may call the server, which may wait for this turn.
    let pendingEvents = PortEventQueue()
    self.pendingEvents = pendingEvents
    connections = MIDIConnections(sequencer, receiver) { pendingEvents.add($0) }
    requests = [signal.descriptor, sequencer.descriptor].compactMap { $0 }.map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
  }

  /// Starts the thread.
  ///
  /// - Throws: `MIDIError.noThread`.
  func start() throws(MIDIError) {
    do throws(MoThread.Failure) {
      let made = try MoThread(name: "mo-midi", priority: .besideAudio) { [self] thread in
        Self.running.withLock { $0[pthread_self()] = self }
        defer { Self.running.withLock { _ = $0.removeValue(forKey: pthread_self()) } }
        while !thread.isCancelled {
          service(until: clock.now)
          wait()
        }
        service(until: clock.now)
        end()
        ending.reach()
      }
      thread.withLock { $0 = made }
    } catch {
      throw .noThread(reason: error.description)
    }
  }

  /// Runs code on the driving thread, and returns the code's result when the code is done.
  ///
  /// If the caller is the driving thread itself, the code runs directly.
  func perform<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
    guard let thread = thread.withLock({ $0 }), !thread.isCurrent else { return body() }
    let (done, result) = (WakeEvent(), Locked<Result?>(nil))
    orders.withLock {
      $0.append {
        let value = body()
        result.withLock { $0 = value }
        done.raise()
      }
    }
    wake()
    while true {
      done.wait(for: .milliseconds(100))
      if let value = result.withLock({ $0 }) { return value }
      // The thread ended before it reached this order.
      if thread.isFinished { for order in takeOrders() { order() } }
    }
  }

  /// Acquires a lock for the calling thread.
  ///
  /// If the caller is a pump's thread, it runs the pump's code meanwhile: the thread that holds the lock may wait for
  /// this code in `perform`.
  static func acquire(_ lock: MoMutex) {
    guard let pump = running.withLock({ $0[pthread_self()] }) else { return lock.acquire() }
    while !lock.tryAcquire() {
      for order in pump.takeOrders() { order() }
      SystemClock().sleep(until: SystemClock().now.advanced(bySeconds: 0.001))
    }
  }

  /// Wakes the thread, so that it handles new messages to send and new code to run.
  func wake() { signal.raise() }

  /// Releases the held notes, received notes as well as sent notes, and then ends the thread.
  package func stop() {
    guard let running = thread.withLock({ $0 }) else { return end() }
    running.cancel()
    wake()
    running.join()
  }

  /// The earliest time at which a message, the end of a note or a search for ports is due; nil for none.
  package var nextTime: HostTime? {
    [ends.nextTime, nextLook, sequencer.nextTime].reduce(sender.nextTime) { soonest, next in
      guard let soonest, let next else { return soonest ?? next }
      return min(soonest, next)
    }
  }

  /// Handles the messages that were received, and sends the messages that are due at `now`.
  package func service(until now: HostTime) {
    if isWoken {
      isWoken = false
      for order in takeOrders() { order() }
    }
    if !earlier.isEmpty { earlier.removeAll { $0.isReached } }
    let dropsInput = isDeaf || !earlier.isEmpty
    var hasNewPorts = false
    sequencer.receive { event in
      switch event {
      case .message(let message, let from, let time):
        guard !dropsInput else { return }
        endNotes(dueBy: time)
        ends.follow(message, from: from)
        receiver.handle(message, from: connections.index(of: from, at: now), at: time)
      case .note(let note, let from, let time):
        guard !dropsInput else { return }
        endNotes(dueBy: time)
        let on = MIDIMessage.noteOn(note.channel, note.key, velocity: note.velocity)
        receiver.handle(on, from: connections.index(of: from, at: now), at: time)
        // Without room it is as short as possible: a note that never ends would be worse.
        if !ends.add(note, from: from, at: time) { release(note, from: from, at: time) }
      case .sysEx(let piece, let from, let time):
        if !dropsInput { receiver.takeSysEx(piece, from: connections.index(of: from, at: now), at: time) }
      case .portsChanged: hasNewPorts = true
      case .portGone(let address):
        ends.remove(from: address)
        connections.gone(address, at: now)
        hasNewPorts = true
      case .disconnected(let address):
        ends.remove(from: address)
        connections.disconnected(address, at: now)
      case .overrun:
        if !dropsInput { ends = MIDINoteEnds() }
        connections.overrun(isDeaf: dropsInput, at: now)
      }
    }
    endNotes(dueBy: now)
    if hasNewPorts { nextLook = now + Self.lateName }
    if hasNewPorts || nextLook.map({ $0 <= now }) ?? false {
      connections.refresh(at: now)
      if !hasNewPorts { nextLook = nil }
    }
    sender.service(until: now)
    sequencer.flush(at: now)
    for event in pendingEvents.takeAll() { notify(event) }
  }

  /// Releases the received notes that end at `time` or earlier.
  private func endNotes(dueBy time: HostTime) {
    while let end = ends.removeFirst(dueBy: time) { release(end.note, from: end.address, at: end.time) }
  }

  private func release(_ note: MIDITimedNote, from address: MIDIAddress, at time: HostTime) {
    // A port that is gone has been released.
    guard let index = connections.knownIndex(of: address) else { return }
    receiver.handle(.noteOff(note.channel, note.key, velocity: note.offVelocity), from: index, at: time)
  }

  /// Collects the port events that occur while `service` runs; `service` reports them as its last action.
  private final class PortEventQueue: Sendable {
    private let events = Locked<[MIDIPortEvent]>([])
    private let isFull = Atomic<Bool>(false)

    func add(_ event: MIDIPortEvent) {
      events.withLock { $0.append(event) }
      isFull.store(true, ordering: .releasing)
    }

    func takeAll() -> [MIDIPortEvent] {
      guard isFull.exchange(false, ordering: .acquiringAndReleasing) else { return [] }
      return events.withLock { events in
        defer { events = [] }
        return events
      }
    }
  }

  private func end() {
    if !isDeaf, earlier.isEmpty { receiver.releaseAll(at: clock.now, closes: true) }
    sender.close(at: clock.now)
  }

  private func takeOrders() -> [@Sendable () -> Void] {
    orders.withLock { orders in
      defer { orders = [] }
      return orders
    }
  }

  private func wait() {
    let pause = nextTime.map { max(0, $0.nanoseconds(since: clock.now)) } ?? -1
    guard momu_poll(&requests, UInt(requests.count), pause) > 0, requests[0].revents != 0 else { return }
    signal.lower()
    isWoken = true
  }
}
