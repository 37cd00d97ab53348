import CMoSystem
import Glibc
import MoCore
import MoRuntime
import Synchronization

/// The threads of a server: `mo-net`, which reads the sockets and calls the callbacks, and `mo-backup`.
///
/// While a callback is slow, `mo-backup` reads instead, so that the kernel's buffer does not overflow and the newest
/// value is never missed.
///
/// `NetBackupReader` decides when `mo-backup` reads.
package final class NetLoop: Sendable {
  private let server: NetServer
  private let sockets: NetSockets
  private let inbound: NetReceiver
  private let clock: any TimeSource
  private let wake = WakeEvent()
  private let isEnding = Atomic<Bool>(false)
  /// The lock that a thread holds while it reads and sorts datagrams, so that datagrams of two threads stay in order.
  private let reading = MoMutex(inheritsPriority: false)
  private let backupReader: NetBackupReader
  /// The host time, in nanoseconds, before which no connection is accepted.
  ///
  /// A failed `accept` sets this time, if the system had no descriptor or memory for another connection.
  private let nextAccept = Atomic<Int64>(.min)
  private let watch = momu_watch()
  private let threads = Locked<[MoThread]>([])

  /// The period, in nanoseconds, of the checks for waiting TCP connections during a long delivery.
  ///
  /// If a connection waits, `mo-backup` interrupts the delivery.
  private static let longestDelivery: Int64 = 100_000_000
  /// The pause (ns) before the next `accept` after the system had no descriptor or memory for a connection.
  private static let acceptPause: Int64 = 1_000_000_000
  /// The longest sleep of `mo-net`, in nanoseconds, while messages wait for their time tags, or while `nextAccept`
  /// forbids new connections.
  ///
  /// After each sleep, `mo-net` checks whether the wall clock was set or the machine was suspended.
  private static let longestSleep: Int64 = 100_000_000

  /// Starts both threads.
  ///
  /// - Throws: `NetError.system`.
  package init(server: NetServer, clock: any TimeSource) throws(NetError) {
    self.server = server
    sockets = server.sockets
    inbound = server.inbound
    self.clock = clock
    backupReader = try NetBackupReader(clock: clock)
    guard wake.descriptor >= 0, watch >= 0 else { throw .tooManyFiles }
    var started: [MoThread] = []
    do throws(MoThread.Failure) {
      started.append(try MoThread(name: "mo-net") { [self] _ in run() })
      started.append(
        try MoThread(name: "mo-backup", stackBytes: 128 * 1024) { [self] _ in runBackupReader() })
    } catch {
      isEnding.store(true, ordering: .releasing)
      wake.raise()
      for thread in started { thread.join() }
      throw .system(error.description)
    }
    threads.withLock { $0 = started }
  }

  deinit { if watch >= 0 { close(watch) } }

  /// Wakes `mo-net`, so that it notices changes, such as new sockets or data to be written.
  func wakeThread() { wake.raise() }

  /// Ends both threads, and waits until no callback runs; a call from within a callback returns immediately.
  package func end() {
    isEnding.store(true, ordering: .releasing)
    wake.raise()
    backupReader.wake()
    let threads = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in threads { thread.join() }
  }

  private var goesOn: Bool { !isEnding.load(ordering: .acquiring) }

  // MARK: mo-net

  private func run() {
    momu_thread_set_timely(1)
    // From here on, no turn of this thread delays the end of the other thread.
    defer { backupReader.wake() }
    guard let inbox = NetInbox(into: inbound, clock: clock, order: reading) else {
      return MoLog.log(.warning, "out of memory for received packets: no message will arrive")
    }
    let changes = momu_interface_watch()
    defer { if changes >= 0 { close(changes) } }
    var watch = NetPoller(watch, wake: wake.descriptor, interfaces: changes)
    var interfaces = NetInterface.all()
    // The time since which it has had nothing to do; nil if it has let messages gather.
    var rest: HostTime? = .distantPast
    var coalescing = NetCoalescing()
    while goesOn {
      let watched = sockets.watched
      for warning in sockets.takeWarnings() { MoLog.log(.warning, warning) }
      watch.follow(watched.datagrams)
      let mayAccept = clock.now.nanoseconds >= nextAccept.load(ordering: .relaxed)
      var requests = [pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)]
      requests += self.requests(for: watched, mayAccept: mayAccept)
      while goesOn {
        let pause = pause
        let ready: Int
        if requests.count == 1, pause < 0, mayAccept {
          ready = watch.poll(waits: true)
        } else {
          _ = momu_poll(&requests, UInt(requests.count), pause < 0 && !mayAccept ? Self.longestSleep : pause)
          ready = requests[0].revents != 0 ? watch.poll(waits: false) : 0
        }
        var hasChanged = false
        // The largest number of datagrams from a single socket.
        var most = 0
        for index in 0..<ready {
          switch watch[index] {
          case .wake:
            wake.lower()
            hasChanged = true
          case .interfaces: readInterfaces(at: changes, &interfaces)
          case .datagrams(let socket, let hasInput, let hasReport):
            if hasReport { takeReports(of: socket, inbox) }
            if hasInput { most = max(most, inbox.read(socket, interface: interface, restedSince: rest)) }
          case nil: break
          }
        }
        if requests.count > 1, service(watched, requests) { hasChanged = true }
        if most > 0 || isDue {
          backupReader.turnBegins(afterBurst: most >= NetBackupReader.burst)
          inbound.deliver(for: server, while: { goesOn && !backupReader.isOverdue })
          let end = backupReader.turnEnds()
          let pause = coalescing.pause(after: most, at: end.nanoseconds)
          if pause > 0 { gather(pause) }
          rest = pause > 0 ? nil : end
        }
        if hasChanged || !mayAccept { break }
      }
    }
  }

  /// Sleeps for the given number of nanoseconds, so that more messages arrive; wakes earlier if a message becomes due.
  private func gather(_ nanoseconds: Int64) {
    let pause = pause
    _ = momu_poll(nil, 0, pause < 0 ? nanoseconds : min(pause, nanoseconds))
  }

  /// Returns the requests for `poll`: first those for the listeners, then those for the connections.
  private func requests(for watched: NetSockets.Watched, mayAccept: Bool) -> [pollfd] {
    // Connections wait while there is much to deliver: TCP then slows the sender down, and no due message is lost.
    // Messages for a later time are dropped beyond `mostFuture` and `mostLargeFuture` of `NetMessageQueue`.
    let isBusy = inbound.isBusy
    return watched.listeners.map {
      pollfd(fd: $0.descriptor, events: mayAccept ? Int16(POLLIN) : 0, revents: 0)
    }
      + watched.streams.map {
        let events = (isBusy ? 0 : POLLIN) | ($0.wantsToWrite ? POLLOUT : 0)
        // A connection that has ended reports this without a request, and would wake the thread again and again.
        return pollfd(fd: events == 0 ? -1 : $0.stream.descriptor, events: Int16(events), revents: 0)
      }
  }

  /// The nanoseconds until the next waiting message is due, at most `longestSleep`; -1 if no message waits.
  private var pause: Int64 {
    guard let next = inbound.nextTime else { return -1 }
    return min(max(0, next.nanoseconds(since: clock.now)), Self.longestSleep)
  }

  /// Whether a message can be delivered now.
  private var isDue: Bool {
    guard let next = inbound.nextTime else { return false }
    return next == .distantPast || next <= clock.now
  }

  /// Reads the kernel's reports about interfaces, and rejoins the multicast groups if the interfaces have changed.
  ///
  /// With Wi-Fi and IPv6, the kernel also sends many reports when no interface has changed.
  private func readInterfaces(at watch: Int32, _ interfaces: inout [NetInterface]) {
    var bytes = [UInt8](repeating: 0, count: 8192)
    while recv(watch, &bytes, bytes.count, 0) > 0 {}
    let now = NetInterface.all()
    guard now != interfaces else { return }
    interfaces = now
    sockets.rejoin()
    server.networkChanged()
  }

  /// Accepts new connections, and reads and writes open connections; returns whether the sockets, or the events to wait
  /// for, may have changed.
  private func service(_ watched: NetSockets.Watched, _ requests: [pollfd]) -> Bool {
    var hasChanged = false
    var place = 1
    for listener in watched.listeners {
      if requests[place].revents != 0 {
        hasChanged = true
        if !server.accept(listener) {
          nextAccept.store(clock.now.nanoseconds &+ Self.acceptPause, ordering: .relaxed)
        }
      }
      place += 1
    }
    // They take turns to be first, so that a busy connection does not block the others.
    let first = watched.streams.isEmpty ? 0 : backupReader.count % watched.streams.count
    for index in watched.streams.indices.map({ ($0 + first) % watched.streams.count }) {
      let (stream, wantedToWrite) = watched.streams[index]
      let events = requests[place + index].revents
      if events & Int16(POLLOUT) != 0 {
        let (packets, end) = sockets.flush(stream)
        if let packets { server.connected(stream, packets: packets) }
        // After a failure to write, the messages that the other side sent before must still be read.
        if let end { server.ended(stream, end) }
      }
      var reason: String?
      if events & Int16(POLLIN | POLLHUP | POLLERR) != 0, !inbound.isBusy {
        reason = stream.read(into: inbound, clock: clock)
      }
      if let reason, let end = sockets.drop(stream, reason) { server.ended(stream, end) }
      if reason != nil || wantedToWrite { hasChanged = true }
    }
    return hasChanged || !watched.streams.isEmpty
  }

  /// The index of the only interface whose datagrams are accepted; 0 if all interfaces are accepted.
  private var interface: UInt32 { server.interface.load(ordering: .relaxed) }

  private func takeReports(of socket: NetSocket, _ inbox: NetInbox) {
    inbox.reports(of: socket) { address, error in server.undelivered(address, error) }
  }

  // MARK: mo-backup

  private func runBackupReader() {
    momu_thread_set_timely(1)
    var inbox: NetInbox?
    backupReader.watch(
      while: { goesOn },
      read: { turn in
        if inbox == nil { inbox = NetInbox(into: inbound, clock: clock, order: reading) }
        if let inbox { read(inbox, during: turn) }
      })
  }

  /// Whether a listener or a connection is ready, so that `mo-backup` must interrupt the delivery; only `mo-net` may
  /// accept, read or write connections.
  private var connectionsWait: Bool {
    let mayAccept = clock.now.nanoseconds >= nextAccept.load(ordering: .relaxed)
    var requests = requests(for: sockets.watched, mayAccept: mayAccept)
    return momu_poll(&requests, UInt(requests.count), 0) > 0
  }

  /// Reads datagrams until `mo-net` has finished the given turn.
  ///
  /// A turn is a delivery, during which `mo-net` calls callbacks. `NetBackupReader` numbers the turns.
  private func read(_ inbox: NetInbox, during turn: UInt64) {
    let datagrams = sockets.watched.datagrams
    var requests = datagrams.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    var next = clock.now.advanced(byNanoseconds: Self.longestDelivery)
    // A datagram that is read as the turn ends may come after `mo-net` has found nothing to do. It would then wait for
    // the sockets, which are empty now.
    defer { wake.raise() }
    while goesOn && backupReader.lasts(turn) {
      if clock.now >= next {
        next = clock.now.advanced(byNanoseconds: Self.longestDelivery)
        if connectionsWait { backupReader.interrupt() }
      }
      guard momu_poll(&requests, UInt(requests.count), NetBackupReader.checkInterval) > 0 else { continue }
      for (socket, request) in zip(datagrams, requests) {
        // A report that is not read would wake this thread again and again.
        if request.revents & Int16(POLLERR) != 0 { takeReports(of: socket, inbox) }
        // Read once, not until the socket is empty: a flood has no end, and the connections need service, too.
        if request.revents & Int16(POLLIN) != 0 { _ = inbox.read(socket, interface: interface) }
      }
    }
  }
}
